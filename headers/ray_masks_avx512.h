// SPDX-License-Identifier: MIT
//
// Ray masks in vectors: the eight rays of a square in two registers, and the first blocker of each by one instruction.
//
// On a ray that leads up (to higher squares) the first blocker is the lowest occupied square, and subtracting 1 finds
// it: x ^ (x - 1) has ones up to and including the lowest bit of x. On a ray that leads down it is the highest one, and
// the number of zeros above it, filled with ones by an arithmetic shift, covers it and all above:
//
//      up:    u = up & occupied      (u ^ (u - 1)) & up
//      down:  d = down & occupied    (top bit >> zeros above d) & down
//
//      lane       3      2      1          0
//      up         north  east   northwest  northeast
//      down       south  west   southeast  southwest
//                 +-- rook ---+ +----- bishop -----+
//
// VPLZCNTQ counts the zeros, VPSRAVQ shifts each lane by its own count, VPTERNLOGQ does two logical steps at once. An
// engine that asks for a bishop and a rook on one square, as a test for checks does, takes sliding_both().
//
// Inventor: Toshihiko Okuhara (Cfish, May 2020); one record for all pieces is slidebench's. Source:
// github.com/syzygy1/Cfish/pull/115. Tables: 4,096 bytes. Needs: AVX-512VL and CD.
//
// C11 and C++17, for GCC and Clang, x86-64. In one source file, define SLIDING_IMPLEMENTATION before the include; call
// sliding_init() once, before the first query. Squares: a1 = 0, h1 = 7, h8 = 63. The answer depends neither on the
// slider's own bit of the occupancy nor on squares off its lines; the first blocker of either colour is in it.
#pragma once

#if !defined(__AVX512VL__) || !defined(__AVX512CD__)
#error "ray_masks_avx512.h needs AVX-512VL and CD: compile with -mavx512vl -mavx512cd or -march=x86-64-v4"
#endif

#include <assert.h>
#include <immintrin.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
extern uint64_t sliding_masks[64 * 8] __attribute__((aligned(64)));  // a square: lanes up, lanes down
void sliding_init(void);
#ifdef __cplusplus
}
#endif

static inline uint64_t sliding_lowest(__m128i lanes) { return (uint64_t)_mm_cvtsi128_si64(lanes); }

static inline uint64_t sliding_union(__m128i lanes) {
  return sliding_lowest(_mm_or_si128(lanes, _mm_unpackhi_epi64(lanes, lanes)));
}

static inline const uint64_t* sliding_masks_of(unsigned s) {
  const uint64_t* masks = &sliding_masks[(uint64_t)8 * s];
  assert((masks[3] | masks[7]) && "call sliding_init() first");
  return masks;
}
static inline __m128i sliding_pair(const uint64_t* masks) { return _mm_load_si128((const __m128i*)masks); }
static inline __m256i sliding_four(const uint64_t* masks) { return _mm256_load_si256((const __m256i*)masks); }

// Truth tables of VPTERNLOGQ: bit 4a + 2b + c is the result for the bits a, b and c.
enum { sliding_xor_and = 0x28 /* (a ^ b) & c */, sliding_or_and = 0xF8 /* a | (b & c) */ };

static inline uint64_t sliding_piece(const uint64_t* masks, uint64_t occupied) {
  const __m128i up = sliding_pair(masks), down = sliding_pair(masks + 4);
  const __m128i o = _mm_set1_epi64x((long long)occupied);
  const __m128i u = _mm_and_si128(up, o);
  const __m128i open_up = _mm_ternarylogic_epi64(u, _mm_add_epi64(u, _mm_set1_epi64x(-1)), up, sliding_xor_and);
  const __m128i zeros = _mm_lzcnt_epi64(_mm_and_si128(down, o));
  const __m128i top = _mm_set1_epi64x((long long)0x8000000000000000);
  return sliding_union(_mm_ternarylogic_epi64(open_up, _mm_srav_epi64(top, zeros), down, sliding_or_and));
}

static inline uint64_t sliding_bishop(unsigned s, uint64_t occupied) {
  return sliding_piece(sliding_masks_of(s), occupied);
}

static inline uint64_t sliding_rook(unsigned s, uint64_t occupied) {
  return sliding_piece(sliding_masks_of(s) + 2, occupied);
}

// The open squares of the eight rays, those that lead up and those that lead down united by lane.
static inline __m256i sliding_rays(unsigned s, uint64_t occupied) {
  const __m256i up = sliding_four(sliding_masks_of(s)), down = sliding_four(sliding_masks_of(s) + 4);
  const __m256i o = _mm256_set1_epi64x((long long)occupied);
  const __m256i u = _mm256_and_si256(up, o);
  const __m256i open_up =
      _mm256_ternarylogic_epi64(u, _mm256_add_epi64(u, _mm256_set1_epi64x(-1)), up, sliding_xor_and);
  const __m256i zeros = _mm256_lzcnt_epi64(_mm256_and_si256(down, o));
  const __m256i top = _mm256_set1_epi64x((long long)0x8000000000000000);
  return _mm256_ternarylogic_epi64(open_up, _mm256_srav_epi64(top, zeros), down, sliding_or_and);
}

static inline uint64_t sliding_queen(unsigned s, uint64_t occupied) {
  const __m256i rays = sliding_rays(s, occupied);
  return sliding_union(_mm_or_si128(_mm256_castsi256_si128(rays), _mm256_extracti128_si256(rays, 1)));
}

// The bishop's set and the rook's, by the steps of one queen.
static inline void sliding_both(unsigned s, uint64_t occupied, uint64_t* bishop, uint64_t* rook) {
  const __m256i rays = sliding_rays(s, occupied);
  const __m256i unions = _mm256_or_si256(rays, _mm256_unpackhi_epi64(rays, rays));
  *bishop = sliding_lowest(_mm256_castsi256_si128(unions));
  *rook = sliding_lowest(_mm256_extracti128_si256(unions, 1));
}

#ifdef SLIDING_IMPLEMENTATION

uint64_t sliding_masks[64 * 8] __attribute__((aligned(64)));

// The squares along one line that a slider on s reaches: line 0 is the file, 1 the rank, 2 the diagonal, 3 the
// antidiagonal.
static uint64_t sliding_walk(unsigned s, uint64_t occupied, unsigned line) {
  static const int files[4] = {0, 1, 1, -1}, ranks[4] = {1, 0, 1, 1};
  uint64_t reached = 0;
  for (int way = -1; way <= 1; way += 2) {
    int file = (int)(s & 7) + way * files[line], rank = (int)(s >> 3) + way * ranks[line];
    for (; ((file | rank) & ~7) == 0; file += way * files[line], rank += way * ranks[line]) {
      const uint64_t square = (uint64_t)1 << (8 * rank + file);
      reached |= square;
      if (occupied & square) break;
    }
  }
  return reached;
}

void sliding_init(void) {
  static const unsigned lines[4] = {2, 3, 1, 0};  // of lanes 0 to 3
  for (unsigned s = 0; s < 64; ++s) {
    const uint64_t below = ((uint64_t)1 << s) - 1;
    for (unsigned lane = 0; lane < 4; ++lane) {
      const uint64_t line = sliding_walk(s, 0, lines[lane]);
      sliding_masks[8 * s + lane] = line & ~below;
      sliding_masks[8 * s + 4 + lane] = line & below;
    }
  }
}

#endif  // SLIDING_IMPLEMENTATION
