// SPDX-License-Identifier: MIT
//
// Ray walking: from the slider, take one step at a time in each direction until a blocker or the edge stops the ray.
//
//      . . 1 . .        Every step adds its square; a step onto an occupied square adds it and ends the ray. This is
//      . . 1 . .        the definition of a sliding attack, so the suite uses it as its oracle, and times it here to
//      X 1 R 1 1        show what the others save. It needs no table and no insight, and pays with about one loop
//      . . 1 . .        exit a ray that no branch predictor can know.
//      . . X . .
//
// Inventor: none; every mailbox program of the 1950s and since walks rays this way.
// Tables: none. Loads per query: none. Instructions relied on: none.
#pragma once

#include "methods/method.hpp"
#include "methods/reference.hpp"

namespace slidebench {

struct RayWalk {
  static constexpr MethodInfo info{.id = "ray_walk",
                                   .title = "Ray walking (the oracle)",
                                   .family = "calculation",
                                   .inventor = "folklore",
                                   .year = 1950,
                                   .reference = "methods/reference.hpp",
                                   .requires_isa = Isa::none};

  static constexpr Bitboard bishop(Square s, Bitboard occupied) { return reference::bishop(s, occupied); }
  static constexpr Bitboard rook(Square s, Bitboard occupied) { return reference::rook(s, occupied); }
};

}  // namespace slidebench
