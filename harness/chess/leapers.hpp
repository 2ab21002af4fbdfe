// SPDX-License-Identifier: MIT
//
// What an engine knows of the board besides sliding attacks: where knights, kings and pawns reach, and the lines
// through two squares. Small tables on purpose (5 KiB): the memory here must not hide that of the methods.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "methods/bitboard.hpp"

namespace slidebench {

inline constexpr std::array<Bitboard, 64> king_attacks = [] {
  std::array<Bitboard, 64> attacks{};
  for (Square s = 0; s < 64; ++s) {
    const Bitboard row = bit(s) | step(bit(s), Direction::east) | step(bit(s), Direction::west);
    attacks[s] = (row | step(row, Direction::north) | step(row, Direction::south)) ^ bit(s);
  }
  return attacks;
}();

inline constexpr std::array<Bitboard, 64> knight_attacks = [] {
  std::array<Bitboard, 64> attacks{};
  for (Square s = 0; s < 64; ++s) {
    for (const Direction straight : orthogonal_directions) {
      for (const Direction oblique : diagonal_directions) {
        const Bitboard target = step(step(bit(s), straight), oblique);
        // One step straight and one oblique leads to a knight's target, or back beside the start.
        attacks[s] |= target & ~king_attacks[s];
      }
    }
  }
  return attacks;
}();

/// By colour (white first) and square of the pawn.
inline constexpr std::array<std::array<Bitboard, 64>, 2> pawn_attacks = [] {
  std::array<std::array<Bitboard, 64>, 2> attacks{};
  for (Square s = 0; s < 64; ++s) {
    attacks[0][s] = step(bit(s), Direction::northeast) | step(bit(s), Direction::northwest);
    attacks[1][s] = step(bit(s), Direction::southeast) | step(bit(s), Direction::southwest);
  }
  return attacks;
}();

namespace lines {

/// Nothing, and the four lines through a square.
enum Kind : std::uint8_t { none, rank, file, diagonal, antidiagonal, kinds };

inline constexpr std::array<std::array<Bitboard, 64>, kinds> masks = [] {
  std::array<std::array<Bitboard, 64>, kinds> table{};
  for (Square s = 0; s < 64; ++s) {
    table[rank][s] = rank_mask(s) | bit(s);
    table[file][s] = file_mask(s) | bit(s);
    table[diagonal][s] = diagonal_mask(s) | bit(s);
    table[antidiagonal][s] = antidiagonal_mask(s) | bit(s);
  }
  return table;
}();

/// The number of the step from a to b: on a board of sixteen files, where no two steps share a number.
constexpr unsigned step_number(Square a, Square b) { return (b + (b & ~7u)) - (a + (a & ~7u)) + 119; }

inline constexpr std::array<Kind, 239> kind_of_step = [] {
  std::array<Kind, 239> table{};
  for (Square a = 0; a < 64; ++a) {
    for (Square b = 0; b < 64; ++b) {
      if (a == b) continue;
      for (const Kind kind : {rank, file, diagonal, antidiagonal}) {
        if ((masks[kind][a] & bit(b)) != 0) table[step_number(a, b)] = kind;
      }
    }
  }
  return table;
}();

}  // namespace lines

/// The whole line, from edge to edge, on which two different squares lie, both included; empty if they share none.
constexpr Bitboard line(Square a, Square b) { return lines::masks[lines::kind_of_step[lines::step_number(a, b)]][a]; }

/// The squares between two squares of a line, both excluded; empty if they share no line.
constexpr Bitboard between(Square a, Square b) {
  const Bitboard ends = bit(a) | bit(b);
  // On a line the squares between a and b are those whose numbers lie between theirs.
  const Bitboard above_lower = ~(ends ^ (ends - 1));
  const Bitboard below_upper = bit(a > b ? a : b) - 1;
  return line(a, b) & above_lower & below_upper;
}

}  // namespace slidebench
