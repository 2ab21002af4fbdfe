// SPDX-License-Identifier: MIT
//
// Diagonals as rotated bitboards see them: short words of 1 to 8 bits, and compressed vectors of attack sets.
//
// A vector holds the attack sets of one square along one line, one for each occupancy of the line's L - 2 inner
// squares: 2^(L-2) sets instead of the 64 of a whole row, and 1,282 instead of 4,096 for all squares.
#pragma once

#include <array>
#include <cstdint>

#include "methods/reference.hpp"
#include "methods/table.hpp"

namespace slidebench {

/// Where a square stands on a diagonal or antidiagonal, counted from the line's square with the smallest file.
struct DiagonalPlace {
  unsigned line;    ///< 0 to 14: rank - file + 7 of a diagonal (0 is h1's), rank + file of an antidiagonal (0 is a1's)
  unsigned length;  ///< squares of the line, 1 to 8
  unsigned place;   ///< 0 to length - 1
  int step;         ///< from a square to the next one on the line

  constexpr unsigned inner_squares() const { return length > 2 ? length - 2 : 0; }
  constexpr unsigned inner_mask() const { return (1u << inner_squares()) - 1; }
};

constexpr DiagonalPlace place_on_line(unsigned line, unsigned place, int step) {
  return {line, line < 7 ? line + 1 : 15 - line, place, step};
}

constexpr DiagonalPlace place_on_diagonal(Square s) {
  const unsigned file = file_of(s);
  const unsigned rank = rank_of(s);
  return place_on_line(rank + 7 - file, file < rank ? file : rank, 9);
}

constexpr DiagonalPlace place_on_antidiagonal(Square s) {
  const unsigned file = file_of(s);
  const unsigned rank = rank_of(s);
  return place_on_line(rank + file, file < 7 - rank ? file : 7 - rank, -7);
}

/// The occupancy whose inner squares on the line of s spell `inner`, lowest file first.
constexpr Bitboard spread_on_line(Square s, const DiagonalPlace& line, unsigned inner) {
  Bitboard occupied = 0;
  for (unsigned j = 0; j < line.inner_squares(); ++j) {
    const int offset = (static_cast<int>(j + 1) - static_cast<int>(line.place)) * line.step;
    if ((inner >> j & 1) != 0) occupied |= bit(static_cast<Square>(static_cast<int>(s) + offset));
  }
  return occupied;
}

/// Where the vector of each square begins.
template <class PlaceOf>
constexpr std::array<std::uint16_t, 64> vector_starts(PlaceOf place_of) {
  std::array<std::uint16_t, 64> starts{};
  unsigned next = 0;
  for (Square s = 0; s < 64; ++s) {
    starts[s] = static_cast<std::uint16_t>(next);
    next += place_of(s).inner_mask() + 1;
  }
  return starts;
}

inline constexpr std::array<std::uint16_t, 64> diagonal_starts = vector_starts(place_on_diagonal);
inline constexpr std::array<std::uint16_t, 64> antidiagonal_starts = vector_starts(place_on_antidiagonal);

/// The vectors of all squares, end to end.
template <Direction up, Direction down, class PlaceOf>
constexpr Table<Bitboard, 1282> build_vectors(PlaceOf place_of) {
  Table<Bitboard, 1282> table;
  std::size_t next = 0;
  for (Square s = 0; s < 64; ++s) {
    const DiagonalPlace line = place_of(s);
    for (unsigned inner = 0; inner <= line.inner_mask(); ++inner) {
      const Bitboard occupied = spread_on_line(s, line, inner);
      table.data[next++] = reference::walk<up>(s, occupied) | reference::walk<down>(s, occupied);
    }
  }
  return table;
}

/// Element diagonal_starts[s] + occupancy of the inner squares of the diagonal of s: its attacks. 10,256 bytes.
inline constexpr Table<Bitboard, 1282> diagonal_vectors =
    build_vectors<Direction::northeast, Direction::southwest>(place_on_diagonal);

/// The same for antidiagonals.
inline constexpr Table<Bitboard, 1282> antidiagonal_vectors =
    build_vectors<Direction::northwest, Direction::southeast>(place_on_antidiagonal);

}  // namespace slidebench
