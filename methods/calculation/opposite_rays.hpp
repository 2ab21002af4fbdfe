// SPDX-License-Identifier: MIT
//
// Opposite rays: from each of the two blockers of a line send a ray back, and the attacks are where the two meet.
//
// A line is a pattern of bits at equal distances: 8 on a file, 9 and 7 on the diagonals. Shifted to the slider it is a
// ray without end, and a bit scan finds the first occupied square on it. The edge on which the ray leaves the board
// counts as occupied, so that there always is one, and what the pattern does beyond the edge does not matter:
//
//      first blocker above   U = lowest  of (pattern << s)        & (occupied | edges of the rays up)
//      first blocker below   L = highest of (pattern >> (63 - s)) & (occupied | edges of the rays down)
//      attacks               (pattern >> (63 - U)) & (pattern << L), without the slider
//
//      pattern << L          from L up     . . . X X X X X        L is the rightmost X of this one,
//      pattern >> (63 - U)   from U down   X X X X X . . .  ...   U the leftmost of that one; both: L to U
//
// No table, not even a mask: everything is made from the square by shifts. All four patterns hold both corners, a1 for
// the shifts up and h8 for those down, and a whole rank or file of sentinels costs nothing, since squares off the line
// are not in the pattern.
//
// Inventor: Fabio Gobbato (QBBEngine; on the wiki since 2020). The published code takes the slider off the occupancy by
// XOR, which on an empty square puts one there, and every answer is wrong; here by AND-NOT.
// Source: Chessprogramming wiki, QBBEngine; https://github.com/Gigantua/Chess_Movegen.
// Tables: none. Loads: none. Relies on: two scans and four variable shifts a line (TZCNT, LZCNT, SHLX, SHRX at v3).
#pragma once

#include "methods/method.hpp"

namespace slidebench {

struct OppositeRays {
  static constexpr MethodInfo info{.id = "opposite_rays",
                                   .title = "Opposite rays (QBB)",
                                   .family = "calculation",
                                   .inventor = "F. Gobbato",
                                   .year = 2020,
                                   .reference = "https://www.chessprogramming.org/QBBEngine",
                                   .requires_isa = Isa::none};
  static constexpr auto tables = no_tables;

  static constexpr Bitboard bishop(Square s, Bitboard occupied) {
    constexpr Bitboard sevens = 0x8102040810204081;  // the antidiagonal, and both corners
    const Bitboard others = occupied & ~bit(s);
    const Bitboard diagonal =
        line(s, main_diagonal, main_diagonal, others | eighth_rank | h_file, others | first_rank | a_file);
    const Bitboard antidiagonal = line(s, sevens, sevens, others | eighth_rank | a_file, others | first_rank | h_file);
    return (diagonal | antidiagonal) & ~bit(s);
  }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    const Bitboard others = occupied & ~bit(s);
    const Bitboard file = line(s, a_file, h_file, others | eighth_rank, others | first_rank);
    const Bitboard rank = line(s, first_rank, eighth_rank, others | h_file, others | a_file);
    return (file | rank) & ~bit(s);
  }

 private:
  /// The squares of a line from one blocker to the other, the slider among them. `from_a1` and `from_h8` are the line's
  /// pattern as it begins in these corners.
  static constexpr Bitboard line(Square s, Bitboard from_a1, Bitboard from_h8, Bitboard stops_up, Bitboard stops_down) {
    const Square upper = lowest((from_a1 << s) & stops_up);
    const Square lower = highest((from_h8 >> (63 - s)) & stops_down);
    return (from_h8 >> (63 - upper)) & (from_a1 << lower);
  }

  // The built-in scans ask for a set that is not empty, which the edges see to.
  static constexpr Square lowest(Bitboard set) { return static_cast<Square>(__builtin_ctzll(set)); }
  static constexpr Square highest(Bitboard set) { return static_cast<Square>(63 ^ __builtin_clzll(set)); }
};

}  // namespace slidebench
