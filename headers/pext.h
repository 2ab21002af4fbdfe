// SPDX-License-Identifier: MIT
//
// PEXT bitboards: the processor gathers the relevant occupancy into an index, perfectly and without a factor.
//
// PEXT (parallel bit extract, BMI2) collects the bits of a word that a mask selects, and packs them at the low end:
//
//      occupied   . X . . X . . X          the squares under the mask, in order, become
//      mask       . 1 1 . 1 1 1 .     ->   the binary number X . X . .  = the index
//
// So every relevant occupancy of a square has its own slot: the table is that of fancy magic, and the index is one
// instruction.
//
// Inventor: Zach Wegner is credited; in use since Haswell (2013). Source: Chessprogramming wiki, BMI2. Tables: 863,232
// bytes. Needs: BMI2. AMD processors before Zen 3 run PEXT as microcode, 18 to 300 cycles: take another header there.
//
// C11 and C++17, for GCC and Clang, x86-64. In one source file, define SLIDING_IMPLEMENTATION before the include; call
// sliding_init() once, before the first query. Squares: a1 = 0, h1 = 7, h8 = 63. The answer depends neither on the
// slider's own bit of the occupancy nor on squares off its lines; the first blocker of either colour is in it.
#pragma once

#ifndef __BMI2__
#error "pext.h needs BMI2: compile with -mbmi2 or -march=x86-64-v3"
#endif

#include <assert.h>
#include <immintrin.h>
#include <stdint.h>

typedef struct {
  uint64_t mask;
  uint64_t* sets;  // the square's own array, a part of the common table
} sliding_record;

typedef struct {
  sliding_record bishop, rook;
} __attribute__((aligned(32))) sliding_square;

#ifdef __cplusplus
extern "C" {
#endif
extern sliding_square sliding_squares[64];
void sliding_init(void);
#ifdef __cplusplus
}
#endif

static inline uint64_t sliding_look_up(const sliding_record* r, uint64_t occupied) {
  assert(r->sets && "call sliding_init() first");
  return r->sets[_pext_u64(occupied, r->mask)];
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

static uint64_t sliding_sets[102400 + 5248];
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

// Fills the array of a record that begins at `sets`; returns where it ends.
static uint64_t* sliding_fill(sliding_record* r, unsigned s, unsigned line, uint64_t* sets) {
  r->mask = sliding_relevant(s, line);
  r->sets = sets;
  const uint64_t size = (uint64_t)1 << __builtin_popcountll(r->mask);
  for (uint64_t i = 0; i < size; ++i) sets[i] = sliding_slow(s, _pdep_u64(i, r->mask), line);
  return sets + size;
}

void sliding_init(void) {
  uint64_t* sets = sliding_sets;
  for (unsigned s = 0; s < 64; ++s) sets = sliding_fill(&sliding_squares[s].rook, s, 0, sets);
  for (unsigned s = 0; s < 64; ++s) sets = sliding_fill(&sliding_squares[s].bishop, s, 2, sets);
}

#endif  // SLIDING_IMPLEMENTATION
