// SPDX-License-Identifier: MIT
//
// What a factor of one square has to tell apart: its relevant occupancies, and which of them have equal attacks.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "methods/magic/occupancies.hpp"

namespace slidebench::magic {

/// Element i of the vectors stands for the occupancy that has relevant square j exactly if bit j of i is set; the
/// relevant squares count from the highest (squares[0]) down.
struct SquareProblem {
  Piece piece;
  Square square;
  std::vector<Square> squares;
  std::vector<Bitboard> occupancies;
  std::vector<std::uint8_t> attack_numbers;  ///< from 1; equal for equal attack sets. A square has at most 144
  std::vector<std::uint16_t> testing_order;  ///< all occupancies, those of few blockers first: a bad factor shows soon

  unsigned bits() const { return static_cast<unsigned>(squares.size()); }
};

SquareProblem square_problem(Piece piece, Square square);

/// "rook on b8".
std::string square_text(Piece piece, Square square);

/// Bits of a factor that are given beforehand.
struct FixedBits {
  std::uint64_t mask = 0;
  std::uint64_t value = 0;
};

/// Two occupancies that a hash sends to one slot although their attacks differ.
using Collision = std::pair<Bitboard, Bitboard>;

/// The first harmful collision of index(occupancy), or nothing: then the hash is valid. `slots`: more than any index.
template <class Index>
std::optional<Collision> find_collision(const SquareProblem& problem, std::size_t slots, Index index) {
  std::vector<std::uint32_t> owner(slots, 0);  // 1 + the first occupancy there
  for (std::uint32_t i = 0; i < problem.occupancies.size(); ++i) {
    std::uint32_t& first = owner[index(problem.occupancies[i])];
    if (first == 0) {
      first = i + 1;
    } else if (problem.attack_numbers[first - 1] != problem.attack_numbers[i]) {
      return Collision{problem.occupancies[first - 1], problem.occupancies[i]};
    }
  }
  return std::nullopt;
}

}  // namespace slidebench::magic
