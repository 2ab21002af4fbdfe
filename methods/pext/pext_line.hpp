// SPDX-License-Identifier: MIT
//
// PEXT, first rank, PDEP: gather a line into a rank, look the rank up in 512 bytes, and lay it back on the line.
//
// To a sliding piece all lines are alike: it stands at place p of L squares in a row. PEXT takes any line down to the
// first rank, the classic first-rank table answers there, PDEP carries the answer back:
//
//      line of L squares       . . / . . . . .          inner = the line without its two ends
//      through the slider      . . . / . . . .
//                              . . . . S . . .          byte  = first_rank[8 * pext(occupied, inner) + p]
//                              . . . . . / . .          attacks = pdep(byte, line)
//
// A line shorter than eight squares needs no table of its own: its missing squares are empty squares of the rank, and
// the attack bits beyond its end are not deposited. Ranks need neither instruction, only shifts.
//
// No table of attack sets is left, just the 512 bytes that stay in any first-level cache, and one cache line of masks a
// square: few other methods with look-ups leave so little trace in a cache.
//
// Inventor: Wylie Garvin (CCC, "smaller tables for PEXT-style attack getters", 13 January 2016), as an idea that he
// left to others. AMD processors before Zen 3 run PEXT and PDEP as microcode. Tables: first rank 512, and 64 records x
// 64 bytes = 4,096; together 4,608 bytes. Loads: bishop 1 record + 2 bytes, rook 2 masks + 2 bytes. Relies on:
// BMI2 or SVE2.
#pragma once

#include "methods/calculation/first_rank.hpp"
#include "methods/method.hpp"
#include "methods/pext/bit_permute.hpp"

namespace slidebench {

struct PextLine {
  static constexpr MethodInfo info{.id = "pext_line",
                                   .title = "PEXT, first rank, PDEP",
                                   .family = "pext",
                                   .inventor = "W. Garvin",
                                   .year = 2016,
                                   .reference = "http://www.talkchess.com/forum3/viewtopic.php?f=7&t=58910",
                                   .requires_isa = bit_permute_isa};

  static Bitboard bishop(Square s, Bitboard occupied) {
    const Diagonals& d = records.member(s, &Record::diagonals);
    return line_attacks(d.diagonal, d.diagonal_column, occupied) |
           line_attacks(d.antidiagonal, d.antidiagonal_column, occupied);
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    const Line& file = records.member(s, &Record::file);
    return line_attacks(file, first_rank_by_inner.data + rank_of(s), occupied) | rank_attacks(s, occupied);
  }

 private:
  struct Line {
    Bitboard inner;
    Bitboard full;  ///< with the slider
  };

  /// A column of the first-rank table, every eighth byte, holds the attacks of a slider at one place.
  struct Diagonals {
    Line diagonal;
    Line antidiagonal;
    const std::uint8_t* diagonal_column;
    const std::uint8_t* antidiagonal_column;
  };

  struct Record {
    Diagonals diagonals;
    Line file;
  };

  static constexpr auto line_through = [](Square s, Direction up, Direction down) {
    // The slider's own square belongs to the inner ones unless it is an end of the line.
    const Bitboard full = ray(up, s) | ray(down, s) | bit(s);
    const Bitboard ends = bit(lowest_square(full)) | bit(highest_square(full));
    return Line{full & ~ends, full};
  };

  /// The column of the slider's place, which is how many squares of the line come before it.
  static constexpr auto column_of = [](Square s, Direction down) {
    return first_rank_by_inner.data + std::popcount(ray(down, s));
  };

  static constexpr Table<Record, 64> records = [] {
    Table<Record, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {{line_through(s, Direction::northeast, Direction::southwest),
                        line_through(s, Direction::northwest, Direction::southeast), column_of(s, Direction::southwest),
                        column_of(s, Direction::southeast)},
                       line_through(s, Direction::north, Direction::south)};
    }
    return table;
  }();

  static Bitboard line_attacks(const Line& line, const std::uint8_t* column, Bitboard occupied) {
    return deposit_bits(first_rank_by_inner.from(column)[8 * extract_bits(occupied, line.inner)], line.full);
  }

 public:
  static constexpr std::array tables{table_info("records", records), table_info("first_rank", first_rank_by_inner)};
};

}  // namespace slidebench
