// SPDX-License-Identifier: MIT
//
// Kindergarten bitboards: gather the six inner squares of a line with one multiplication, as a child adds small
// numbers.
//
// A diagonal has one square a file. Multiplying it by the b-file adds up its eight ranks, shifted one file east, in the
// top rank: no two squares meet in one column, so nothing carries, and the top six bits are the occupancy of the
// diagonal's files a to f of that rank, in other words of the slider's files b to g:
//
//      . . . . . . X .                  . 1 . . . . . .
//      . . . . . . . .                  . 1 . . . . . .
//      . . . . X . . .      times       . 1 . . . . . .     top rank:  (.) . . X . X . X   >> 58 = the six-bit index
//      ...                              ...
//
// That index and the slider's file select its attacks on one rank, copied to all eight ranks ("fill-up"); the mask of
// the diagonal cuts the right squares out. Ranks use the first-rank table directly. A file is moved to the a-file and
// multiplied by a diagonal, which turns it onto the eighth rank; its index comes out in reverse order (bit j is rank
// index 6 - j), and its table is built that way.
//
// Inventors: named by Gerd Isenberg (Winboard forum, 4 December 2006); discussion with Urban Koistinen and others.
// Source: G. Isenberg, Efficient Generation of Sliding Piece Attacks (Dresden 2008) -- its functions stop at the index.
// Tables: fill-up 4,096 + files 4,096 + diagonal masks 1,024 + first rank 512 = 9,728 bytes.
// Loads: bishop 4, rook 2. Relies on: a fast 64-bit multiplication.
#pragma once

#include "methods/calculation/first_rank.hpp"
#include "methods/method.hpp"

namespace slidebench {

struct Kindergarten {
  static constexpr MethodInfo info{.id = "kindergarten",
                                   .title = "Kindergarten bitboards",
                                   .family = "lookup",
                                   .inventor = "G. Isenberg, U. Koistinen",
                                   .year = 2006,
                                   .reference = "https://www.chessprogramming.org/Kindergarten_Bitboards",
                                   .requires_isa = Isa::none};

  static constexpr Bitboard bishop(Square s, Bitboard occupied) {
    const Diagonals& lines = masks[s];
    return diagonal_attacks(s, occupied, lines.diagonal) | diagonal_attacks(s, occupied, lines.antidiagonal);
  }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    return rank_attacks(s, occupied) | file_attacks(s, occupied);
  }

 private:
  static constexpr Bitboard b_file = a_file << 1;
  static constexpr Bitboard c7_h2_diagonal = 0x0080402010080400;

  struct Diagonals {
    Bitboard diagonal;
    Bitboard antidiagonal;
  };

  static constexpr Table<Diagonals, 64> masks = [] {
    Table<Diagonals, 64> table;
    for (Square s = 0; s < 64; ++s) table.data[s] = {diagonal_mask(s), antidiagonal_mask(s)};
    return table;
  }();

  /// Element 64 * file + inner occupancy: the first-rank attacks, copied to all ranks.
  static constexpr Table<Bitboard, 8 * 64> fill_up = [] {
    Table<Bitboard, 8 * 64> table;
    for (unsigned i = 0; i < 8 * 64; ++i) table.data[i] = first_rank_attacks.data[i] * a_file;
    return table;
  }();

  /// Element 64 * rank + reversed inner occupancy: the attacks on the a-file.
  static constexpr Table<Bitboard, 8 * 64> a_file_attacks = [] {
    Table<Bitboard, 8 * 64> table;
    for (unsigned rank = 0; rank < 8; ++rank) {
      for (unsigned inner = 0; inner < 64; ++inner) {
        Bitboard occupied = 0;
        for (unsigned j = 0; j < 6; ++j) occupied |= Bitboard{inner >> j & 1u} << (8 * (6 - j));
        const Square s = square_at(0, rank);
        table.data[64 * rank + inner] =
            reference::walk<Direction::north>(s, occupied) | reference::walk<Direction::south>(s, occupied);
      }
    }
    return table;
  }();

  static constexpr Bitboard diagonal_attacks(Square s, Bitboard occupied, Bitboard line) {
    return fill_up[64 * file_of(s) + (((occupied & line) * b_file) >> 58)] & line;
  }

  static constexpr Bitboard file_attacks(Square s, Bitboard occupied) {
    const unsigned file = file_of(s);
    const Bitboard index = (((occupied >> file) & a_file) * c7_h2_diagonal) >> 58;
    return a_file_attacks[64 * rank_of(s) + index] << file;
  }

 public:
  static constexpr std::array tables{table_info("masks", masks), table_info("fill_up", fill_up),
                                     table_info("a_file", a_file_attacks),
                                     table_info("first_rank", first_rank_attacks)};
};

}  // namespace slidebench
