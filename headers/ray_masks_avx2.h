// SPDX-License-Identifier: MIT
//
// Ray masks in AVX2: the eight rays of a square in two registers, without a table beside the masks.
//
// On a ray that leads up, subtracting 1 finds the first blocker, the lowest occupied square: (u ^ (u - 1)) & up holds
// the squares up to and including it. On a ray that leads down it is the highest one, which AVX2 has no instruction to
// find; two ways round that:
//
//      all lines   Shadow: move the blockers on along their ray, by 1 to 6 steps. What they reach is hidden:
//                      t = d >> step | d >> 2 step      t |= t >> 2 step, twice      attacks = down & ~t
//      diagonals   Turn the board upside down, and down is up: a byte shuffle before the subtraction and one after it.
//
// A rank lies within one byte and stays as it is in the second, so a bishop turns the board, and what has a rank takes
// the shadow. The masks of a square are one cache line, neighbouring lanes one piece:
//
//      lane       3      2      1          0
//      up         north  east   northwest  northeast
//      down       south  west   southeast  southwest
//                 +-- rook ---+ +----- bishop -----+
//
// An engine that asks for a bishop and a rook on one square, as a test for checks does, takes sliding_both().
//
// Inventor: Toshihiko Okuhara (Cfish, May 2020); one record for all pieces is slidebench's. Source:
// github.com/syzygy1/Cfish/pull/115. Tables: 4,096 bytes. Needs: AVX2.
//
// C11 and C++17, for GCC and Clang, x86-64. In one source file, define SLIDING_IMPLEMENTATION before the include; call
// sliding_init() once, before the first query. Squares: a1 = 0, h1 = 7, h8 = 63. The answer depends neither on the
// slider's own bit of the occupancy nor on squares off its lines; the first blocker of either colour is in it.
#pragma once

#ifndef __AVX2__
#error "ray_masks_avx2.h needs AVX2: compile with -mavx2 or -march=x86-64-v3"
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

// All squares of each lane up to and including its lowest bit; all of them for an empty one.
static inline __m128i sliding_up_to(__m128i v) { return _mm_xor_si128(v, _mm_add_epi64(v, _mm_set1_epi64x(-1))); }
static inline __m256i sliding_up_to4(__m256i v) {
  return _mm256_xor_si256(v, _mm256_add_epi64(v, _mm256_set1_epi64x(-1)));
}

static inline __m128i sliding_on(__m128i v, __m128i steps) { return _mm_or_si128(v, _mm_srlv_epi64(v, steps)); }
static inline __m256i sliding_on4(__m256i v, __m256i steps) { return _mm256_or_si256(v, _mm256_srlv_epi64(v, steps)); }

static inline __m128i sliding_flip(__m128i v) {
  return _mm_shuffle_epi8(v, _mm_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607));
}

static inline uint64_t sliding_bishop(unsigned s, uint64_t occupied) {
  const __m128i up = sliding_pair(sliding_masks_of(s)), down = sliding_pair(sliding_masks_of(s) + 4);
  const __m128i o = _mm_set1_epi64x((long long)occupied);
  const __m128i open_up = sliding_up_to(_mm_and_si128(up, o));
  const __m128i open_down = sliding_flip(sliding_up_to(sliding_flip(_mm_and_si128(down, o))));
  return sliding_union(_mm_or_si128(_mm_and_si128(open_up, up), _mm_and_si128(open_down, down)));
}

static inline uint64_t sliding_rook(unsigned s, uint64_t occupied) {
  const __m128i up = sliding_pair(sliding_masks_of(s) + 2), down = sliding_pair(sliding_masks_of(s) + 6);
  const __m128i o = _mm_set1_epi64x((long long)occupied);
  const __m128i one = _mm_set_epi64x(8, 1), two = _mm_set_epi64x(16, 2);
  const __m128i open_up = _mm_and_si128(sliding_up_to(_mm_and_si128(up, o)), up);
  const __m128i d = _mm_and_si128(down, o);
  const __m128i hidden = _mm_or_si128(_mm_srlv_epi64(d, one), _mm_srlv_epi64(d, two));
  return sliding_union(_mm_or_si128(open_up, _mm_andnot_si128(sliding_on(sliding_on(hidden, two), two), down)));
}

// The open squares of the eight rays, those that lead up and those that lead down united by lane.
static inline __m256i sliding_rays(unsigned s, uint64_t occupied) {
  const __m256i up = sliding_four(sliding_masks_of(s)), down = sliding_four(sliding_masks_of(s) + 4);
  const __m256i o = _mm256_set1_epi64x((long long)occupied);
  const __m256i one = _mm256_set_epi64x(8, 1, 7, 9), two = _mm256_set_epi64x(16, 2, 14, 18);
  const __m256i open_up = _mm256_and_si256(sliding_up_to4(_mm256_and_si256(up, o)), up);
  const __m256i d = _mm256_and_si256(down, o);
  const __m256i hidden = _mm256_or_si256(_mm256_srlv_epi64(d, one), _mm256_srlv_epi64(d, two));
  return _mm256_or_si256(open_up, _mm256_andnot_si256(sliding_on4(sliding_on4(hidden, two), two), down));
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
