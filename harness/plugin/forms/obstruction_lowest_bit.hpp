// SPDX-License-Identifier: MIT
//
// Obstruction difference by the lowest bit, without a queen of its own: the first form of the method. With U the lowest
// occupied square of the upper ray and L the highest of the lower one, 2U - L has ones from L up to U and nowhere else.
#pragma once

#include "methods/method.hpp"

namespace slidebench {

struct ObstructionLowestBit {
  static constexpr MethodInfo info{.id = "obstruction_lowest_bit",
                                   .title = "Obstruction difference by the lowest bit",
                                   .family = "calculation",
                                   .inventor = "M. Hoffmann",
                                   .year = 2009,
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
    const Bitboard lower = highest_bit(line.lower & stopped);
    const Bitboard upper = lowest_bit(line.upper & stopped);
    return (2 * upper - lower) & line.whole;
  }

  /// The lowest bit of a set; 0 of the empty set.
  static constexpr Bitboard lowest_bit(Bitboard set) { return set & (0 - set); }

  /// The highest bit of a set that is not empty (std::countl_zero would test for that where the scan does not).
  static constexpr Bitboard highest_bit(Bitboard set) { return bit(63) >> __builtin_clzll(set); }

 public:
  static constexpr std::array tables{table_info("masks", masks)};
};

}  // namespace slidebench
