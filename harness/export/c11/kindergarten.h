// SPDX-License-Identifier: MIT
#include "harness/export/c11/first_rank.h"

typedef struct {
  uint64_t diagonal;
  uint64_t antidiagonal;
  const uint64_t* fill_up; /* the row of the slider's file */
  uint64_t unused;         /* four words, so that no record straddles cache lines */
} sliding_lines;

extern sliding_lines sliding_diagonals[64];
/* Of rank and occupancy of ranks 2 to 7: the attacks along the a-file. */
extern uint64_t sliding_first_file[8][64];

static inline uint64_t sliding_diagonal(const uint64_t* row, uint64_t occupied, uint64_t line) {
  const uint64_t b_file = 0x0202020202020202;
  return row[((occupied & line) * b_file) >> 58] & line;
}

static inline uint64_t sliding_file(unsigned s, uint64_t occupied) {
  const uint64_t a_file = 0x0101010101010101;
  const uint64_t a_file_to_eighth_rank = 0x0004081020408100;
  const unsigned file = s & 7;
  const uint64_t inner = (((occupied >> file) & a_file) * a_file_to_eighth_rank) >> 58;
  return sliding_first_file[s >> 3][inner] << file;
}

static inline uint64_t sliding_bishop(unsigned s, uint64_t occupied) {
  const sliding_lines* lines = &sliding_diagonals[s];
  return sliding_diagonal(lines->fill_up, occupied, lines->diagonal) |
         sliding_diagonal(lines->fill_up, occupied, lines->antidiagonal);
}

static inline uint64_t sliding_rook(unsigned s, uint64_t occupied) {
  return sliding_rank(s, occupied) | sliding_file(s, occupied);
}

#ifdef SLIDING_IMPLEMENTATION

_Alignas(64) sliding_lines sliding_diagonals[64];
_Alignas(64) uint64_t sliding_first_file[8][64];
/* Of file and occupancy of files b to g: the first-rank attacks, copied to all ranks. */
_Alignas(64) static uint64_t sliding_fill_up[8][64];

void sliding_init(void) {
  sliding_init_first_rank();
  for (unsigned i = 0; i < 8; ++i) {
    for (unsigned inner = 0; inner < 64; ++inner) {
      const uint64_t attacks = sliding_first_rank[8 * inner + i];
      sliding_fill_up[i][inner] = attacks * 0x0101010101010101;
      sliding_first_file[i][inner] = 0;
      for (unsigned rank = 0; rank < 8; ++rank) sliding_first_file[i][inner] |= (attacks >> rank & 1) << (8 * rank);
    }
  }
  for (unsigned s = 0; s < 64; ++s) {
    sliding_diagonals[s].diagonal = sliding_walk_line(s, 1, 1, 0);
    sliding_diagonals[s].antidiagonal = sliding_walk_line(s, -1, 1, 0);
    sliding_diagonals[s].fill_up = sliding_fill_up[s & 7];
  }
}

#endif
