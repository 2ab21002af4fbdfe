// SPDX-License-Identifier: MIT
//
// Ray walking: from the slider, take one step at a time in each direction until a blocker or the edge stops the ray.
//
//      . . 1 . .        Every step adds its square; having stepped onto an occupied square, or onto the last one before
//      . . 1 . .        the edge, the ray ends. Both are stops, so that one test a step is enough; the slider's own
//      X 1 R 1 1        square is none. This is the definition of a sliding attack, timed here to show what the other
//      . . 1 . .        methods save. It needs no table and no insight, and pays with one loop exit a ray that no
//      branch . . X . .        predictor can know.
//
// (The suite's oracle, reference.hpp, walks as well, in the plainest way: with a test of its own for the edge.)
//
// Inventor: none; every mailbox program of the 1950s and since walks rays this way.
// Tables: none. Loads per query: none. Instructions relied on: none.
#pragma once

#include "methods/method.hpp"

namespace slidebench {

struct RayWalk {
  static constexpr MethodInfo info{.id = "ray_walk",
                                   .title = "Ray walking",
                                   .family = "calculation",
                                   .inventor = "folklore",
                                   .year = 1950,
                                   .reference = "https://www.chessprogramming.org/Sliding_Piece_Attacks",
                                   .requires_isa = Isa::none};
  static constexpr auto tables = no_tables;

  static constexpr Bitboard bishop(Square s, Bitboard occupied) {
    return walk<Direction::northeast>(s, occupied) | walk<Direction::northwest>(s, occupied) |
           walk<Direction::southwest>(s, occupied) | walk<Direction::southeast>(s, occupied);
  }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    return walk<Direction::north>(s, occupied) | walk<Direction::east>(s, occupied) |
           walk<Direction::south>(s, occupied) | walk<Direction::west>(s, occupied);
  }

 private:
  /// The squares from which a step in direction d leaves the board: those that no step back arrives at.
  template <Direction d>
  static constexpr Bitboard edge = ~step(~Bitboard{0}, static_cast<Direction>(static_cast<unsigned>(d) ^ 4));

  /// The squares from s (excluded) in direction d, up to and including the first stop.
  template <Direction d>
  static constexpr Bitboard walk(Square s, Bitboard occupied) {
    const Bitboard stops = (occupied & ~bit(s)) | edge<d>;
    Bitboard attacks = 0;
    for (Bitboard b = bit(s); (b & stops) == 0;) {
      b = step_inside<d>(b);
      attacks |= b;
    }
    return attacks;
  }

  /// One step of a set that has no square on the edge: a shift without a guard.
  template <Direction d>
  static constexpr Bitboard step_inside(Bitboard b) {
    constexpr unsigned amounts[] = {8, 1, 9, 7};
    constexpr unsigned amount = amounts[static_cast<unsigned>(d) % 4];
    return static_cast<unsigned>(d) < 4 ? b << amount : b >> amount;
  }
};

}  // namespace slidebench
