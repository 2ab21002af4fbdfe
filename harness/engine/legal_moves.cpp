// SPDX-License-Identifier: MIT
#include "harness/engine/legal_moves.hpp"

#include "harness/engine/move_generator.hpp"
#include "harness/engine/position.hpp"
#include "harness/engine/uci_move.hpp"
#include "methods/calculation/hyperbola.hpp"

namespace slidebench::engine {

MoveList legal_moves(const PositionState& state) {
  const Position<Hyperbola> position(state);
  MoveList moves;
  generate<GenKind::all>(position, moves);
  return moves;
}

std::optional<Move> legal_move(const PositionState& state, std::string_view uci) {
  return find_uci(uci, legal_moves(state));
}

PositionState after(const PositionState& state, Move move) {
  Position<Hyperbola> position(state);
  position.make(move);
  return position.state();
}

}  // namespace slidebench::engine
