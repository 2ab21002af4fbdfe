// SPDX-License-Identifier: MIT
//
// Classical rays without sentinels: the scans of BMI answer 64 for an empty set, and row 64 of the table hides nothing.
//
// classical_rays makes a1 and h8 count as occupied, so that every ray has a blocker and the old scans, undefined for an
// empty set, can be used. TZCNT and LZCNT are defined: they count 64 zeros. One element more for each direction makes
// that an index like any other, and the OR with the sentinels goes:
//
//      n              0 ...                        63   64
//      behind[d][n]   what a blocker there hides   -    nothing
//
// n counts from a1 on rays that lead up and from h8 on rays that lead down, so that both kinds of ray take the scan's
// result as it is. As there, the four hidden parts of a piece are disjoint subsets of its attacks on the empty board,
// and one XOR takes all of them away.
//
// Inventors: the rays as in classical_rays; this form M. Sherwin and D. Infuehr (Chess_Movegen, 2022, "Bob, advanced").
// Source: https://github.com/Gigantua/Chess_Movegen.
// Tables: rays 4,096 + hidden squares 8 x 65 x 8 = 4,160 + empty-board attacks 1,024 = 9,280 bytes.
// Loads per bishop or rook: 9 (four rays of one line, four hidden sets, one empty-board set).
// Relies on: TZCNT and LZCNT. Compiled to BSF and BSR it would be wrong, not slow.
#pragma once

#if !defined(__BMI__) || !defined(__LZCNT__)
#error "classical_rays_lzcnt needs BMI1 and LZCNT: compile for x86-64-v3 or with -mbmi -mlzcnt"
#endif

#include <immintrin.h>

#include "methods/method.hpp"
#include "methods/reference.hpp"

namespace slidebench {

struct ClassicalRaysLzcnt {
  static constexpr MethodInfo info{.id = "classical_rays_lzcnt",
                                   .title = "Classical rays without sentinels (LZCNT)",
                                   .family = "calculation",
                                   .inventor = "M. Sherwin, D. Infuehr",
                                   .year = 2022,
                                   .reference = "https://github.com/Gigantua/Chess_Movegen",
                                   .requires_isa = Isa::bmi1 | Isa::lzcnt};

  static Bitboard bishop(Square s, Bitboard occupied) {
    return open[std::size_t{2} * s] ^
           (behind_up<Direction::northeast>(s, occupied) | behind_up<Direction::northwest>(s, occupied) |
            behind_down<Direction::southwest>(s, occupied) | behind_down<Direction::southeast>(s, occupied));
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    return open[std::size_t{2} * s + 1] ^
           (behind_up<Direction::north>(s, occupied) | behind_up<Direction::east>(s, occupied) |
            behind_down<Direction::south>(s, occupied) | behind_down<Direction::west>(s, occupied));
  }

 private:
  /// Element 8 * square + direction.
  static constexpr Table<Bitboard, 64 * 8> rays = [] {
    Table<Bitboard, 64 * 8> table;
    for (unsigned i = 0; i < 64 * 8; ++i) table.data[i] = ray(static_cast<Direction>(i % 8), i / 8);
    return table;
  }();

  /// Element 65 * direction + n: the ray from the blocker that has n squares below it (directions that lead up) or
  /// above it (directions that lead down); none for n = 64.
  static constexpr Table<Bitboard, 8 * 65> behind = [] {
    Table<Bitboard, 8 * 65> table;
    for (unsigned d = 0; d < 8; ++d) {
      for (unsigned n = 0; n < 64; ++n) table.data[65 * d + n] = ray(static_cast<Direction>(d), d < 4 ? n : 63 - n);
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
  static Bitboard blockers(Square s, Bitboard occupied) {
    return rays[std::size_t{8} * s + static_cast<unsigned>(d)] & occupied;
  }

  /// What the first blocker of a ray toward higher squares hides.
  template <Direction d>
  static Bitboard behind_up(Square s, Bitboard occupied) {
    return behind[65 * static_cast<unsigned>(d) + _tzcnt_u64(blockers<d>(s, occupied))];
  }

  /// What the first blocker of a ray toward lower squares hides.
  template <Direction d>
  static Bitboard behind_down(Square s, Bitboard occupied) {
    return behind[65 * static_cast<unsigned>(d) + _lzcnt_u64(blockers<d>(s, occupied))];
  }

 public:
  static constexpr std::array tables{table_info("rays", rays), table_info("behind", behind), table_info("open", open)};
};

}  // namespace slidebench
