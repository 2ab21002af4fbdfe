// SPDX-License-Identifier: MIT
#include "extras/magics/square_problem.hpp"

#include <algorithm>

#include "harness/chess/squares.hpp"

namespace slidebench::magic {

SquareProblem square_problem(Piece piece, Square square) {
  SquareProblem problem{
      .piece = piece, .square = square, .squares = {}, .occupancies = {}, .attack_numbers = {}, .testing_order = {}};
  for (Bitboard mask = relevant(piece, square); mask != 0;) {
    problem.squares.push_back(highest_square(mask));
    mask ^= bit(problem.squares.back());
  }
  std::vector<Bitboard> known;
  for (std::size_t i = 0; i < std::size_t{1} << problem.bits(); ++i) {
    Bitboard occupied = 0;
    for (unsigned j = 0; j < problem.bits(); ++j) {
      if ((i >> j & 1) != 0) occupied |= bit(problem.squares[j]);
    }
    const Bitboard attacked = attacks(piece, square, occupied);
    const auto found = std::find(known.begin(), known.end(), attacked);
    problem.occupancies.push_back(occupied);
    problem.testing_order.push_back(static_cast<std::uint16_t>(i));
    problem.attack_numbers.push_back(static_cast<std::uint8_t>(found - known.begin() + 1));
    if (found == known.end()) known.push_back(attacked);
  }
  std::stable_sort(problem.testing_order.begin(), problem.testing_order.end(),
                   [](std::uint16_t a, std::uint16_t b) { return std::popcount(a) < std::popcount(b); });
  return problem;
}

std::string square_text(Piece piece, Square square) {
  return std::string(piece == Piece::bishop ? "bishop" : "rook") + " on " + square_name(square);
}

}  // namespace slidebench::magic
