// SPDX-License-Identifier: MIT
//
// Compares one header with a walk over the board, on every square and every subset of the lines, as C11 or C++17.
#define SLIDING_IMPLEMENTATION
#include SLIDING_HEADER

#include <stdio.h>

static const int steps[8][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}};

// Along four directions from the `first` on: rooks 0, bishops 4.
static uint64_t naive(unsigned s, uint64_t occupied, int first) {
  uint64_t attacks = 0;
  for (int d = first; d < first + 4; ++d) {
    int file = (int)s % 8 + steps[d][0], rank = (int)s / 8 + steps[d][1];
    for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += steps[d][0], rank += steps[d][1]) {
      attacks |= (uint64_t)1 << (8 * rank + file);
      if (occupied >> (8 * rank + file) & 1) break;
    }
  }
  return attacks;
}

static int is_right(unsigned s, uint64_t occupied) {
  const uint64_t rook = naive(s, occupied, 0), bishop = naive(s, occupied, 4);
  return sliding_rook(s, occupied) == rook && sliding_bishop(s, occupied) == bishop &&
         sliding_queen(s, occupied) == (rook | bishop);
}

int main(void) {
#ifndef FORGET_INIT
  sliding_init();
#endif
  unsigned long compared = 0;
  for (unsigned s = 0; s < 64; ++s) {
    for (int first = 0; first < 8; first += 4) {
      const uint64_t lines = naive(s, 0, first);
      uint64_t subset = 0;
      do {  // with the squares off the lines, and the slider's own, empty and occupied
        if (!is_right(s, subset) || !is_right(s, subset | ~lines)) {
          printf("wrong on square %u, occupancy %llx\n", s, (unsigned long long)subset);
          return 1;
        }
        compared += 2;
        subset = (subset - lines) & lines;
      } while (subset != 0);
    }
  }
  printf("right on %lu occupancies\n", compared);
  return 0;
}
