// SPDX-License-Identifier: MIT
//
// The empty loop: no attacks at all.
//
// It answers every query with one addition of the occupancy and the square (or of the sets of sliders), so that both
// must be read and the answer must be produced. What it costs is what the replay loop costs; its answers are not attack
// sets, and verification leaves it alone.
#pragma once

#include "methods/method.hpp"

namespace slidebench {

struct Empty {
  static constexpr MethodInfo info{.id = "empty",
                                   .title = "Empty (the replay loop alone)",
                                   .family = "baseline",
                                   .inventor = "slidebench",
                                   .year = 2026,
                                   .reference = "methods/empty.hpp",
                                   .requires_isa = Isa::none};
  static constexpr auto tables = no_tables;

  static constexpr Bitboard bishop(Square s, Bitboard occupied) { return occupied + s; }
  static constexpr Bitboard rook(Square s, Bitboard occupied) { return occupied + s; }
  static constexpr Bitboard queen(Square s, Bitboard occupied) { return occupied + s; }
  static constexpr BishopRook both(Square s, Bitboard occupied) { return {occupied + s, occupied}; }
  static constexpr Bitboard set_attacks(Bitboard diagonal_sliders, Bitboard orthogonal_sliders, Bitboard occupied) {
    return occupied + diagonal_sliders + orthogonal_sliders;
  }
  static constexpr void batch(const SliderBatch& sliders, Bitboard occupied, Bitboard* attacks) {
    attacks[0] = occupied + sliders.squares[0];  // the others stay as they are: reading them is the loop's cost
  }
};

}  // namespace slidebench
