// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence for all four lines in one vector: with GFNI, the rank needs no table either.
//
// Subtracting the slider's bit from a line borrows from the first blocker above (see hyperbola.h); the other direction
// is the same with the line reversed. A byte swap cannot reverse a rank, which lies within one byte. But GF2P8AFFINEQB
// multiplies each byte, as eight bits, by an 8 x 8 matrix of bits, and the matrix with ones on the other diagonal turns
// the byte round. After a byte swap, square s has gone to 63 - s, on every line:
//
//      lane          3        2        1             0
//      masks         rank     file     antidiagonal  diagonal
//      attacks     = ((o - bit s) ^ reverse(reverse(o) - bit(63 - s))) & masks          o = masks & occupied
//                    +--- rook ---+    +-- bishop --+
//
// Either piece alone is half a vector. The bishop alone needs no GFNI: on a diagonal a byte swap is enough. An engine
// that asks for a bishop and a rook on one square, as a test for checks does, takes sliding_both().
//
// Inventors: D. Infuehr (the matrix, 2023), after G. Isenberg; one vector of four lines: slidebench (2026). Source:
// github.com/Gigantua/Chess_Movegen (Galois). Tables: 2,048 bytes. Needs: AVX2 and GFNI (Ice Lake, Gracemont, Zen 4 and
// later).
//
// C11 and C++17, for GCC and Clang, x86-64. In one source file, define SLIDING_IMPLEMENTATION before the include; call
// sliding_init() once, before the first query. Squares: a1 = 0, h1 = 7, h8 = 63. The answer depends neither on the
// slider's own bit of the occupancy nor on squares off its lines; the first blocker of either colour is in it.
#pragma once

#if !defined(__AVX2__) || !defined(__GFNI__)
#error "hyperbola_gfni.h needs AVX2 and GFNI: compile with -mavx2 -mgfni"
#endif

#include <assert.h>
#include <immintrin.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
extern uint64_t sliding_masks[64 * 4] __attribute__((aligned(64)));  // a square: lanes 0 to 3
void sliding_init(void);
#ifdef __cplusplus
}
#endif

// Reverses the bytes of each lane.
static inline __m128i sliding_swap(__m128i lanes) {
  return _mm_shuffle_epi8(lanes, _mm_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607));
}

static inline __m256i sliding_reverse4(__m256i lanes) {
  const __m256i bytes =
      _mm256_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607, 0x08090A0B0C0D0E0F, 0x0001020304050607);
  const __m256i matrix = _mm256_set1_epi64x((long long)0x8040201008040201);
  return _mm256_gf2p8affine_epi64_epi8(_mm256_shuffle_epi8(lanes, bytes), matrix, 0);
}

// Reverses the bits of each lane: square s goes to 63 - s.
static inline __m128i sliding_reverse(__m128i lanes) {
  return _mm_gf2p8affine_epi64_epi8(sliding_swap(lanes), _mm_set1_epi64x((long long)0x8040201008040201), 0);
}

// Bits s and 63 - s in every lane.
static inline __m256i sliding_slider(unsigned s) {
  return _mm256_sll_epi64(_mm256_set1_epi64x(1), _mm_cvtsi32_si128((int)s));
}
static inline __m256i sliding_mirrored(unsigned s) {
  return _mm256_srl_epi64(_mm256_set1_epi64x((long long)0x8000000000000000), _mm_cvtsi32_si128((int)s));
}

static inline uint64_t sliding_lowest(__m128i lanes) { return (uint64_t)_mm_cvtsi128_si64(lanes); }

static inline uint64_t sliding_union(__m128i lanes) {
  return sliding_lowest(_mm_or_si128(lanes, _mm_unpackhi_epi64(lanes, lanes)));
}

// The attacks along the four lines through s, each in its lane.
static inline __m256i sliding_lines(unsigned s, uint64_t occupied) {
  assert(sliding_masks[4 * s] + sliding_masks[4 * s + 1] && "call sliding_init() first");
  const __m256i lines = _mm256_load_si256((const __m256i*)&sliding_masks[(uint64_t)4 * s]);
  const __m256i o = _mm256_and_si256(lines, _mm256_set1_epi64x((long long)occupied));
  const __m256i up = _mm256_sub_epi64(o, sliding_slider(s));
  const __m256i down = sliding_reverse4(_mm256_sub_epi64(sliding_reverse4(o), sliding_mirrored(s)));
  return _mm256_and_si256(_mm256_xor_si256(up, down), lines);
}

static inline uint64_t sliding_bishop(unsigned s, uint64_t occupied) {
  const __m128i lines = _mm_load_si128((const __m128i*)&sliding_masks[(uint64_t)4 * s]);
  assert(sliding_union(lines) && "call sliding_init() first");
  const __m128i o = _mm_and_si128(lines, _mm_set1_epi64x((long long)occupied));
  const __m128i up = _mm_sub_epi64(o, _mm256_castsi256_si128(sliding_slider(s)));
  const __m128i down = sliding_swap(_mm_sub_epi64(sliding_swap(o), _mm256_castsi256_si128(sliding_mirrored(s))));
  return sliding_union(_mm_and_si128(_mm_xor_si128(up, down), lines));
}

static inline uint64_t sliding_rook(unsigned s, uint64_t occupied) {
  const __m128i lines = _mm_load_si128((const __m128i*)&sliding_masks[(uint64_t)4 * s + 2]);
  assert(sliding_union(lines) && "call sliding_init() first");
  const __m128i o = _mm_and_si128(lines, _mm_set1_epi64x((long long)occupied));
  const __m128i up = _mm_sub_epi64(o, _mm256_castsi256_si128(sliding_slider(s)));
  const __m128i down = sliding_reverse(_mm_sub_epi64(sliding_reverse(o), _mm256_castsi256_si128(sliding_mirrored(s))));
  return sliding_union(_mm_and_si128(_mm_xor_si128(up, down), lines));
}

static inline uint64_t sliding_queen(unsigned s, uint64_t occupied) {
  const __m256i lines = sliding_lines(s, occupied);
  return sliding_union(_mm_or_si128(_mm256_castsi256_si128(lines), _mm256_extracti128_si256(lines, 1)));
}

// The bishop's set and the rook's, by the steps of one queen.
static inline void sliding_both(unsigned s, uint64_t occupied, uint64_t* bishop, uint64_t* rook) {
  const __m256i lines = sliding_lines(s, occupied);
  const __m256i unions = _mm256_or_si256(lines, _mm256_unpackhi_epi64(lines, lines));
  *bishop = sliding_lowest(_mm256_castsi256_si128(unions));
  *rook = sliding_lowest(_mm256_extracti128_si256(unions, 1));
}

#ifdef SLIDING_IMPLEMENTATION

uint64_t sliding_masks[64 * 4] __attribute__((aligned(64)));

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
  for (unsigned s = 0; s < 64; ++s) {
    sliding_masks[4 * s] = sliding_walk(s, 0, 2);
    sliding_masks[4 * s + 1] = sliding_walk(s, 0, 3);
    sliding_masks[4 * s + 2] = sliding_walk(s, 0, 0);
    sliding_masks[4 * s + 3] = sliding_walk(s, 0, 1);
  }
}

#endif  // SLIDING_IMPLEMENTATION
