// SPDX-License-Identifier: MIT
//
// What the NEON fills have in common: a board in the low half of a vector, and the same board turned by 180 degrees in
// the high half.
//
// Turned round, every direction is its opposite: a step southwest on the board is a step northeast in the high half.
// So the left shifts of four directions serve all eight, two at a time, and the guard against steps over the edge is
// the same in both halves:
//
//      low half: the board    high half: turned    both halves    guard
//      north                  south                SHL 8          none
//      northeast              southwest            SHL 9          not the a-file
//      east                   west                 SHL 1          not the a-file
//      northwest              southeast            SHL 7          not the h-file
//
// SSE2 fills use a mirror image instead (mirror.hpp), because x86 can swap bytes but not reverse bits; the mirror
// leaves east and west to the integer units. AArch64's RBIT turns a board in one instruction, and all eight directions
// fit. NEON could also shift either half by a count of its own, of either sign (USHL), and need no turned board: but
// then every count is a vector constant to be loaded, twelve of them, where these shifts hold theirs and the guards are
// MOVIs.
#pragma once

#ifndef __aarch64__
#error "the half-turn fills need NEON: compile for AArch64"
#endif

#include <arm_neon.h>

#include "methods/calculation/bit_reversal.hpp"
#include "methods/method.hpp"

namespace slidebench {

/// The board in the low half, turned by 180 degrees in the high half.
inline uint64x2_t with_half_turn(Bitboard board) {
  return vcombine_u64(vcreate_u64(board), vcreate_u64(reverse_bits(board)));
}

/// The union of the low half and of the high half turned back.
inline Bitboard unite_half_turns(uint64x2_t boards) {
  return vgetq_lane_u64(boards, 0) | reverse_bits(vgetq_lane_u64(boards, 1));
}

/// A direction and its opposite: the left shift of one step, and the guard (the squares on which a step can rightly
/// arrive), the same in both halves.
template <int count, Bitboard targets>
struct OppositePair {
  template <int steps = 1>
  static uint64x2_t shift(uint64x2_t boards) {
    return vshlq_n_u64(boards, count * steps);
  }

  /// The squares of `boards` on which a step can rightly arrive.
  static uint64x2_t guarded(uint64x2_t boards) {
    if constexpr (targets == ~Bitboard{0}) return boards;
    return vandq_u64(boards, vdupq_n_u64(targets));
  }
};

/// a | (b & c), for an a that is no later than b. BIT inserts the bits of a | b into a where c has ones; the OR does
/// not wait for c, so that c has one instruction to go through, not two.
inline uint64x2_t or_and(uint64x2_t a, uint64x2_t b, uint64x2_t c) { return vbslq_u64(c, vorrq_u64(a, b), a); }

/// The queries of a method that fills two opposite directions at a time, given Method::fill<Pair>(sliders, empty
/// squares).
template <class Method>
struct HalfTurnFill {
  static Bitboard bishop(Square s, Bitboard occupied) {
    return unite_half_turns(diagonal(with_half_turn(bit(s)), empty_squares(occupied)));
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    return unite_half_turns(orthogonal(with_half_turn(bit(s)), empty_squares(occupied)));
  }

  static Bitboard queen(Square s, Bitboard occupied) { return set_attacks(bit(s), bit(s), occupied); }

  static BishopRook both(Square s, Bitboard occupied) { return {bishop(s, occupied), rook(s, occupied)}; }

  static Bitboard set_attacks(Bitboard diagonal_sliders, Bitboard orthogonal_sliders, Bitboard occupied) {
    const uint64x2_t empty = empty_squares(occupied);
    return unite_half_turns(vorrq_u64(diagonal(with_half_turn(diagonal_sliders), empty),
                                      orthogonal(with_half_turn(orthogonal_sliders), empty)));
  }

 private:
  using NorthSouth = OppositePair<8, ~Bitboard{0}>;
  using NortheastSouthwest = OppositePair<9, ~a_file>;
  using EastWest = OppositePair<1, ~a_file>;
  using NorthwestSoutheast = OppositePair<7, ~h_file>;

  static uint64x2_t empty_squares(Bitboard occupied) { return with_half_turn(~occupied); }

  static uint64x2_t diagonal(uint64x2_t sliders, uint64x2_t empty) {
    return vorrq_u64(Method::template fill<NortheastSouthwest>(sliders, empty),
                     Method::template fill<NorthwestSoutheast>(sliders, empty));
  }

  static uint64x2_t orthogonal(uint64x2_t sliders, uint64x2_t empty) {
    return vorrq_u64(Method::template fill<NorthSouth>(sliders, empty),
                     Method::template fill<EastWest>(sliders, empty));
  }
};

}  // namespace slidebench
