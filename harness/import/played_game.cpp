// SPDX-License-Identifier: MIT
#include "harness/import/played_game.hpp"

#include <cctype>
#include <optional>

#include "harness/base/errors.hpp"
#include "harness/base/text.hpp"
#include "harness/engine/fen.hpp"
#include "harness/engine/legal_moves.hpp"

namespace slidebench::engine {
namespace {

/// The legal move that pgn-extract has written: UCI's notation, but "a7a8Q".
std::optional<Move> legal_move(const GamePosition& position, std::string_view text) {
  std::string uci(text);
  if (uci.size() == 5) uci.back() = static_cast<char>(std::tolower(static_cast<unsigned char>(uci.back())));
  MoveList moves;
  generate<GenKind::all>(position, moves);
  return find_uci(uci, moves);
}

}  // namespace

std::string play_game(const GameText& game, const PositionVisit& visit) {
  std::optional<GamePosition> position;
  try {
    position.emplace(parse_fen(game.fen ? std::string_view(*game.fen) : start_position));
  } catch (const UserError& error) {
    return error.what();
  }
  for (const std::string_view text : game.moves) {
    const std::optional<Move> move = legal_move(*position, text);
    if (!move) return "cannot follow move " + to_utf8(text) + " on a standard board";
    visit(*position, &*move);
    if (position->ply() == GamePosition::max_ply) position.emplace(position->state());
    position->make(*move);
  }
  visit(*position, nullptr);
  return {};
}

}  // namespace slidebench::engine
