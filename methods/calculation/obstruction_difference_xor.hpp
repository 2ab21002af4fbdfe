// SPDX-License-Identifier: MIT
//
// Obstruction difference by XOR: no search for the blocker above, and half of the masks.
//
// Let U be the squares of a line above the slider that are occupied, and M the highest occupied one below it, as a bit.
// U - M borrows from the lowest square of U; what changes is M, that square and all between:
//
//      line (high bit left)    . U . r . M .
//      U                       0 1 0 0 0 0 0
//      U - M                   0 0 1 1 1 1 0
//      U ^ (U - M)             0 1 1 1 1 1 0          without U the borrow comes from beyond the board
//
// The blocker above is never looked for, which obstruction_difference does by its lowest bit. Where there is no blocker
// below, a1 stands in for it. The slider is always between the blockers; the masks of the lines hold it, and the XOR of
// two lines takes it away again, so that the squares above and below are the same two masks for all lines: six words a
// square where obstruction_difference has twelve.
//
// Inventor: Daniel Infuehr (Chess_Movegen, 2022, "genetic obstruction difference"), after Michael Hoffmann (2009).
// Source: https://github.com/Gigantua/Chess_Movegen. (Its specialised bishop and rook have each other's names.)
// Tables: 4 lines x 64 squares x 8 + 2 x 64 x 8 bytes = 3,072 bytes. Loads: bishop 4, rook 4, of two lines.
// Relies on: a scan from the top (LZCNT).
#pragma once

#include "methods/method.hpp"

namespace slidebench {

struct ObstructionDifferenceXor {
  static constexpr MethodInfo info{.id = "obstruction_difference_xor",
                                   .title = "Obstruction difference by XOR",
                                   .family = "calculation",
                                   .inventor = "D. Infuehr, after M. Hoffmann",
                                   .year = 2022,
                                   .reference = "https://github.com/Gigantua/Chess_Movegen",
                                   .requires_isa = Isa::none};

  static constexpr Bitboard bishop(Square s, Bitboard occupied) {
    const Sides& sides = sides_of[s];
    return between(sides, occupied, lines_of.member(s, &Lines::diagonal)) ^
           between(sides, occupied, lines_of.member(s, &Lines::antidiagonal));
  }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    const Sides& sides = sides_of[s];
    return between(sides, occupied, lines_of.member(s, &Lines::file)) ^
           between(sides, occupied, lines_of.member(s, &Lines::rank));
  }

 private:
  struct Sides {
    Bitboard below;  ///< all squares below the slider
    Bitboard above;  ///< all squares above it
  };

  /// With the slider's square.
  struct alignas(32) Lines {
    Bitboard diagonal;
    Bitboard antidiagonal;
    Bitboard file;
    Bitboard rank;
  };

  static constexpr Table<Sides, 64> sides_of = [] {
    Table<Sides, 64> table;
    for (Square s = 0; s < 64; ++s) table.data[s] = {bit(s) - 1, ~(bit(s) | (bit(s) - 1))};
    return table;
  }();

  static constexpr Table<Lines, 64> lines_of = [] {
    Table<Lines, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {diagonal_mask(s) | bit(s), antidiagonal_mask(s) | bit(s), file_mask(s) | bit(s),
                       rank_mask(s) | bit(s)};
    }
    return table;
  }();

  /// The squares of a line from blocker to blocker, the slider among them.
  static constexpr Bitboard between(const Sides& sides, Bitboard occupied, Bitboard line) {
    const Bitboard o = occupied & line;
    const Bitboard upper = o & sides.above;
    // The set is not empty, as the built-in scan demands.
    const Bitboard lower = bit(63) >> __builtin_clzll((o & sides.below) | 1);
    return (upper ^ (upper - lower)) & line;
  }

 public:
  static constexpr std::array tables{table_info("lines", lines_of), table_info("sides", sides_of)};
};

}  // namespace slidebench
