// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence: find the first blocker by subtraction, on a file or diagonal that is its own little number.
//
// Take one line through the slider, masked out of the occupancy; the slider's bit r is not part of it. Subtracting r
// borrows from the first blocker above, and flips every bit from r up to and including that blocker:
//
//      line (high bit left)    . X . . r . X .
//      o                       0 1 0 0 0 0 1 0
//      o - r                   0 0 1 1 1 ...            the difference to o marks X . . (the squares up to the blocker)
//
// The other direction is the same on the board upside down: files and diagonals have one square a rank, so a byte swap
// reverses them. The two differences share the unchanged o, which cancels:
//
//      attacks = ((o - r) ^ swap(swap(o) - r')) & line         with o = occupied & line
//
// r' should be the slider upside down, on square s ^ 56. But r need not be the slider: any single bit above the
// previous square of the line and not above the next one borrows from the same blocker. With one square a rank, every
// square of the rank will do, for all three lines: r' is square 63 - s, which is one shift. Ranks have no such luck (a
// byte swap does not reverse them) and take the first-rank table.
//
// Inventors: Gerd Isenberg (name, 2007), Aleks Peshkov (CCC, 25 August 2007), from Ryan Mack's Hyperbola project.
// Source: G. Isenberg, Efficient Generation of Sliding Piece Attacks (Dresden 2008) -- its listing lacks the final
// mask. Tables: 3 masks x 64 squares x 8 bytes + 512 bytes for ranks = 2,048 bytes. Loads: bishop 2, rook 2. Relies on:
// a fast byte swap (1 cycle on Zen, 2 on Intel). Best where caches are contended.
#pragma once

#include "methods/calculation/first_rank.hpp"
#include "methods/method.hpp"

namespace slidebench {

struct Hyperbola {
  static constexpr MethodInfo info{.id = "hyperbola",
                                   .title = "Hyperbola quintessence",
                                   .family = "calculation",
                                   .inventor = "G. Isenberg, A. Peshkov, R. Mack",
                                   .year = 2007,
                                   .reference = "https://www.chessprogramming.org/Hyperbola_Quintessence",
                                   .requires_isa = Isa::none};

  static constexpr Bitboard bishop(Square s, Bitboard occupied) {
    return line_attacks(s, occupied, masks.member(s, &Lines::diagonal)) |
           line_attacks(s, occupied, masks.member(s, &Lines::antidiagonal));
  }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    return file_attacks(s, occupied) | rank_attacks(s, occupied);
  }

  static constexpr Bitboard file_attacks(Square s, Bitboard occupied) {
    return line_attacks(s, occupied, masks.member(s, &Lines::file));
  }

  struct Lines {
    Bitboard file;
    Bitboard diagonal;
    Bitboard antidiagonal;
  };

  static constexpr Table<Lines, 64> masks = [] {
    Table<Lines, 64> table;
    for (Square s = 0; s < 64; ++s) table.data[s] = {file_mask(s), diagonal_mask(s), antidiagonal_mask(s)};
    return table;
  }();

 private:
  /// Attacks along a line with one square a rank. Precondition: s is not in `line`.
  static constexpr Bitboard line_attacks(Square s, Bitboard occupied, Bitboard line) {
    const Bitboard slider = bit(s);
    const Bitboard flipped_slider = bit(63) >> s;
    const Bitboard o = occupied & line;
    return ((o - slider) ^ flip_ranks(flip_ranks(o) - flipped_slider)) & line;
  }

 public:
  static constexpr std::array tables{table_info("masks", masks), table_info("first_rank", first_rank_by_inner)};
};

}  // namespace slidebench
