// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence in vectors: both diagonals and the file at once, and with them the bishop and the rook.
//
// The steps of hyperbola.h are the same for all lines with one square a rank, so each line gets a lane, and a shuffle
// of bytes is the byte swap of all lanes:
//
//      lane          3        2        1             0
//      masks         0        file     antidiagonal  diagonal
//      attacks     = ((o - r) ^ swap(swap(o) - r')) & masks           o = masks & occupied
//      rook        =          file     bishop                         rook: | rank attacks, from the first-rank table
//
// One record of a square, a cache line, holds all that a query needs. A rook alone has a single line of this kind and
// stays scalar: the way into vector registers and back costs more than its steps. An engine that asks for a bishop and
// a rook on one square, as a test for checks does, takes sliding_both().
//
// Inventors: of the hyperbola see hyperbola.h; the form with one record a square: "anematode" in Stockfish (2026).
// Source: Stockfish pull requests 6845, 6870 and 6998; the order of the lanes is slidebench's. Tables: 4,608 bytes.
// Needs: AVX2.
//
// C11 and C++17, for GCC and Clang, x86-64. In one source file, define SLIDING_IMPLEMENTATION before the include; call
// sliding_init() once, before the first query. Squares: a1 = 0, h1 = 7, h8 = 63. The answer depends neither on the
// slider's own bit of the occupancy nor on squares off its lines; the first blocker of either colour is in it.
#pragma once

#ifndef __AVX2__
#error "hyperbola_avx2.h needs AVX2: compile with -mavx2 or -march=x86-64-v3"
#endif

#include <assert.h>
#include <immintrin.h>
#include <stdint.h>

typedef struct {
  uint64_t diagonal, antidiagonal, file, none;
  uint64_t slider, flipped_slider;
  const uint8_t* rank_sets;  // the column of the square's file in the first-rank table
  uint64_t rank_start;       // the first square of the square's rank
} __attribute__((aligned(64))) sliding_record;

#ifdef __cplusplus
extern "C" {
#endif
extern sliding_record sliding_records[64];
void sliding_init(void);
#ifdef __cplusplus
}
#endif

// Reverses the bytes of each lane.
static inline __m128i sliding_swap(__m128i lanes) {
  return _mm_shuffle_epi8(lanes, _mm_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607));
}
static inline __m256i sliding_swap4(__m256i lanes) {
  return _mm256_shuffle_epi8(
      lanes, _mm256_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607, 0x08090A0B0C0D0E0F, 0x0001020304050607));
}

static inline uint64_t sliding_lowest(__m128i lanes) { return (uint64_t)_mm_cvtsi128_si64(lanes); }

static inline uint64_t sliding_union(__m128i lanes) {
  return sliding_lowest(_mm_or_si128(lanes, _mm_unpackhi_epi64(lanes, lanes)));
}

static inline uint64_t sliding_rank(const sliding_record* r, uint64_t occupied) {
  const uint64_t twice_inner = (occupied >> r->rank_start) & 126;
  return (uint64_t)r->rank_sets[4 * twice_inner] << r->rank_start;
}

// The attacks along the lines of the record, each in its lane.
static inline __m256i sliding_lines(const sliding_record* r, uint64_t occupied) {
  assert(r->slider && "call sliding_init() first");
  const __m256i masks = _mm256_load_si256((const __m256i*)r);
  const __m256i o = _mm256_and_si256(masks, _mm256_set1_epi64x((long long)occupied));
  const __m256i up = _mm256_sub_epi64(o, _mm256_set1_epi64x((long long)r->slider));
  const __m256i flipped_slider = _mm256_set1_epi64x((long long)r->flipped_slider);
  const __m256i down = sliding_swap4(_mm256_sub_epi64(sliding_swap4(o), flipped_slider));
  return _mm256_and_si256(_mm256_xor_si256(up, down), masks);
}

static inline uint64_t sliding_bishop(unsigned s, uint64_t occupied) {
  const sliding_record* r = &sliding_records[s];
  assert(r->slider && "call sliding_init() first");
  const __m128i masks = _mm_load_si128((const __m128i*)r);
  const __m128i o = _mm_and_si128(masks, _mm_set1_epi64x((long long)occupied));
  const __m128i up = _mm_sub_epi64(o, _mm_set1_epi64x((long long)r->slider));
  const __m128i down = sliding_swap(_mm_sub_epi64(sliding_swap(o), _mm_set1_epi64x((long long)r->flipped_slider)));
  return sliding_union(_mm_and_si128(_mm_xor_si128(up, down), masks));
}

static inline uint64_t sliding_rook(unsigned s, uint64_t occupied) {
  const sliding_record* r = &sliding_records[s];
  assert(r->slider && "call sliding_init() first");
  const uint64_t o = occupied & r->file;
  const uint64_t down = __builtin_bswap64(__builtin_bswap64(o) - r->flipped_slider);
  return (((o - r->slider) ^ down) & r->file) | sliding_rank(r, occupied);
}

static inline uint64_t sliding_queen(unsigned s, uint64_t occupied) {
  const sliding_record* r = &sliding_records[s];
  const __m256i lines = sliding_lines(r, occupied);
  return sliding_union(_mm_or_si128(_mm256_castsi256_si128(lines), _mm256_extracti128_si256(lines, 1))) |
         sliding_rank(r, occupied);
}

// The bishop's set and the rook's, by the steps of one queen.
static inline void sliding_both(unsigned s, uint64_t occupied, uint64_t* bishop, uint64_t* rook) {
  const sliding_record* r = &sliding_records[s];
  const __m256i lines = sliding_lines(r, occupied);
  *bishop = sliding_union(_mm256_castsi256_si128(lines));
  *rook = sliding_lowest(_mm256_extracti128_si256(lines, 1)) | sliding_rank(r, occupied);
}

#ifdef SLIDING_IMPLEMENTATION

sliding_record sliding_records[64];

// Element 8 * (occupancy of files b to g) + file: the attacks along the first rank.
static uint8_t sliding_rank_sets[8 * 64];

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
  for (unsigned i = 0; i < 8 * 64; ++i) sliding_rank_sets[i] = (uint8_t)sliding_walk(i & 7, (i >> 3) << 1, 1);
  for (unsigned s = 0; s < 64; ++s) {
    sliding_record* r = &sliding_records[s];
    r->diagonal = sliding_walk(s, 0, 2);
    r->antidiagonal = sliding_walk(s, 0, 3);
    r->file = sliding_walk(s, 0, 0);
    r->none = 0;
    r->slider = (uint64_t)1 << s;
    r->flipped_slider = (uint64_t)1 << (63 - s);
    r->rank_sets = sliding_rank_sets + (s & 7);
    r->rank_start = s & 56;
  }
}

#endif  // SLIDING_IMPLEMENTATION
