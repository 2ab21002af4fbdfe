// SPDX-License-Identifier: MIT
//
// Classical rays: the empty-board attacks, minus what lies behind the first blocker of each ray.
//
// On a ray, the occupied square nearest to the slider is found by a bit scan: the lowest bit of (ray & occupied) when
// the ray leads to higher squares, the highest bit when it leads to lower ones. The ray of the same direction that
// begins at that blocker is exactly what the blocker hides:
//
//                             ray east of b:    . . 1 1 1 1 1 1
//      . b . . X . x .        ray east of X:    . . . . . 1 1 1
//                             b's attacks:      . . 1 1 1 . . .     (the XOR of the two)
//
// The four hidden parts of a rook (or bishop) are disjoint subsets of its empty-board attacks, so one XOR with that set
// removes them all. Rays without a blocker need no branch: every ray that leads up has h8 among its stops, every ray
// that leads down a1, and both count as occupied. No ray goes on from there, so nothing is hidden by them.
//
// The eight rays of the slider lie in one cache line. What a blocker hides is stored by direction, so that the scan's
// result is the index without a shift; downward, as counted from h8, the leading zeros themselves.
//
// Idea: bitboard programs since the 1970s; this form after R. Hyatt (Crafty) and M. Sherwin.
// Source: G. Isenberg, Efficient Generation of Sliding Piece Attacks (Dresden 2008), "ray attacks";
//         Chessprogramming wiki, Classical Approach.
// Tables: rays with stops 4,096 + hidden squares 4,096 + empty-board attacks 1,024 = 9,216 bytes.
// Loads per bishop or rook: 9 (four rays of one line, four hidden sets of four lines, one empty-board set).
// Relies on: fast bit scans (TZCNT/LZCNT at v3, BSF/BSR below). Slow where the four dependent loads miss.
#pragma once

#include "methods/method.hpp"
#include "methods/reference.hpp"

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
    const Bitboard stopped = occupied | last_stops;
    return open[std::size_t{2} * s] ^
           (behind_up<Direction::northeast>(s, stopped) | behind_up<Direction::northwest>(s, stopped) |
            behind_down<Direction::southwest>(s, stopped) | behind_down<Direction::southeast>(s, stopped));
  }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    const Bitboard stopped = occupied | last_stops;
    return open[std::size_t{2} * s + 1] ^
           (behind_up<Direction::north>(s, stopped) | behind_up<Direction::east>(s, stopped) |
            behind_down<Direction::south>(s, stopped) | behind_down<Direction::west>(s, stopped));
  }

 private:
  static constexpr Bitboard last_stops = bit(63) | bit(0);

  static constexpr auto leads_up = [](unsigned direction) { return direction < 4; };

  /// Element 8 * square + direction: the ray and its last stop.
  static constexpr Table<Bitboard, 64 * 8> rays = [] {
    Table<Bitboard, 64 * 8> table;
    for (unsigned i = 0; i < 64 * 8; ++i) {
      table.data[i] = ray(static_cast<Direction>(i % 8), i / 8) | (leads_up(i % 8) ? bit(63) : bit(0));
    }
    return table;
  }();

  /// Element 64 * direction + n: the ray from the blocker that has n squares below it (directions that lead up) or
  /// above it (directions that lead down).
  static constexpr Table<Bitboard, 8 * 64> behind = [] {
    Table<Bitboard, 8 * 64> table;
    for (unsigned d = 0; d < 8; ++d) {
      for (unsigned n = 0; n < 64; ++n)
        table.data[64 * d + n] = ray(static_cast<Direction>(d), leads_up(d) ? n : 63 - n);
    }
    return table;
  }();

  /// Element 2 * square: the bishop's attacks on the empty board; the one after it: the rook's.
  static constexpr Table<Bitboard, 2 * 64> open = [] {
    Table<Bitboard, 2 * 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[2 * s] = reference::bishop(s, 0);
      table.data[2 * s + 1] = reference::rook(s, 0);
    }
    return table;
  }();

  template <Direction d>
  static constexpr Bitboard blockers(Square s, Bitboard stopped) {
    return rays[std::size_t{8} * s + static_cast<unsigned>(d)] & stopped;
  }

  /// What the first blocker of a ray toward higher squares hides. The built-in scans ask for a set that is not empty,
  /// which the stops see to; std::countr_zero would test for it where the processor's scan does not.
  template <Direction d>
  static constexpr Bitboard behind_up(Square s, Bitboard stopped) {
    const auto squares_below = static_cast<unsigned>(__builtin_ctzll(blockers<d>(s, stopped)));
    return behind[64 * static_cast<unsigned>(d) + squares_below];
  }

  /// What the first blocker of a ray toward lower squares hides.
  template <Direction d>
  static constexpr Bitboard behind_down(Square s, Bitboard stopped) {
    const auto squares_above = static_cast<unsigned>(__builtin_clzll(blockers<d>(s, stopped)));
    return behind[64 * static_cast<unsigned>(d) + squares_above];
  }

 public:
  static constexpr std::array tables{table_info("rays", rays), table_info("behind", behind), table_info("open", open)};
};

}  // namespace slidebench
