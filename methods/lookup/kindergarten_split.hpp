// SPDX-License-Identifier: MIT
//
// Kindergarten super SISSY bitboards (KGSSB, KiSS): a table of finished attack sets for each of the four lines.
//
// The six-bit index of kindergarten.hpp leads to one of 64 attack sets of the square along the line. The four lines
// have a table each, with 64 rows of 64 sets; so the row is the square, no address is loaded, and the masks hold the
// inner squares only:
//
//      diagonal       rows[s][((occupied & inner diagonal) * b-file factor) >> 58]          likewise the antidiagonal
//      rank           rows[s][(occupied >> (first square of the rank + 1)) & 63]
//      file           rows[s][(((occupied >> file) & a2 to a7) * file factor) >> 58]
//
// The file's index has the ranks in reverse order (rank 7 lowest), which its table knows. The two lines of a piece
// share no square, so that they may be added; `kindergarten_full` is the same idea with one row of 256 sets per square.
//
// Inventor: Michael Sherwin (CCC, January 2023), on the index of G. Isenberg and others (2006).
// Source: CCC, thread 81234.
// Tables: 4 x 64 x 64 sets x 8 bytes = 131,072, and 64 records x 16 = 1,024; 132,096 bytes.
// Loads: bishop 2 masks + 2 sets, rook 2 sets. Relies on: a fast 64-bit multiplication.
#pragma once

#include "methods/method.hpp"
#include "methods/reference.hpp"

namespace slidebench {

struct KindergartenSplit {
  static constexpr MethodInfo info{.id = "kindergarten_split",
                                   .title = "Kindergarten super SISSY bitboards (KGSSB)",
                                   .family = "lookup",
                                   .inventor = "M. Sherwin, G. Isenberg",
                                   .year = 2023,
                                   .reference = "http://www.talkchess.com/forum3/viewtopic.php?t=81234",
                                   .requires_isa = Isa::none};

  static Bitboard bishop(Square s, Bitboard occupied) {
    const Lines& l = inner[s];
    return diagonals.row(std::size_t{64} * s)[diagonal_index(occupied & l.diagonal)] |
           antidiagonals.row(std::size_t{64} * s)[diagonal_index(occupied & l.antidiagonal)];
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    return ranks.row(std::size_t{64} * s)[rank_index(s, occupied)] |
           files.row(std::size_t{64} * s)[file_index(s, occupied)];
  }

  /// Fills the rows, by walking from every square for each occupancy of the inner squares of each line.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      const auto fill = [](Bitboard mask, auto write) {
        Bitboard subset = 0;
        do {
          write(subset);
          subset = next_subset(subset, mask);
        } while (subset != 0);
      };
      const std::size_t row = std::size_t{64} * s;
      fill(inner[s].diagonal, [&](Bitboard o) {
        diagonals.data[row + diagonal_index(o)] =
            reference::walk<Direction::northeast>(s, o) | reference::walk<Direction::southwest>(s, o);
      });
      fill(inner[s].antidiagonal, [&](Bitboard o) {
        antidiagonals.data[row + diagonal_index(o)] =
            reference::walk<Direction::northwest>(s, o) | reference::walk<Direction::southeast>(s, o);
      });
      // The slider's own square is part of the index here, so it takes both values.
      fill(inner_first_rank << (s & 56), [&](Bitboard o) {
        ranks.data[row + rank_index(s, o)] =
            reference::walk<Direction::east>(s, o) | reference::walk<Direction::west>(s, o);
      });
      fill(inner_a_file << file_of(s), [&](Bitboard o) {
        files.data[row + file_index(s, o)] =
            reference::walk<Direction::north>(s, o) | reference::walk<Direction::south>(s, o);
      });
    }
  }

 private:
  static constexpr Bitboard inner_first_rank = 0x7E;
  static constexpr Bitboard inner_a_file = 0x0001010101010100;
  /// Sums the ranks 2 to 7 in the top byte: one square a file, its bit one place higher than the file.
  static constexpr Bitboard b_file_factor = 0x0002020202020200;
  /// Brings ranks 7 to 2 of the a-file to the top six bits.
  static constexpr Bitboard file_factor = 0x0080402010080400;

  struct Lines {
    Bitboard diagonal;
    Bitboard antidiagonal;
  };

  static constexpr Table<Lines, 64> inner = [] {
    Table<Lines, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {relevant_ray(Direction::northeast, s) | relevant_ray(Direction::southwest, s),
                       relevant_ray(Direction::northwest, s) | relevant_ray(Direction::southeast, s)};
    }
    return table;
  }();

  static inline Table<Bitboard, 64 * 64> diagonals;
  static inline Table<Bitboard, 64 * 64> antidiagonals;
  static inline Table<Bitboard, 64 * 64> ranks;
  static inline Table<Bitboard, 64 * 64> files;

  static constexpr std::uint64_t diagonal_index(Bitboard on_line) { return (on_line * b_file_factor) >> 58; }
  static constexpr std::uint64_t rank_index(Square s, Bitboard occupied) { return (occupied >> ((s & 56) | 1)) & 63; }
  static constexpr std::uint64_t file_index(Square s, Bitboard occupied) {
    return (((occupied >> file_of(s)) & inner_a_file) * file_factor) >> 58;
  }

 public:
  static constexpr std::array tables{table_info("diagonals", diagonals), table_info("antidiagonals", antidiagonals),
                                     table_info("ranks", ranks), table_info("files", files),
                                     table_info("inner", inner)};
};

}  // namespace slidebench
