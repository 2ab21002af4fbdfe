// SPDX-License-Identifier: MIT
//
// Classical rays: the empty-board attacks, minus what lies behind the first blocker of each ray.
//
// One table holds the eight rays of every square. On a ray, the occupied square nearest to the slider is found by a bit
// scan: the lowest bit of (ray & occupied) when the ray leads to higher squares, the highest bit when it leads to lower
// ones. The ray of the same direction that begins at that blocker is exactly what the blocker hides:
//
//                             ray east of b:    . . 1 1 1 1 1 1
//      . b . . X . x .        ray east of X:    . . . . . 1 1 1
//                             b's attacks:      . . 1 1 1 . . .     (the XOR of the two)
//
// The four hidden parts of a rook (or bishop) are disjoint subsets of its empty-board attacks, so one XOR with that set
// removes them all. Rays without a blocker need no branch: bit 63 (h8) is or-ed in before a scan upward and bit 0 (a1)
// before a scan downward, and the continuing ray from there is empty for every direction that can meet it.
//
// Idea: bitboard programs since the 1970s; this form after R. Hyatt (Crafty) and M. Sherwin.
// Source: G. Isenberg, Efficient Generation of Sliding Piece Attacks (Dresden 2008), "ray attacks";
//         Chessprogramming wiki, Classical Approach.
// Tables: 8 rays x 64 squares x 8 bytes = 4,096 bytes, one cache line a square.
// Loads per bishop or rook: 8 (four rays in the slider's line, four in the lines of the blockers).
// Relies on: fast bit scans (TZCNT/LZCNT at v3, BSF/BSR below). Slow where the four dependent loads miss.
#pragma once

#include "methods/method.hpp"

namespace slidebench {

struct ClassicalRays {
  static constexpr MethodInfo info{.id = "classical_rays",
                                   .title = "Classical rays (bit scan)",
                                   .family = "calculation",
                                   .inventor = "R. Hyatt, M. Sherwin",
                                   .year = 1995,
                                   .reference = "https://www.chessprogramming.org/Classical_Approach",
                                   .requires_isa = Isa::none};

  static constexpr Bitboard bishop(Square s, Bitboard occupied) {
    const Bitboard hidden =
        behind_up<Direction::northeast>(s, occupied) | behind_up<Direction::northwest>(s, occupied) |
        behind_down<Direction::southwest>(s, occupied) | behind_down<Direction::southeast>(s, occupied);
    const Bitboard open = ray_of<Direction::northeast>(s) | ray_of<Direction::northwest>(s) |
                          ray_of<Direction::southwest>(s) | ray_of<Direction::southeast>(s);
    return open ^ hidden;
  }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    const Bitboard hidden = behind_up<Direction::north>(s, occupied) | behind_up<Direction::east>(s, occupied) |
                            behind_down<Direction::south>(s, occupied) | behind_down<Direction::west>(s, occupied);
    const Bitboard open = ray_of<Direction::north>(s) | ray_of<Direction::east>(s) | ray_of<Direction::south>(s) |
                          ray_of<Direction::west>(s);
    return open ^ hidden;
  }

 private:
  static constexpr Table<Bitboard, 8 * 64> rays = [] {
    Table<Bitboard, 8 * 64> table;
    for (Square s = 0; s < 64; ++s) {
      for (unsigned d = 0; d < 8; ++d) table.data[8 * s + d] = ray(static_cast<Direction>(d), s);
    }
    return table;
  }();

  template <Direction d>
  static constexpr Bitboard ray_of(Square s) {
    return rays[std::size_t{8} * s + static_cast<unsigned>(d)];
  }

  /// What the first blocker of a ray toward higher squares hides.
  template <Direction d>
  static constexpr Bitboard behind_up(Square s, Bitboard occupied) {
    return ray_of<d>(lowest_square((ray_of<d>(s) & occupied) | bit(63)));
  }

  /// What the first blocker of a ray toward lower squares hides.
  template <Direction d>
  static constexpr Bitboard behind_down(Square s, Bitboard occupied) {
    return ray_of<d>(highest_square((ray_of<d>(s) & occupied) | bit(0)));
  }

 public:
  static constexpr std::array tables{table_info("rays", rays)};
};

}  // namespace slidebench
