// SPDX-License-Identifier: MIT
//
// Leorik's rays: two masks of ones, each ending at a blocker, and their difference is the attacks along a line.
//
// Cut a line at the slider. The ones up to and including the lowest occupied square of the upper part are U ^ (U - 1);
// the ones strictly below the highest occupied square L of the lower part are 2^63 - 1, shifted by the zeros above L:
//
//      line (high bit left)    . U . r . L . .
//      upper ^ (upper - 1)     0 1 1 1 1 1 1 1         (all ones without a blocker: 0 - 1 borrows)
//      ones below L            0 0 0 0 0 0 1 1         (none without one: a1 counts as occupied)
//      their XOR & line        0 1 1 . 1 1 0 0
//
// It works for all four lines, because it asks for no order but that of the squares. Ranks and files are shifted into
// place, so that only the diagonals' masks are loaded.
//
// Inventor: Thomas Jahn (engine Leorik, January 2022); slide_arithmetic is the same idea found independently.
// Source: Chessprogramming wiki, Leorik.
// Tables: 64 x 2 masks x 8 bytes = 1,024 bytes. Loads: bishop 2, rook none. Relies on: a scan from the top (LZCNT) and
// BLSMSK, both of x86-64-v3; below it they take two or three instructions.
#pragma once

#include "methods/method.hpp"

namespace slidebench {

struct BlsmskLzcnt {
  static constexpr MethodInfo info{.id = "blsmsk_lzcnt",
                                   .title = "Leorik's rays (BLSMSK and LZCNT)",
                                   .family = "calculation",
                                   .inventor = "T. Jahn",
                                   .year = 2022,
                                   .reference = "https://www.chessprogramming.org/Leorik",
                                   .requires_isa = Isa::none};

  static constexpr Bitboard bishop(Square s, Bitboard occupied) {
    return line_attacks(s, occupied, masks.member(s, &Lines::diagonal)) |
           line_attacks(s, occupied, masks.member(s, &Lines::antidiagonal));
  }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    const Bitboard slider = bit(s);
    return line_attacks(s, occupied, (first_rank << (s & 56)) ^ slider) |
           line_attacks(s, occupied, (a_file << file_of(s)) ^ slider);
  }

 private:
  struct Lines {
    Bitboard diagonal;
    Bitboard antidiagonal;
  };

  static constexpr Table<Lines, 64> masks = [] {
    Table<Lines, 64> table;
    for (Square s = 0; s < 64; ++s) table.data[s] = {diagonal_mask(s), antidiagonal_mask(s)};
    return table;
  }();

  /// Attacks along a line. Precondition: s is not in `line`.
  static constexpr Bitboard line_attacks(Square s, Bitboard occupied, Bitboard line) {
    const Bitboard o = occupied & line;
    const Bitboard below = bit(s) - 1;
    const Bitboard upper = o & ~below;
    const Bitboard up_to_upper = upper ^ (upper - 1);
    // Never asked for the zeros of an empty set, which the built-in scan leaves undefined.
    const Bitboard below_lower = (bit(63) - 1) >> __builtin_clzll((o & below) | 1);
    return (up_to_upper ^ below_lower) & line;
  }

 public:
  static constexpr std::array tables{table_info("masks", masks)};
};

}  // namespace slidebench
