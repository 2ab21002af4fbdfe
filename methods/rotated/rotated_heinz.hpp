// SPDX-License-Identifier: MIT
//
// Rotated bitboards, DarkThought layout: each byte of a diagonal board holds one diagonal and, in the bits that it
// leaves free, the diagonal that completes it to eight squares.
//
// Cut the board along a long diagonal and slide every file down (or up) by its own number of ranks, out at the bottom
// and in again at the top. Squares of one diagonal then stand side by side in one rank of the new board:
//
//      diagonals:      rank of the new board = (rank - file) mod 8, file as it was
//      antidiagonals:                          (rank + file) mod 8
//
//      rank 6 of the diagonal board      a6 b7 c8 | d1 e2 f3 g4 h5      a diagonal of 3 and its complement of 5
//      rank 1                            a1 b2 c3 d4 e5 f6 g7 h8        the long one
//
// A line of L squares begins at bit 8 * byte + its first file. As numbers modulo 64 the three orders are plain: square
// s stands at bit 57 s (diagonals), 9 s (antidiagonals) and floor(65 s / 8) (the flipped board, 8 * file + rank).
//
// "Compressed vectors" keep 2^(L-2) sets per square and diagonal (diagonals.hpp); ranks and files keep all 64. A query
// shifts its board, masks, and looks up: per diagonal a pointer, a shift and a mask.
//
// Inventors: Ernst A. Heinz and Peter Gillgasch (DarkThought, 1990s), independently of Robert Hyatt.
// Source: E. A. Heinz, How DarkThought Plays Chess, ICCA Journal 20(3), 1997 -- its text exchanges "rank" and "file"
// of the normal and the flipped board. Tables: ranks and files 65,536 + vectors 2 x 10,256 = 86,048 bytes, records 64 x
// 32 = 2,048, and 64 x 24 = 1,536 to toggle; together 89,632. Loads: bishop 3 (+ the board), rook 2 (+ the board).
// Relies on: variable shifts.
#pragma once

#include "methods/lookup/first_file.hpp"
#include "methods/method.hpp"
#include "methods/rotated/diagonals.hpp"

namespace slidebench {

struct RotatedHeinz {
  static constexpr MethodInfo info{.id = "rotated_heinz",
                                   .title = "Rotated bitboards (Heinz)",
                                   .family = "rotated",
                                   .inventor = "E. A. Heinz, P. Gillgasch",
                                   .year = 1997,
                                   .reference = "E. A. Heinz, How DarkThought Plays Chess, ICCA Journal 20(3), 1997",
                                   .requires_isa = Isa::none};

  /// The occupancy in four orders: 8 * rank + file, 8 * file + rank, and the two diagonal boards.
  struct Board {
    Bitboard occupied = 0;
    Bitboard flipped = 0;
    Bitboard diagonals = 0;
    Bitboard antidiagonals = 0;

    explicit constexpr Board(Bitboard o) { toggle(o); }

    /// Puts a piece on, or takes it off, every square of `changed`.
    constexpr void toggle(Bitboard changed) {
      occupied ^= changed;
      while (changed != 0) {
        const Rotated& r = rotated[pop_lowest(changed)];
        flipped ^= r.flipped;
        diagonals ^= r.diagonals;
        antidiagonals ^= r.antidiagonals;
      }
    }
  };

  static constexpr Bitboard bishop(Square s, const Board& board) {
    const Lines& l = lines[s];
    return diagonal_vectors.from(l.diagonal.vector)[l.diagonal.index(board.diagonals)] |
           antidiagonal_vectors.from(l.antidiagonal.vector)[l.antidiagonal.index(board.antidiagonals)];
  }

  static constexpr Bitboard rook(Square s, const Board& board) {
    const Bitboard on_rank = (board.occupied >> ((s & 56) | 1)) & 63;
    const Bitboard on_file = (board.flipped >> (8 * file_of(s) + 1)) & 63;
    return ranks_and_files.row(std::size_t{128} * s)[on_rank] | ranks_and_files.row(std::size_t{128} * s + 64)[on_file];
  }

 private:
  struct Rotated {
    Bitboard flipped;
    Bitboard diagonals;
    Bitboard antidiagonals;
  };

  /// A square's bit in the three rotated orders. Three loads are cheaper than three products and shifts.
  static constexpr Table<Rotated, 64> rotated = [] {
    Table<Rotated, 64> table;
    for (Square s = 0; s < 64; ++s) table.data[s] = {bit((65 * s / 8) % 64), bit(57 * s % 64), bit(9 * s % 64)};
    return table;
  }();

  /// A slider's attack sets along a diagonal, and where its inner squares lie in the diagonal board.
  struct Vector {
    const Bitboard* vector;
    std::uint32_t shift;
    std::uint32_t mask;

    constexpr Bitboard index(Bitboard board) const { return (board >> shift) & mask; }
  };
  struct Lines {
    Vector diagonal;
    Vector antidiagonal;
  };

  static constexpr Table<Lines, 64> lines = [] {
    const auto make = [](Square s, const DiagonalPlace& p, unsigned byte, const Bitboard* vector) -> Vector {
      const unsigned first_bit = 8 * byte + file_of(s) - p.place;
      return {vector, p.inner_squares() == 0 ? 0 : first_bit + 1, p.inner_mask()};
    };
    Table<Lines, 64> table;
    for (Square s = 0; s < 64; ++s) {
      const unsigned diagonal_byte = (rank_of(s) - file_of(s)) % 8;
      const unsigned antidiagonal_byte = (rank_of(s) + file_of(s)) % 8;
      table.data[s] = {
          make(s, place_on_diagonal(s), diagonal_byte, diagonal_vectors.data + diagonal_starts[s]),
          make(s, place_on_antidiagonal(s), antidiagonal_byte, antidiagonal_vectors.data + antidiagonal_starts[s])};
    }
    return table;
  }();

  /// Element 128 * square + occupancy of files b to g: the attacks along the rank; 64 further on, with ranks 2 to 7:
  /// along the file.
  static constexpr Table<Bitboard, 64 * 128> ranks_and_files = [] {
    Table<Bitboard, 64 * 128> table;
    for (Square s = 0; s < 64; ++s) {
      for (unsigned inner = 0; inner < 64; ++inner) {
        table.data[128 * s + inner] = Bitboard{first_rank_attacks.data[64 * file_of(s) + inner]} << (s & 56);
        table.data[128 * s + 64 + inner] = first_file_attacks.data[64 * rank_of(s) + inner] << file_of(s);
      }
    }
    return table;
  }();

 public:
  static constexpr std::array tables{
      table_info("ranks_and_files", ranks_and_files), table_info("diagonal", diagonal_vectors),
      table_info("antidiagonal", antidiagonal_vectors), table_info("lines", lines), table_info("rotated", rotated)};
};

}  // namespace slidebench
