// SPDX-License-Identifier: MIT
//
// What every fill is made of: the shift and the guard of a direction, and the union over four directions.
#pragma once

#include "methods/bitboard.hpp"

namespace slidebench {

/// Moves a whole set by `steps` steps in direction d, without a guard: squares that run over the a- or h-file appear on
/// the other side of the board.
template <Direction d, unsigned steps = 1>
constexpr Bitboard shift(Bitboard b) {
  switch (d) {
    case Direction::north: return b << (8 * steps);
    case Direction::east: return b << (1 * steps);
    case Direction::northeast: return b << (9 * steps);
    case Direction::northwest: return b << (7 * steps);
    case Direction::south: return b >> (8 * steps);
    case Direction::west: return b >> (1 * steps);
    case Direction::southwest: return b >> (9 * steps);
    case Direction::southeast: return b >> (7 * steps);
  }
  return 0;
}

/// The squares on which one step in direction d can rightly arrive: all but the file on which a wrapped step lands.
template <Direction d>
inline constexpr Bitboard guard =
    d == Direction::east || d == Direction::northeast || d == Direction::southeast   ? ~a_file
    : d == Direction::west || d == Direction::northwest || d == Direction::southwest ? ~h_file
                                                                                     : ~Bitboard{0};

/// The queries of a method that fills one direction at a time, given Method::fill<d>(sliders, empty squares): the
/// squares that the sliders attack in direction d.
template <class Method>
struct DirectionalFill {
  static constexpr Bitboard bishop(Square s, Bitboard occupied) { return diagonal(bit(s), ~occupied); }
  static constexpr Bitboard rook(Square s, Bitboard occupied) { return orthogonal(bit(s), ~occupied); }

  static constexpr Bitboard set_attacks(Bitboard diagonal_sliders, Bitboard orthogonal_sliders, Bitboard occupied) {
    return diagonal(diagonal_sliders, ~occupied) | orthogonal(orthogonal_sliders, ~occupied);
  }

 private:
  static constexpr Bitboard diagonal(Bitboard sliders, Bitboard empty) {
    return Method::template fill<Direction::northeast>(sliders, empty) |
           Method::template fill<Direction::northwest>(sliders, empty) |
           Method::template fill<Direction::southwest>(sliders, empty) |
           Method::template fill<Direction::southeast>(sliders, empty);
  }

  static constexpr Bitboard orthogonal(Bitboard sliders, Bitboard empty) {
    return Method::template fill<Direction::north>(sliders, empty) |
           Method::template fill<Direction::east>(sliders, empty) |
           Method::template fill<Direction::south>(sliders, empty) |
           Method::template fill<Direction::west>(sliders, empty);
  }
};

}  // namespace slidebench
