// SPDX-License-Identifier: MIT
//
// What the congruent modulo methods share: three lines whose occupancy is reduced by a remainder, and the first-rank
// table for the fourth. The idea is taught in congruent_modulo.hpp.
#pragma once

#include "methods/calculation/first_rank.hpp"
#include "methods/method.hpp"

namespace slidebench {

/// The moduli of a method, and which squares of a line it reduces.
struct LineModuli {
  std::uint64_t diagonal;
  std::uint64_t antidiagonal;
  std::uint64_t file;
  Bitboard squares;  ///< of every line: all of them, or all but the outer ones
  bool file_to_a;    ///< whether a file is moved to the a-file first
};

/// The queries and tables of a method with these moduli.
template <const LineModuli& moduli>
struct LineResidues {
  static Bitboard bishop(Square s, Bitboard occupied) {
    const Lines& l = lines[s];
    return diagonals.from(l.diagonal_row)[(occupied & l.diagonal) % moduli.diagonal] |
           antidiagonals.from(l.antidiagonal_row)[(occupied & l.antidiagonal) % moduli.antidiagonal];
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    const Lines& l = lines[s];
    return files.from(l.file_row)[file_residue(s, occupied & l.file)] | rank_attacks(s, occupied);
  }

  /// Fills the rows: for every square and line, every occupancy of the line.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      const Lines& l = lines.data[s];
      fill<Direction::northeast, Direction::southwest>(s, l.diagonal, l.diagonal_row,
                                                       [](Bitboard o) { return o % moduli.diagonal; });
      fill<Direction::northwest, Direction::southeast>(s, l.antidiagonal, l.antidiagonal_row,
                                                       [](Bitboard o) { return o % moduli.antidiagonal; });
      fill<Direction::north, Direction::south>(s, l.file, l.file_row, [s](Bitboard o) { return file_residue(s, o); });
    }
  }

 private:
  /// Elements m * square + residue: one row per square, so that a slider's sets lie together. (The paper has one row a
  /// residue, which spreads them over the whole table.)
  static inline Table<Bitboard, 64 * moduli.diagonal> diagonals;
  static inline Table<Bitboard, 64 * moduli.antidiagonal> antidiagonals;
  static inline Table<Bitboard, 64 * moduli.file> files;

  struct alignas(64) Lines {
    Bitboard diagonal;
    Bitboard antidiagonal;
    Bitboard file;
    Bitboard* diagonal_row;
    Bitboard* antidiagonal_row;
    Bitboard* file_row;
  };

  static constexpr Table<Lines, 64> lines = [] {
    Table<Lines, 64> table;
    for (Square s = 0; s < 64; ++s) {
      // The outer squares of a line are those of the board's edge, but for a line along that edge.
      const auto keep = [](Bitboard line) { return line & moduli.squares; };
      table.data[s] = {keep(diagonal_mask(s)),
                       keep(antidiagonal_mask(s)),
                       file_mask(s) & (moduli.squares | ((a_file | h_file) & ~(first_rank | eighth_rank))),
                       diagonals.data + moduli.diagonal * s,
                       antidiagonals.data + moduli.antidiagonal * s,
                       files.data + moduli.file * s};
    }
    return table;
  }();

  static std::uint64_t file_residue(Square s, Bitboard on_file) {
    if constexpr (moduli.file_to_a) on_file >>= file_of(s);
    return on_file % moduli.file;
  }

  template <Direction up, Direction down, class Residue>
  static void fill(Square s, Bitboard line, Bitboard* row, Residue residue) {
    Bitboard occupied = 0;
    do {
      row[residue(occupied)] = reference::walk<up>(s, occupied) | reference::walk<down>(s, occupied);
      occupied = next_subset(occupied, line);
    } while (occupied != 0);
  }

 public:
  static constexpr std::array tables{table_info("diagonals", diagonals), table_info("antidiagonals", antidiagonals),
                                     table_info("files", files), table_info("lines", lines),
                                     table_info("first_rank", first_rank_by_inner)};
};

}  // namespace slidebench
