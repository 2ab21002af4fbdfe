// SPDX-License-Identifier: MIT
//
// Obstruction difference with CLZ alone: the form for processors that find the highest bit, not the lowest.
//
// `obstruction_difference` takes the nearest blocker on either side as a bit, U above the slider and L below it, and
// 2U - L has ones from L up to U. Of the two only L must be known. u is the occupied part of the line above the slider:
// u - L borrows from its lowest bit, which is U, and changes all bits from L up to and including U:
//
//      line (high bit left)    X U . r . . L .
//      u                       1 1 0 0 0 0 0 0
//      u - L                   1 0 1 1 1 1 1 0
//      u ^ (u - L)             0 1 1 1 1 1 1 0         & line:   the squares between and the blockers
//
// That is one step longer behind the scan, and x86, where BLSI isolates U at once, is better off with the difference.
// AArch64 has CLZ, but takes two instructions for the lowest bit and one more to double it, for a subtraction shifts
// what is subtracted, not what it is subtracted from. So this form takes seven instructions per line, not nine, and the
// chain through L is no longer than the one through U was:
//
//      and, clz, lsr           L, from a1 if nothing else is below
//      and, sub, eor, and      the rest
//
// Inventors: M. Hoffmann (CCC, 23 July 2009); D. Infuehr (Chess_Movegen, 2022), whose this form without U is
// (obstruction_difference_xor, with two masks less a line). That the masks are cut at the slider beforehand is from the
// former.
// Source: Chessprogramming wiki, Obstruction Difference; https://github.com/Gigantua/Chess_Movegen.
// Tables: 4 lines x 64 squares x 3 masks x 8 bytes = 6,144 bytes. Loads: bishop 6, rook 6. Relies on: CLZ.
#pragma once

#include "methods/method.hpp"

namespace slidebench {

struct ObstructionDifferenceClz {
  static constexpr MethodInfo info{.id = "obstruction_difference_clz",
                                   .title = "Obstruction difference with CLZ",
                                   .family = "calculation",
                                   .inventor = "M. Hoffmann, D. Infuehr",
                                   .year = 2022,
                                   .reference = "https://www.chessprogramming.org/Obstruction_Difference",
                                   .requires_isa = Isa::none};

  static constexpr Bitboard bishop(Square s, Bitboard occupied) {
    const Bitboard stopped = occupied | last_stop;
    return line_attacks(masks.member(s, &Lines::diagonal), stopped) |
           line_attacks(masks.member(s, &Lines::antidiagonal), stopped);
  }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    const Bitboard stopped = occupied | last_stop;
    return line_attacks(masks.member(s, &Lines::file), stopped) | line_attacks(masks.member(s, &Lines::rank), stopped);
  }

 private:
  static constexpr Bitboard last_stop = bit(0);

  struct Line {
    Bitboard lower;  ///< the squares below the slider, and a1
    Bitboard upper;  ///< the squares above it
    Bitboard whole;  ///< both, without what is not on the line
  };

  struct Lines {
    Line diagonal;
    Line antidiagonal;
    Line file;
    Line rank;
  };

  static constexpr Table<Lines, 64> masks = [] {
    Table<Lines, 64> table;
    for (Square s = 0; s < 64; ++s) {
      const auto cut = [below = bit(s) - 1](Bitboard line) {
        return Line{(line & below) | last_stop, line & ~below, line};
      };
      table.data[s] = {cut(diagonal_mask(s)), cut(antidiagonal_mask(s)), cut(file_mask(s)), cut(rank_mask(s))};
    }
    return table;
  }();

  static constexpr Bitboard line_attacks(const Line& line, Bitboard stopped) {
    // Not empty: a1 is in both.
    const Bitboard lower = bit(63) >> __builtin_clzll(line.lower & stopped);
    const Bitboard upper = line.upper & stopped;
    return (upper ^ (upper - lower)) & line.whole;
  }

 public:
  static constexpr std::array tables{table_info("masks", masks)};
};

}  // namespace slidebench
