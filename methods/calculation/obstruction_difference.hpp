// SPDX-License-Identifier: MIT
//
// Obstruction difference: find the two blockers that enclose the slider on a line, and subtract one from the other.
//
// Number the squares of a line from its lower end. Let U be the squares of the upper ray that are occupied, and L the
// highest occupied one of the lower ray, as a bit. U - L borrows from the lowest square of U, and so differs from U in
// that square, in L and in all between:
//
//      line (high bit left)    . U . r . . L .
//      U                       0 1 0 0 0 0 0 0
//      U - L                   0 0 1 1 1 1 1 0
//      U ^ (U - L)             0 1 1 1 1 1 1 0         & line:   the squares between and the blockers
//
// Without a blocker above, the subtraction borrows from beyond the board: ones from L to the end. So that there is
// always one below, a1 counts as occupied and is part of every lower ray. This works for any line, ranks too.
//
// The first form of the idea, 2U' - L with U' the lowest bit of U, takes two instructions more a line and is one step
// shorter: on a Zen 4 it takes 4 to 7 % more time in throughput and set-wise, and up to 2 % more in latency; only
// beside a network it is not slower (reports/archive). A `queen` of its own sets a1 once, and reads one record
// where two calls compute two addresses.
//
// Inventor: Michael Hoffmann (CCC, 23 July 2009); by XOR: Daniel Infuehr (2022). Source: Chessprogramming wiki,
// Obstruction Difference. The form with half of the masks is obstruction_difference_xor.
// Tables: 4 lines x 64 squares x 3 masks x 8 bytes = 6,144 bytes. (A third of it, with the line's mask cut in two at
// the slider by the query, costs a fourth more instructions.) Loads: bishop 6, rook 6. Relies on: a scan from the top
// (LZCNT).
#pragma once

#include "methods/method.hpp"

namespace slidebench {

struct ObstructionDifference {
  static constexpr MethodInfo info{.id = "obstruction_difference",
                                   .title = "Obstruction difference",
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

  static constexpr Bitboard queen(Square s, Bitboard occupied) {
    const Bitboard stopped = occupied | last_stop;
    const Lines& lines = masks[s];
    return line_attacks(lines.diagonal, stopped) | line_attacks(lines.antidiagonal, stopped) |
           line_attacks(lines.file, stopped) | line_attacks(lines.rank, stopped);
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
    const Bitboard upper = line.upper & stopped;
    return (upper ^ (upper - lower)) & line.whole;
  }

  /// The highest bit of a set that is not empty (std::countl_zero would test for that where the scan does not).
  static constexpr Bitboard highest_bit(Bitboard set) { return bit(63) >> __builtin_clzll(set); }

 public:
  static constexpr std::array tables{table_info("masks", masks)};
};

}  // namespace slidebench
