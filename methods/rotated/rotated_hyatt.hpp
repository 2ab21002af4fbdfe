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

#include "methods/calculation/first_rank.hpp"
#include "methods/method.hpp"

namespace slidebench {

/// A line of diagonally neighbouring squares, counted from its square with the smallest file.
struct DiagonalPlace {
  unsigned start;   ///< first bit of the line in the end-to-end order
  unsigned length;  ///< squares of the line, 1 to 8
  unsigned place;   ///< where the square stands on its line, 0 to length - 1
  int step;         ///< from a square to the next one on the line

  constexpr unsigned inner_squares() const { return length > 2 ? length - 2 : 0; }
};

constexpr DiagonalPlace place_on_line(unsigned line, unsigned place, int step) {
  constexpr unsigned starts[15] = {0, 1, 3, 6, 10, 15, 21, 28, 36, 43, 49, 54, 58, 61, 63};
  return {starts[line], line < 7 ? line + 1 : 15 - line, place, step};
}

constexpr DiagonalPlace place_on_diagonal(Square s) {
  const unsigned file = file_of(s);
  const unsigned rank = rank_of(s);
  return place_on_line(rank + 7 - file, file < rank ? file : rank, 9);
}

constexpr DiagonalPlace place_on_antidiagonal(Square s) {
  const unsigned file = file_of(s);
  const unsigned rank = rank_of(s);
  return place_on_line(rank + file, file < 7 - rank ? file : 7 - rank, -7);
}

/// The occupancy whose inner squares on the line of s spell `inner`, lowest file first.
constexpr Bitboard spread_on_line(Square s, const DiagonalPlace& line, unsigned inner) {
  Bitboard occupied = 0;
  for (unsigned j = 0; j < line.inner_squares(); ++j) {
    const int offset = (static_cast<int>(j + 1) - static_cast<int>(line.place)) * line.step;
    if ((inner >> j & 1) != 0) occupied |= bit(static_cast<Square>(static_cast<int>(s) + offset));
  }
  return occupied;
}

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
    return diagonal_attacks[l.diagonal_first + d] | antidiagonal_attacks[l.antidiagonal_first + a];
  }

  static constexpr Bitboard rook(Square s, const Board& board) {
    const unsigned file = file_of(s);
    const Bitboard inner = (board.files >> (8 * file + 1)) & 63;
    return rank_attacks(s, board.occupied) | (a_file_attacks[64 * rank_of(s) + inner] << file);
  }

 private:
  static constexpr std::size_t diagonal_sets = 1282;

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
      table.data[s] = {bit(8 * file_of(s) + rank_of(s)), bit(d.start + d.place), bit(a.start + a.place)};
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
      return static_cast<std::uint8_t>(p.inner_squares() == 0 ? 0 : p.start + 1);
    };
    const auto mask = [](const DiagonalPlace& p) { return static_cast<std::uint8_t>((1u << p.inner_squares()) - 1); };
    Table<Lines, 64> table;
    unsigned diagonal_first = 0;
    unsigned antidiagonal_first = 0;
    for (Square s = 0; s < 64; ++s) {
      const DiagonalPlace d = place_on_diagonal(s);
      const DiagonalPlace a = place_on_antidiagonal(s);
      table.data[s] = {static_cast<std::uint16_t>(diagonal_first),
                       static_cast<std::uint16_t>(antidiagonal_first),
                       shift(d),
                       shift(a),
                       mask(d),
                       mask(a)};
      diagonal_first += 1u << d.inner_squares();
      antidiagonal_first += 1u << a.inner_squares();
    }
    return table;
  }();

  /// The attack sets of all squares along one kind of diagonal; for each square, one set per inner occupancy.
  template <Direction up, Direction down>
  static constexpr auto build_diagonals = [](auto place_of) {
    Table<Bitboard, diagonal_sets> table;
    std::size_t next = 0;
    for (Square s = 0; s < 64; ++s) {
      const DiagonalPlace line = place_of(s);
      for (unsigned inner = 0; inner < 1u << line.inner_squares(); ++inner) {
        const Bitboard occupied = spread_on_line(s, line, inner);
        table.data[next++] = reference::walk<up>(s, occupied) | reference::walk<down>(s, occupied);
      }
    }
    return table;
  };

  static constexpr Table<Bitboard, diagonal_sets> diagonal_attacks =
      build_diagonals<Direction::northeast, Direction::southwest>(place_on_diagonal);
  static constexpr Table<Bitboard, diagonal_sets> antidiagonal_attacks =
      build_diagonals<Direction::northwest, Direction::southeast>(place_on_antidiagonal);

  /// Element 64 * rank + occupancy of the ranks 2 to 7: the attacks on the a-file.
  static constexpr Table<Bitboard, 8 * 64> a_file_attacks = [] {
    Table<Bitboard, 8 * 64> table;
    for (unsigned i = 0; i < 8 * 64; ++i) {
      for (unsigned rank = 0; rank < 8; ++rank) {
        table.data[i] |= Bitboard{first_rank_attacks.data[i] >> rank & 1u} << (8 * rank);
      }
    }
    return table;
  }();

 public:
  static constexpr std::array tables{table_info("diagonal", diagonal_attacks),
                                     table_info("antidiagonal", antidiagonal_attacks),
                                     table_info("a_file", a_file_attacks),
                                     table_info("first_rank", first_rank_attacks),
                                     table_info("lines", lines),
                                     table_info("rotated", rotated)};
};

}  // namespace slidebench
