// SPDX-License-Identifier: MIT
//
// Compares an exported header with an oracle of its own: every square with every subset of the squares that matter, and
// random boards. Written in what C11 and C++17 have in common; test_export.py says by macros what the header offers.
#include ATTACKS_HEADER

#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
#define ATTACKS(name) sliding::name
#else
#define ATTACKS(name) sliding_##name
#endif

#ifdef HAS_BOARD
#define ASKED(occupied) ATTACKS(Board)(occupied)
#else
#define ASKED(occupied) occupied
#endif

/* The number of a square by the mapping that was asked for. */
static unsigned square_at(int file, int rank) {
#ifdef A8_IS_0
  return (unsigned)(8 * (7 - rank) + file);
#else
  return (unsigned)(8 * rank + file);
#endif
}

static const int bishop_steps[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
static const int rook_steps[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};

static uint64_t walk(const int steps[4][2], int file, int rank, uint64_t occupied) {
  uint64_t attacks = 0;
  for (int d = 0; d < 4; ++d) {
    int f = file + steps[d][0];
    int r = rank + steps[d][1];
    for (; f >= 0 && f < 8 && r >= 0 && r < 8; f += steps[d][0], r += steps[d][1]) {
      const uint64_t square = (uint64_t)1 << square_at(f, r);
      attacks |= square;
      if ((occupied & square) != 0) break;
    }
  }
  return attacks;
}

/* The squares on which a blocker changes the attacks. */
static uint64_t relevant(const int steps[4][2], int file, int rank) {
  uint64_t mask = 0;
  for (unsigned t = 0; t < 64; ++t) {
    const uint64_t blocker = (uint64_t)1 << t;
    if (walk(steps, file, rank, blocker) != walk(steps, file, rank, 0)) mask |= blocker;
  }
  return mask;
}

/* xorshift64* (S. Vigna, 2016). */
static uint64_t random_word(void) {
  static uint64_t state = 0x9E3779B97F4A7C15;
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545F4914F6CDD1D;
}

static int wrong(const char* what, unsigned s, uint64_t occupied, uint64_t expected, uint64_t got) {
  if (expected == got) return 0;
  printf("%s on square %u, occupied 0x%016llx: expected 0x%016llx, got 0x%016llx\n", what, s,
         (unsigned long long)occupied, (unsigned long long)expected, (unsigned long long)got);
  return 1;
}

static int check_queries(int file, int rank, uint64_t occupied) {
  const unsigned s = square_at(file, rank);
  const uint64_t bishop = walk(bishop_steps, file, rank, occupied);
  const uint64_t rook = walk(rook_steps, file, rank, occupied);
  return wrong("bishop", s, occupied, bishop, ATTACKS(bishop)(s, ASKED(occupied))) ||
         wrong("rook", s, occupied, rook, ATTACKS(rook)(s, ASKED(occupied))) ||
         wrong("queen", s, occupied, bishop | rook, ATTACKS(queen)(s, ASKED(occupied))) ||
         wrong("both, bishop", s, occupied, bishop, ATTACKS(both)(s, ASKED(occupied)).bishop) ||
         wrong("both, rook", s, occupied, rook, ATTACKS(both)(s, ASKED(occupied)).rook);
}

static int check_square(int file, int rank) {
  const unsigned s = square_at(file, rank);
  const uint64_t self = (uint64_t)1 << s;
  for (int piece = 0; piece < 2; ++piece) {
    const uint64_t mask = relevant(piece == 0 ? bishop_steps : rook_steps, file, rank);
    uint64_t subset = 0;
    do {
      const uint64_t occupied = subset | (random_word() & ~mask & ~self);
      if (check_queries(file, rank, occupied) || check_queries(file, rank, occupied | self)) return 1;
      subset = (subset - mask) & mask;
    } while (subset != 0);
  }
  return 0;
}

static int check_sets(void) {
#ifdef HAS_SETS
  for (int i = 0; i < 10000; ++i) {
    const uint64_t occupied = random_word() & random_word();
    const uint64_t diagonal = occupied & random_word();
    const uint64_t orthogonal = occupied & random_word();
    uint64_t expected = 0;
    for (int file = 0; file < 8; ++file) {
      for (int rank = 0; rank < 8; ++rank) {
        const unsigned s = square_at(file, rank);
        if ((diagonal >> s & 1) != 0) expected |= walk(bishop_steps, file, rank, occupied);
        if ((orthogonal >> s & 1) != 0) expected |= walk(rook_steps, file, rank, occupied);
      }
    }
    if (wrong("set_attacks", 0, occupied, expected, ATTACKS(set_attacks)(diagonal, orthogonal, ASKED(occupied))))
      return 1;
  }
#endif
  return 0;
}

/* Every length of a batch, of all kinds. */
static int check_batches(void) {
#ifdef HAS_BATCH
  for (unsigned i = 0; i < 10000; ++i) {
    const uint64_t occupied = random_word() & random_word();
    sliding::SliderBatch sliders;
    const unsigned size = i % (sliders.capacity + 1);
    for (uint8_t& square : sliders.squares) square = (uint8_t)(random_word() % 64);
    sliders.bishops = (uint8_t)(random_word() % (size + 1));
    sliders.queens = (uint8_t)(random_word() % (size + 1 - sliders.bishops));
    sliders.rooks = (uint8_t)(size - sliders.bishops - sliders.queens);
    uint64_t attacks[sliding::SliderBatch::room];
    sliding::batch(sliders, ASKED(occupied), attacks);
    for (unsigned n = 0; n < size; ++n) {
      const unsigned s = sliders.squares[n];
#ifdef A8_IS_0
      const int rank = (int)(7 - s / 8);
#else
      const int rank = (int)(s / 8);
#endif
      const int file = (int)(s % 8);
      uint64_t expected = 0;
      if (n < sliders.diagonal_end()) expected |= walk(bishop_steps, file, rank, occupied);
      if (n >= sliders.orthogonal_begin()) expected |= walk(rook_steps, file, rank, occupied);
      if (wrong("batch", s, occupied, expected, attacks[n])) return 1;
    }
  }
#endif
  return 0;
}

static int check_board(void) {
#ifdef HAS_BOARD
  uint64_t occupied = random_word();
  sliding::Board board(occupied);
  for (int i = 0; i < 10000; ++i) {
    const uint64_t changed = random_word() & random_word() & random_word() & random_word();
    board.toggle(changed);
    occupied ^= changed;
    const int file = i % 8;
    const int rank = i / 8 % 8;
    const unsigned s = square_at(file, rank);
    if (wrong("toggled bishop", s, occupied, walk(bishop_steps, file, rank, occupied), sliding::bishop(s, board)) ||
        wrong("toggled rook", s, occupied, walk(rook_steps, file, rank, occupied), sliding::rook(s, board))) {
      return 1;
    }
  }
#endif
  return 0;
}

#ifdef OTHER_FILE
/* Defined by a second source file that includes the header too, and initialises nothing. */
#ifdef __cplusplus
extern "C"
#endif
    uint64_t
    rook_of_other_file(unsigned s, uint64_t occupied);
#endif

int main(void) {
#ifdef HAS_INIT
  ATTACKS(init)();
#endif
  for (int file = 0; file < 8; ++file) {
    for (int rank = 0; rank < 8; ++rank) {
      if (check_square(file, rank)) return 1;
#ifdef OTHER_FILE
      const unsigned s = square_at(file, rank);
      if (wrong("rook of another file", s, 0, walk(rook_steps, file, rank, 0), rook_of_other_file(s, 0))) return 1;
#endif
    }
  }
  if (check_sets() || check_batches() || check_board()) return 1;
  puts("right");
  return 0;
}
