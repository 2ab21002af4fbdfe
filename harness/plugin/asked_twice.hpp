// SPDX-License-Identifier: MIT
//
// A method that asks every query a second time. Work that hides under something else (a mispredicted branch, a miss)
// looks free when it is done once, so that the empty loop says too little of what answers cost where they overlap with
// the rest. The second time that slack is used up: what it adds is about the most that an answer which costs nothing
// could save, as far as instructions go.
//
// The second answer finds its table's line in the cache, so that the cost of a miss is not in it: beside a network a
// method with small tables saves more than it adds. And beside its first it waits for nothing: in a chain of queries
// (`latency`) it says nothing, and is not measured.
#pragma once

#include "harness/plugin/replay.hpp"
#include "methods/method.hpp"

namespace slidebench {

/// The same square, as far as the compiler knows another one: nothing that was computed for the first serves again.
inline Square again(Square s) {
  asm volatile("" : "+r"(s));
  return s;
}

inline Bitboard again(Bitboard set) {
  asm volatile("" : "+r"(set));
  return set;
}

/// All that M has, its board, tables and init() included; each query answered twice, the second answer returned.
template <AttackMethod M>
struct AskedTwice : M {
  static Bitboard bishop(Square s, const BoardOf<M>& board) {
    pin(M::bishop(s, board));
    return M::bishop(again(s), board);
  }

  static Bitboard rook(Square s, const BoardOf<M>& board) {
    pin(M::rook(s, board));
    return M::rook(again(s), board);
  }

  static Bitboard queen(Square s, const BoardOf<M>& board) {
    pin(queen_attacks<M>(s, board));
    return queen_attacks<M>(again(s), board);
  }

  static BishopRook both(Square s, const BoardOf<M>& board) {
    const BishopRook first = both_attacks<M>(s, board);
    pin(first.bishop);
    pin(first.rook);
    return both_attacks<M>(again(s), board);
  }

  static Bitboard set_attacks(Bitboard diagonal_sliders, Bitboard orthogonal_sliders, const BoardOf<M>& board) {
    pin(slidebench::set_attacks<M>(diagonal_sliders, orthogonal_sliders, board));
    return slidebench::set_attacks<M>(again(diagonal_sliders), again(orthogonal_sliders), board);
  }

  static void batch(const SliderBatch& sliders, const BoardOf<M>& board, Bitboard* attacks) {
    batch_attacks<M>(sliders, board, attacks);
    asm volatile("" : : : "memory");
    batch_attacks<M>(sliders, board, attacks);
  }
};

}  // namespace slidebench
