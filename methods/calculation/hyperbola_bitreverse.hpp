// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence by bit reversal: one formula for all four lines, ranks included, and no table but the masks.
//
// `hyperbola` finds the blockers of the downward rays by subtracting from the line upside down. A byte swap turns files
// and diagonals round, but no rank. Reversing all 64 bits (square s goes to 63 - s) turns round every line:
//
//      attacks = ((o - bit s) ^ rev(rev(o) - bit(63 - s))) & line          o = occupied & line
//
// That is one instruction on Arm (RBIT) and LoongArch, where this form is the one of choice. On x86 a reversal is
// a byte swap and three exchanges of neighbours, 17 instructions, so two of them a line would be ruinous. But a
// reversal can be moved through everything that works bit by bit. The occupancy is reversed once and masked by the
// reversed lines, and because the lines of a slider do not meet, their downward parts are united first and reversed
// back together:
//
//      up      = OR over the lines of  (occupied & line) - bit s               & line
//      down    = OR over the lines of  (rev(occupied) & rev(line)) - bit(63-s) & rev(line)
//      attacks = up ^ rev(down)
//
// Two reversals a query, and the first is common to all queries of one position. No byte swap is left in the lines.
//
// Inventors: G. Isenberg, A. Peshkov, R. Mack (2007, see `hyperbola`); with RBIT in Stockfish on Arm (2026). The
// regrouping that leaves two reversals is this project's.
// Source: Stockfish pull requests 6795 and 6870; D. Infuehr's Bitrotation in Chess_Movegen (2022) has no masks either.
// Tables: 8 masks x 64 squares x 8 bytes = 4,096 bytes, a cache line a square. Loads: bishop 4, rook 4.
// Relies on: an instruction that reverses bits; elsewhere a curiosity.
#pragma once

#include "methods/calculation/bit_reversal.hpp"
#include "methods/method.hpp"

namespace slidebench {

struct HyperbolaBitreverse {
  static constexpr MethodInfo info{.id = "hyperbola_bitreverse",
                                   .title = "Hyperbola quintessence by bit reversal",
                                   .family = "calculation",
                                   .inventor = "G. Isenberg, A. Peshkov, R. Mack",
                                   .year = 2007,
                                   .reference = "https://github.com/official-stockfish/Stockfish/pull/6795",
                                   .requires_isa = Isa::none};

  static constexpr Bitboard bishop(Square s, Bitboard occupied) {
    return diagonals(s, occupied, reverse_bits(occupied)).both_ways();
  }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    return orthogonals(s, occupied, reverse_bits(occupied)).both_ways();
  }

  static constexpr Bitboard queen(Square s, Bitboard occupied) {
    const Bitboard reversed = reverse_bits(occupied);
    const Attacks bishop = diagonals(s, occupied, reversed);
    const Attacks rook = orthogonals(s, occupied, reversed);
    return Attacks{bishop.up | rook.up, bishop.down | rook.down}.both_ways();
  }

 private:
  /// The attacks up from the slider on the board, and those down from it on the reversed board.
  struct Attacks {
    Bitboard up;
    Bitboard down;

    constexpr Bitboard both_ways() const { return up ^ reverse_bits(down); }
  };

  struct Lines {
    Bitboard diagonal, antidiagonal, reversed_diagonal, reversed_antidiagonal;
    Bitboard file, rank, reversed_file, reversed_rank;
  };

  /// A reversed line of s is the line of the same kind through square 63 - s.
  static constexpr Table<Lines, 64> masks = [] {
    Table<Lines, 64> table;
    for (Square s = 0; s < 64; ++s) {
      const Square r = 63 - s;
      table.data[s] = {diagonal_mask(s), antidiagonal_mask(s), diagonal_mask(r), antidiagonal_mask(r),
                       file_mask(s),     rank_mask(s),         file_mask(r),     rank_mask(r)};
    }
    return table;
  }();

  /// The line's occupancy, changed from the slider up to and including the first blocker. The rest, unchanged, is part
  /// of both halves (of the other one reversed), so their XOR drops it.
  static constexpr Bitboard half(Bitboard slider, Bitboard occupied, Bitboard line) {
    return ((occupied & line) - slider) & line;
  }

  static constexpr Attacks diagonals(Square s, Bitboard occupied, Bitboard reversed) {
    const Bitboard slider = bit(s);
    const Bitboard reversed_slider = bit(63) >> s;
    return {half(slider, occupied, masks.member(s, &Lines::diagonal)) |
                half(slider, occupied, masks.member(s, &Lines::antidiagonal)),
            half(reversed_slider, reversed, masks.member(s, &Lines::reversed_diagonal)) |
                half(reversed_slider, reversed, masks.member(s, &Lines::reversed_antidiagonal))};
  }

  static constexpr Attacks orthogonals(Square s, Bitboard occupied, Bitboard reversed) {
    const Bitboard slider = bit(s);
    const Bitboard reversed_slider = bit(63) >> s;
    return {
        half(slider, occupied, masks.member(s, &Lines::file)) | half(slider, occupied, masks.member(s, &Lines::rank)),
        half(reversed_slider, reversed, masks.member(s, &Lines::reversed_file)) |
            half(reversed_slider, reversed, masks.member(s, &Lines::reversed_rank))};
  }

 public:
  static constexpr std::array tables{table_info("masks", masks)};
};

}  // namespace slidebench
