// SPDX-License-Identifier: MIT
//
// Full kindergarten: the six-bit index of kindergarten.hpp, with a finished attack set behind it for every square.
//
// The small form looks a filled-up rank up and cuts the line out of it. Here every square has four rows of 64 sets, one
// for each line, so that nothing is left to do after the look-up:
//
//      a square's rows   | diagonal 64 | antidiagonal 64 | rank 64 | file 64 |
//      index             ((occupied & line) * b-file) >> 58                 diagonals, which have one square a file
//                        (occupied >> rank's second square) & 63            ranks
//                        (((occupied >> file) & a-file) * f) >> 58          files, turned onto the eighth rank
//
// One record of 32 bytes holds a square's two masks, the address of its rows, and the two shifts.
//
// Inventors: G. Isenberg and others (2006); with full tables M. Sherwin (CCC, January 2023, "Kindergarten Super SISSY
// Bitboards") and D. Infuehr (Chess_Movegen, 2022). Source: Chessprogramming wiki, Kindergarten Bitboards.
// Tables: 64 x 4 x 64 sets x 8 bytes = 131,072, and 64 records x 32 = 2,048; 133,120 bytes.
// Loads: 1 record (3 words for a bishop, 3 for a rook) + 2 sets. Relies on: a fast 64-bit multiplication.
#pragma once

#include "methods/method.hpp"
#include "methods/reference.hpp"

namespace slidebench {

struct KindergartenFull {
  static constexpr MethodInfo info{.id = "kindergarten_full",
                                   .title = "Kindergarten bitboards, full tables",
                                   .family = "lookup",
                                   .inventor = "G. Isenberg, M. Sherwin, D. Infuehr",
                                   .year = 2022,
                                   .reference = "https://www.chessprogramming.org/Kindergarten_Bitboards",
                                   .requires_isa = Isa::none};

  static Bitboard bishop(Square s, Bitboard occupied) {
    const Lines& l = lines[s];
    const auto rows = sets.from(l.rows);
    return rows[index(occupied & l.diagonal, b_file)] | rows[64 + index(occupied & l.antidiagonal, b_file)];
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    const Lines& l = lines[s];
    const auto rows = sets.from(l.rows);
    return rows[128 + ((occupied >> l.rank_shift) & 63)] |
           rows[192 + index((occupied >> l.file) & a_file, a_file_factor)];
  }

  /// Fills the rows, by walking from every square for each of the 64 indices.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      for (unsigned inner = 0; inner < 64; ++inner) {
        const Bitboard on_files = (Bitboard{inner} << 1) * a_file;  // every square of the files that are occupied
        const Bitboard on_ranks = whole_ranks(inner);
        Bitboard* rows = sets.data + 256 * s + inner;
        rows[0] =
            reference::walk<Direction::northeast>(s, on_files) | reference::walk<Direction::southwest>(s, on_files);
        rows[64] =
            reference::walk<Direction::northwest>(s, on_files) | reference::walk<Direction::southeast>(s, on_files);
        rows[128] = reference::walk<Direction::east>(s, on_files) | reference::walk<Direction::west>(s, on_files);
        rows[192] = reference::walk<Direction::north>(s, on_ranks) | reference::walk<Direction::south>(s, on_ranks);
      }
    }
  }

 private:
  static constexpr Bitboard b_file = a_file << 1;
  /// Brings ranks 2 to 7 of the a-file to the top six bits, rank 2 the lowest.
  static constexpr Bitboard a_file_factor = 0x0004081020408100;

  static inline Table<Bitboard, std::size_t{64} * 256> sets;

  struct Lines {
    Bitboard diagonal;
    Bitboard antidiagonal;
    const Bitboard* rows;
    std::uint32_t rank_shift;  ///< to the rank's second square
    std::uint32_t file;
  };

  static constexpr Table<Lines, 64> lines = [] {
    Table<Lines, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {diagonal_mask(s), antidiagonal_mask(s), sets.data + 256 * s, (s & 56) + 1, file_of(s)};
    }
    return table;
  }();

  /// All squares of the ranks 2 to 7 whose bit in `inner` is set.
  static constexpr Bitboard whole_ranks(unsigned inner) {
    Bitboard squares = 0;
    for (unsigned j = 0; j < 6; ++j) squares |= Bitboard{inner >> j & 1u} * first_rank << (8 * (j + 1));
    return squares;
  }

  static std::uint64_t index(Bitboard on_line, Bitboard factor) { return (on_line * factor) >> 58; }

 public:
  static constexpr std::array tables{table_info("sets", sets), table_info("lines", lines)};
};

}  // namespace slidebench
