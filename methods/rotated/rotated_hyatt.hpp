// SPDX-License-Identifier: MIT
//
// Rotated bitboards: keep the occupancy four times, so that every line lies in consecutive bits of one of the copies.
//
// Ranks are consecutive on the normal board. A second copy is turned by 90 degrees (files are consecutive), two more by
// 45 degrees each (diagonals, antidiagonals), stored end to end, the corners first:
//
//      a diagonal's number  t = rank - file + 7  (0 is h1's, 14 is a8's);  an antidiagonal's  t = rank + file
//      its length           L = 8 - |t - 7|
//      its first bit        start(t) = 0 1 3 6 10 15 21 28 36 43 49 54 58 61 63
//
// A query shifts its line down to bit 0, keeps the inner squares and looks its attacks up. No multiplication and no
// masking of lines; but every move must now change four words instead of one, which is why the method left the field
// when magic bitboards came. Its board is state: built from an occupancy, kept by toggle().
//
// Inventors: Robert Hyatt (Crafty; ICCA Journal 22(4), 1999), independently E. A. Heinz and P. Gillgasch (DarkThought).
// Source: G. Isenberg, Efficient Generation of Sliding Piece Attacks (Dresden 2008), "rotated bitboards".
// Tables: diagonals 2 x 1,282 sets of 8 bytes (2^(L-2) a square) + files 4,096 + first rank 512 + 64 records of 8 bytes
// = 25,632 bytes to query, and 64 x 24 bytes = 1,536 to toggle.
// Loads: bishop 3 (+ the board), rook 2 (+ the board). Relies on: variable shifts.
#pragma once

#include "methods/lookup/first_file.hpp"
#include "methods/method.hpp"
#include "methods/rotated/diagonals.hpp"

namespace slidebench {

struct RotatedHyatt {
  static constexpr MethodInfo info{.id = "rotated_hyatt",
                                   .title = "Rotated bitboards (Hyatt)",
                                   .family = "rotated",
                                   .inventor = "R. Hyatt",
                                   .year = 1999,
                                   .reference = "R. Hyatt, Rotated Bitmaps, ICCA Journal 22(4), 1999",
                                   .requires_isa = Isa::none};

  /// The occupancy in four orders: 8 * rank + file, 8 * file + rank, and the two end-to-end diagonal orders.
  struct Board {
    Bitboard occupied = 0;
    Bitboard files = 0;
    Bitboard diagonals = 0;
    Bitboard antidiagonals = 0;

    explicit constexpr Board(Bitboard o) { toggle(o); }

    /// Puts a piece on, or takes it off, every square of `changed`.
    constexpr void toggle(Bitboard changed) {
      occupied ^= changed;
      while (changed != 0) {
        const Rotated& r = rotated[pop_lowest(changed)];
        files ^= r.files;
        diagonals ^= r.diagonals;
        antidiagonals ^= r.antidiagonals;
      }
    }
  };

  static constexpr Bitboard bishop(Square s, const Board& board) {
    const Lines& l = lines[s];
    const Bitboard d = (board.diagonals >> l.diagonal_shift) & l.diagonal_inner;
    const Bitboard a = (board.antidiagonals >> l.antidiagonal_shift) & l.antidiagonal_inner;
    return diagonal_vectors[l.diagonal_first + d] | antidiagonal_vectors[l.antidiagonal_first + a];
  }

  static constexpr Bitboard rook(Square s, const Board& board) {
    const unsigned file = file_of(s);
    const Bitboard inner = (board.files >> (8 * file + 1)) & 63;
    return rank_attacks(s, board.occupied) | (first_file_attacks[64 * rank_of(s) + inner] << file);
  }

 private:
  /// The first bit of each diagonal (antidiagonal) in the end-to-end order.
  static constexpr unsigned starts[15] = {0, 1, 3, 6, 10, 15, 21, 28, 36, 43, 49, 54, 58, 61, 63};

  struct Rotated {
    Bitboard files;
    Bitboard diagonals;
    Bitboard antidiagonals;
  };

  /// A square's bit in the three rotated orders.
  static constexpr Table<Rotated, 64> rotated = [] {
    Table<Rotated, 64> table;
    for (Square s = 0; s < 64; ++s) {
      const DiagonalPlace d = place_on_diagonal(s);
      const DiagonalPlace a = place_on_antidiagonal(s);
      table.data[s] = {bit(8 * file_of(s) + rank_of(s)), bit(starts[d.line] + d.place), bit(starts[a.line] + a.place)};
    }
    return table;
  }();

  /// Where a slider's two diagonals lie in the rotated boards, and where its attack sets begin.
  struct Lines {
    std::uint16_t diagonal_first;
    std::uint16_t antidiagonal_first;
    std::uint8_t diagonal_shift;
    std::uint8_t antidiagonal_shift;
    std::uint8_t diagonal_inner;
    std::uint8_t antidiagonal_inner;
  };

  static constexpr Table<Lines, 64> lines = [] {
    const auto shift = [](const DiagonalPlace& p) {
      return static_cast<std::uint8_t>(p.inner_squares() == 0 ? 0 : starts[p.line] + 1);
    };
    Table<Lines, 64> table;
    for (Square s = 0; s < 64; ++s) {
      const DiagonalPlace d = place_on_diagonal(s);
      const DiagonalPlace a = place_on_antidiagonal(s);
      table.data[s] = {diagonal_starts[s],
                       antidiagonal_starts[s],
                       shift(d),
                       shift(a),
                       static_cast<std::uint8_t>(d.inner_mask()),
                       static_cast<std::uint8_t>(a.inner_mask())};
    }
    return table;
  }();

 public:
  static constexpr std::array tables{table_info("diagonal", diagonal_vectors),
                                     table_info("antidiagonal", antidiagonal_vectors),
                                     table_info("first_file", first_file_attacks),
                                     table_info("first_rank", first_rank_by_inner),
                                     table_info("lines", lines),
                                     table_info("rotated", rotated)};
};

}  // namespace slidebench
