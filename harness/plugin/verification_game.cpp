// SPDX-License-Identifier: MIT
#include <sstream>
#include <stdexcept>
#include <vector>

#include "harness/engine/fen.hpp"
#include "harness/engine/legal_moves.hpp"
#include "harness/plugin/verification.hpp"

namespace slidebench {
namespace {

/// Morphy, P - Hart, 1857, from the public-domain collection that datasets/README.md describes.
constexpr const char* moves =
    "e2e4 e7e5 g1f3 b8c6 d2d4 e5d4 f1c4 d7d6 c2c3 d4c3 d1b3 d8e7 e1g1 b7b6 b1c3 c6a5 b3b4 a5c4 b4c4 c8b7 f1e1 e8c8 "
    "c1f4 f7f6 a1c1 c8b8 c3d5 b7d5 e4d5 e7d7 f3d4 g8e7 e1e7 f8e7 c4a6 c7c5 d5c6 d7c8 c6c7 b8a8 c7d8q c8d8 d4b5 d8b8 "
    "c1c7";

std::vector<Bitboard> play() {
  engine::PositionState position = engine::parse_fen(engine::start_position);
  std::vector<Bitboard> occupancies{position.colors[0] | position.colors[1]};
  std::istringstream words(moves);
  for (std::string word; words >> word;) {
    const std::optional<engine::Move> move = engine::legal_move(position, word);
    if (!move) throw std::logic_error("the game of the verification cannot be played at " + word);
    position = engine::after(position, *move);
    occupancies.push_back(position.colors[0] | position.colors[1]);
  }
  return occupancies;
}

}  // namespace

std::span<const Bitboard> verification_game_occupancies() {
  static const std::vector<Bitboard> occupancies = play();
  return occupancies;
}

}  // namespace slidebench
