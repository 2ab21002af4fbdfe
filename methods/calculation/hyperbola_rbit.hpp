// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence with RBIT: the formula as it was meant, for all four lines, where turning a line round is one
// instruction.
//
// `hyperbola` finds the blockers of the downward rays by subtracting from the line upside down. A byte swap does that
// for files and diagonals, not for ranks, which therefore take a table. RBIT (AArch64, one cycle) reverses all 64 bits,
// square s goes to 63 - s, and with them every line:
//
//      o       = occupied & line
//      attacks = ((o - bit s) ^ rbit(rbit(o) - bit(63 - s))) & line            and, sub, rbit, sub, rbit, eor, and
//
// Seven instructions per line, and the two sliders are made by a shift each, for both lines: a bishop or a rook is 17
// instructions and two masks, of neighbouring words. On x86 this would be ruinous (17 instructions a reversal); what
// can be saved there, `hyperbola_bitreverse` does, at the price of reversed masks: twice the table, and here more
// instructions than this.
//
// Inventors: G. Isenberg, A. Peshkov, R. Mack (2007, see `hyperbola`); with RBIT: Stockfish on Arm (2026).
// Source: Stockfish pull request 6795; Arm Architecture Reference Manual, RBIT.
// Tables: 4 masks x 64 squares x 8 bytes = 2,048 bytes. Loads: bishop 2, rook 2.
// Relies on: RBIT.
#pragma once

#include "methods/calculation/bit_reversal.hpp"
#include "methods/method.hpp"

namespace slidebench {

struct HyperbolaRbit {
  static constexpr MethodInfo info{.id = "hyperbola_rbit",
                                   .title = "Hyperbola quintessence with RBIT",
                                   .family = "calculation",
                                   .inventor = "G. Isenberg, A. Peshkov, R. Mack",
                                   .year = 2007,
                                   .reference = "https://github.com/official-stockfish/Stockfish/pull/6795",
                                   .requires_isa = Isa::none};

  static constexpr Bitboard bishop(Square s, Bitboard occupied) {
    return line_attacks(s, occupied, masks.member(s, &Lines::diagonal)) |
           line_attacks(s, occupied, masks.member(s, &Lines::antidiagonal));
  }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    return line_attacks(s, occupied, masks.member(s, &Lines::file)) |
           line_attacks(s, occupied, masks.member(s, &Lines::rank));
  }

 private:
  struct alignas(32) Lines {
    Bitboard diagonal;
    Bitboard antidiagonal;
    Bitboard file;
    Bitboard rank;
  };

  static constexpr Table<Lines, 64> masks = [] {
    Table<Lines, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {diagonal_mask(s), antidiagonal_mask(s), file_mask(s), rank_mask(s)};
    }
    return table;
  }();

  /// Attacks along a line. Precondition: s is not in `line`.
  static constexpr Bitboard line_attacks(Square s, Bitboard occupied, Bitboard line) {
    const Bitboard o = occupied & line;
    return ((o - bit(s)) ^ reverse_bits(reverse_bits(o) - (bit(63) >> s))) & line;
  }

 public:
  static constexpr std::array tables{table_info("masks", masks)};
};

}  // namespace slidebench
