// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence in NEON: the two lines of a piece in one vector.
//
// The steps of `hyperbola` are the same for every line, so each gets a 64-bit lane:
//
//      lane        1             0                lane        1      0
//      bishop      antidiagonal  diagonal         rook        rank   file
//      attacks   = ((o - bit s) ^ turn(turn(o) - bit(63 - s))) & masks          o = masks & occupied, in both lanes
//
// What turns the lanes round differs. On diagonals REV64, the byte swap of each lane, is enough, since square 63 - s is
// as good there as the slider upside down (see `hyperbola`). A rank lies within one byte and needs its bits reversed;
// NEON's RBIT reverses those of each byte, and before or after REV64 that is the reversal of the lane:
//
//      turn        bishop: REV64          rook: REV64 and RBIT, which serve the file as well
//
// A queen is both vectors. The lines of a slider do not meet, so that ADDP, one addition across the lanes, unites them;
// with both vectors as operands it unites either, which is the answer to `both`.
//
// Inventors: of the hyperbola see there; the form with a lane for each line: Stockfish, 2026 (AVX2, pull request 6845).
// This arrangement for two lanes is this project's.
// Source: https://github.com/official-stockfish/Stockfish/pull/6845; Arm's manual, REV64, RBIT (vector), ADDP.
// Tables: 64 x 4 masks x 8 bytes = 2,048 bytes. Loads: 1 of 16 bytes per piece.
// Relies on: NEON, and a short way between the register files (3 to 5 cycles each way; three words go in, one comes
// out).
#pragma once

#ifndef __aarch64__
#error "hyperbola_neon needs NEON: compile for AArch64"
#endif

#include <arm_neon.h>

#include "methods/method.hpp"

namespace slidebench {

struct HyperbolaNeon {
  static constexpr MethodInfo info{.id = "hyperbola_neon",
                                   .title = "Hyperbola quintessence, two lanes (NEON)",
                                   .family = "calculation",
                                   .inventor = "slidebench, after anematode and G. Isenberg",
                                   .year = 2026,
                                   .reference = "methods/calculation/hyperbola_neon.hpp",
                                   .requires_isa = Isa::neon};

  static Bitboard bishop(Square s, Bitboard occupied) { return vaddvq_u64(diagonals(s, occupied)); }
  static Bitboard rook(Square s, Bitboard occupied) { return vaddvq_u64(orthogonals(s, occupied)); }

  static Bitboard queen(Square s, Bitboard occupied) {
    return vaddvq_u64(vorrq_u64(diagonals(s, occupied), orthogonals(s, occupied)));
  }

  static BishopRook both(Square s, Bitboard occupied) {
    const uint64x2_t unions = vpaddq_u64(diagonals(s, occupied), orthogonals(s, occupied));
    return {vgetq_lane_u64(unions, 0), vgetq_lane_u64(unions, 1)};
  }

 private:
  /// Element 4 * square: diagonal, antidiagonal, file and rank through the square, without it.
  static constexpr Table<Bitboard, 64 * 4> masks = [] {
    Table<Bitboard, 64 * 4> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[4 * s] = diagonal_mask(s);
      table.data[4 * s + 1] = antidiagonal_mask(s);
      table.data[4 * s + 2] = file_mask(s);
      table.data[4 * s + 3] = rank_mask(s);
    }
    return table;
  }();

  static uint64x2_t diagonals(Square s, Bitboard occupied) {
    return line_attacks<upside_down>(s, occupied, masks.load_pair(std::size_t{4} * s));
  }
  static uint64x2_t orthogonals(Square s, Bitboard occupied) {
    return line_attacks<reversed>(s, occupied, masks.load_pair(std::size_t{4} * s + 2));
  }

  /// The attacks along two lines through s, each in its lane. `turn` turns the lines round.
  template <uint64x2_t (*turn)(uint64x2_t)>
  static uint64x2_t line_attacks(Square s, Bitboard occupied, uint64x2_t lines) {
    const uint64x2_t o = vandq_u64(lines, vdupq_n_u64(occupied));
    const uint64x2_t up = vsubq_u64(o, vdupq_n_u64(bit(s)));
    const uint64x2_t down = turn(vsubq_u64(turn(o), vdupq_n_u64(bit(63) >> s)));
    return vandq_u64(veorq_u64(up, down), lines);
  }

  /// The bytes of each lane in the opposite order: the board upside down.
  static uint64x2_t upside_down(uint64x2_t lanes) {
    return vreinterpretq_u64_u8(vrev64q_u8(vreinterpretq_u8_u64(lanes)));
  }

  /// The bits of each lane in the opposite order: square s goes to 63 - s.
  static uint64x2_t reversed(uint64x2_t lanes) {
    return vreinterpretq_u64_u8(vrbitq_u8(vrev64q_u8(vreinterpretq_u8_u64(lanes))));
  }

 public:
  static constexpr std::array tables{table_info("masks", masks)};
};

}  // namespace slidebench
