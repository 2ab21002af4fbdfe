// SPDX-License-Identifier: MIT
//
// Compressed PEXT bitboards: store an attack set in 16 bits, and let the processor spread it over the board.
//
// A rook on the empty board reaches 14 squares, a bishop at most 13: a set of attacks needs no more than a bit for each
// of them. PEXT makes these codes when the table is built, PDEP (parallel bit deposit), its inverse, unfolds them in
// the query:
//
//      inner   = the relevant squares of both lines          full = all squares of both lines without the slider
//      code    = codes[offset + pext(occupied, inner)]       the index of pext.h, into a quarter of its table
//      attacks = pdep(code, full)                            bit 0 goes to the first square of full
//
// Inventor: not known to us; Ronald de Man's engine Cfish has it as BMI2_FANCY. Source: github.com/syzygy1/Cfish, 2016.
// Tables: 219,392 bytes. Needs: BMI2. AMD processors before Zen 3 run PEXT and PDEP as microcode: take another header
// there.
//
// C11 and C++17, for GCC and Clang, x86-64. In one source file, define SLIDING_IMPLEMENTATION before the include; call
// sliding_init() once, before the first query. Squares: a1 = 0, h1 = 7, h8 = 63. The answer depends neither on the
// slider's own bit of the occupancy nor on squares off its lines; the first blocker of either colour is in it.
#pragma once

#ifndef __BMI2__
#error "pext_pdep.h needs BMI2: compile with -mbmi2 or -march=x86-64-v3"
#endif

#include <assert.h>
#include <immintrin.h>
#include <stdint.h>

typedef struct {
  uint64_t inner;
  uint64_t full;
  uint16_t* codes;  // the square's own array, a part of the common table
} sliding_record;

typedef struct {
  sliding_record bishop, rook;
} __attribute__((aligned(64))) sliding_square;

#ifdef __cplusplus
extern "C" {
#endif
extern sliding_square sliding_squares[64];
void sliding_init(void);
#ifdef __cplusplus
}
#endif

static inline uint64_t sliding_look_up(const sliding_record* r, uint64_t occupied) {
  assert(r->codes && "call sliding_init() first");
  return _pdep_u64(r->codes[_pext_u64(occupied, r->inner)], r->full);
}

static inline uint64_t sliding_bishop(unsigned s, uint64_t occupied) {
  return sliding_look_up(&sliding_squares[s].bishop, occupied);
}

static inline uint64_t sliding_rook(unsigned s, uint64_t occupied) {
  return sliding_look_up(&sliding_squares[s].rook, occupied);
}

static inline uint64_t sliding_queen(unsigned s, uint64_t occupied) {
  return sliding_bishop(s, occupied) | sliding_rook(s, occupied);
}

#ifdef SLIDING_IMPLEMENTATION

static uint16_t sliding_codes[102400 + 5248];
sliding_square sliding_squares[64];

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

// What a piece attacks: a rook along lines 0 and 1, a bishop along 2 and 3; `line` is the first of them.
static uint64_t sliding_slow(unsigned s, uint64_t occupied, unsigned line) {
  return sliding_walk(s, occupied, line) | sliding_walk(s, occupied, line + 1);
}

// The squares whose occupancy matters: what a piece attacks on the empty board, but for the ends of its lines.
static uint64_t sliding_relevant(unsigned s, unsigned line) {
  const uint64_t ranks = 0xFF000000000000FF & ~((uint64_t)0xFF << (s & 56));
  const uint64_t files = 0x8181818181818181 & ~((uint64_t)0x0101010101010101 << (s & 7));
  return sliding_slow(s, 0, line) & ~(ranks | files);
}

// Fills the array of a record that begins at `codes`; returns where it ends.
static uint16_t* sliding_fill(sliding_record* r, unsigned s, unsigned line, uint16_t* codes) {
  r->inner = sliding_relevant(s, line);
  r->full = sliding_slow(s, 0, line);
  r->codes = codes;
  const uint64_t size = (uint64_t)1 << __builtin_popcountll(r->inner);
  for (uint64_t i = 0; i < size; ++i) {
    codes[i] = (uint16_t)_pext_u64(sliding_slow(s, _pdep_u64(i, r->inner), line), r->full);
  }
  return codes + size;
}

void sliding_init(void) {
  uint16_t* codes = sliding_codes;
  for (unsigned s = 0; s < 64; ++s) codes = sliding_fill(&sliding_squares[s].rook, s, 0, codes);
  for (unsigned s = 0; s < 64; ++s) codes = sliding_fill(&sliding_squares[s].bishop, s, 2, codes);
}

#endif  // SLIDING_IMPLEMENTATION
