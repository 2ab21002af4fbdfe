// SPDX-License-Identifier: MIT
//
// SBAMG, o ^ (o - 3c): one subtraction reaches from the blocker below the slider to the blocker above it.
//
// Let c be the nearest occupied square below the slider on a line, as a bit. Taking c away removes that blocker; taking
// 2c away as well has to borrow, and the next set bit is the first blocker above the slider:
//
//      o on the line (high bit left)   . U . r . c x .
//      o - c                           0 1 0 0 0 0 1 0
//      o - 3c                          0 0 1 1 1 0 1 0
//      o ^ (o - 3c), & line            0 1 1 . 1 1 0 0     U and c included
//
// There must be a c. So the outermost squares of the line count as occupied, which changes no attack; and so does a1,
// for lines that begin at the slider: with c = 1 the subtrahend is 3, and bit 0, set, keeps it from spoiling b1.
//
// Inventor: Syed Fahad (library M42, 2016), for ranks and files, beside hyperbola quintessence for the diagonals; so in
// D. Infuehr's version (Chess_Movegen, 2022). Here it does all four lines.
// Source: CCC, 30 April 2016; https://github.com/Gigantua/Chess_Movegen.
// Tables: 4 lines x 64 squares x 2 masks x 8 bytes = 4,096 bytes, one cache line a square. Loads: bishop 4, rook 4.
// Relies on: a scan from the top (LZCNT).
#pragma once

#include "methods/method.hpp"

namespace slidebench {

struct Sbamg {
  static constexpr MethodInfo info{.id = "sbamg",
                                   .title = "SBAMG, o ^ (o - 3c)",
                                   .family = "calculation",
                                   .inventor = "S. Fahad",
                                   .year = 2016,
                                   .reference = "https://github.com/Gigantua/Chess_Movegen",
                                   .requires_isa = Isa::none};

  static constexpr Bitboard bishop(Square s, Bitboard occupied) {
    return line_attacks(s, occupied, masks.member(s, &Lines::diagonal)) |
           line_attacks(s, occupied, masks.member(s, &Lines::antidiagonal));
  }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    return line_attacks(s, occupied, masks.member(s, &Lines::file)) |
           line_attacks(s, occupied, masks.member(s, &Lines::rank));
  }

 private:
  struct Line {
    Bitboard squares;  ///< without the slider's
    Bitboard ends;     ///< the last square of each ray, and a1
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
      const auto line = [s](Direction up, Direction down) {
        const Bitboard squares = ray(up, s) | ray(down, s);
        return Line{squares, (squares & ~(relevant_ray(up, s) | relevant_ray(down, s))) | bit(0)};
      };
      table.data[s] = {line(Direction::northeast, Direction::southwest),
                       line(Direction::northwest, Direction::southeast), line(Direction::north, Direction::south),
                       line(Direction::east, Direction::west)};
    }
    return table;
  }();

  static constexpr Bitboard line_attacks(Square s, Bitboard occupied, const Line& line) {
    const Bitboard below = (bit(s) - 1) | bit(0);
    const Bitboard o = (occupied & line.squares) | line.ends;
    // a1 is in both, so the set is not empty.
    const Bitboard c = bit(63) >> __builtin_clzll(o & below);
    return (o ^ (o - 3 * c)) & line.squares;
  }

 public:
  static constexpr std::array tables{table_info("masks", masks)};
};

}  // namespace slidebench
