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
// multiplied by a line that turns it onto the eighth rank, rank 2 to the lowest of the six bits. (The source's factor
// 0x0080402010080400 turns it the other way round, which serves as well with a table in reverse order.)
//
// Inventors: named by Gerd Isenberg (Winboard forum, 4 December 2006); discussion with Urban Koistinen and others.
// Source: G. Isenberg, Efficient Generation of Sliding Piece Attacks (Dresden 2008) -- its functions stop at the index.
// Tables: fill-up 4,096 + files 4,096 + first rank 512 + 64 records of two masks and a row's address, 32 bytes each,
// 2,048 = 10,752 bytes (9,728 without the addresses, at the price of three instructions a bishop).
// Loads: bishop 1 record (3 words) + 2, rook 2. Relies on: a fast 64-bit multiplication.
#pragma once

#include "methods/lookup/first_file.hpp"
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
    const Diagonals& lines = diagonals[s];
    return diagonal_attacks(lines.fill_up, occupied, lines.diagonal) |
           diagonal_attacks(lines.fill_up, occupied, lines.antidiagonal);
  }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    return rank_attacks(s, occupied) | file_attacks(s, occupied);
  }

 private:
  static constexpr Bitboard b_file = a_file << 1;
  static constexpr Bitboard a_file_to_eighth_rank = 0x0004081020408100;

  /// Element 64 * file + inner occupancy: the first-rank attacks, copied to all ranks.
  static constexpr Table<Bitboard, 8 * 64> fill_up = [] {
    Table<Bitboard, 8 * 64> table;
    for (unsigned i = 0; i < 8 * 64; ++i) table.data[i] = first_rank_attacks.data[i] * a_file;
    return table;
  }();

  struct alignas(32) Diagonals {
    Bitboard diagonal;
    Bitboard antidiagonal;
    const Bitboard* fill_up;  ///< the row of the slider's file
  };

  static constexpr Table<Diagonals, 64> diagonals = [] {
    Table<Diagonals, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {diagonal_mask(s), antidiagonal_mask(s), fill_up.data + 64 * file_of(s)};
    }
    return table;
  }();

  static constexpr Bitboard diagonal_attacks(const Bitboard* row, Bitboard occupied, Bitboard line) {
    return fill_up.from(row)[((occupied & line) * b_file) >> 58] & line;
  }

  static constexpr Bitboard file_attacks(Square s, Bitboard occupied) {
    const unsigned file = file_of(s);
    const Bitboard inner = (((occupied >> file) & a_file) * a_file_to_eighth_rank) >> 58;
    return first_file_attacks[64 * rank_of(s) + inner] << file;
  }

 public:
  static constexpr std::array tables{table_info("diagonals", diagonals), table_info("fill_up", fill_up),
                                     table_info("first_file", first_file_attacks),
                                     table_info("first_rank", first_rank_by_inner)};
};

}  // namespace slidebench
