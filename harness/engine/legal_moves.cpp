// SPDX-License-Identifier: MIT
#include "harness/engine/legal_moves.hpp"

#include <algorithm>

#include "harness/chess/squares.hpp"
#include "harness/engine/move_generator.hpp"
#include "harness/engine/position.hpp"
#include "methods/calculation/hyperbola.hpp"

namespace slidebench::engine {

std::string to_uci(Move move) {
  if (move == Move{}) return "0000";
  std::string text = square_name(move.from()) + square_name(move.to());
  if (move.is_promotion()) text += "pnbrqk"[static_cast<std::size_t>(move.promotion())];
  return text;
}

std::optional<Move> find_uci(std::string_view text, const MoveList& moves) {
  // The first square alone spares most moves from being written.
  const std::optional<Square> from = parse_square(text.substr(0, 2));
  const auto is_named = [&](Move move) { return from == move.from() && to_uci(move) == text; };
  const Move* found = std::find_if(moves.begin(), moves.end(), is_named);
  return found == moves.end() ? std::nullopt : std::optional(*found);
}

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
