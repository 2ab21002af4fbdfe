// SPDX-License-Identifier: MIT
#include "harness/import/pgn_games.hpp"

#include <algorithm>

#include "harness/base/text.hpp"

namespace slidebench {
namespace {

void add_tag(GameText& game, std::string_view line) {
  const auto space = line.find(' ');
  const auto first = line.find('"');
  const auto last = line.rfind('"');
  if (space == std::string_view::npos || first == std::string_view::npos || first == last) return;
  const std::string_view name = line.substr(1, space - 1);
  const std::string_view value = line.substr(first + 1, last - first - 1);
  if (name == "White") game.white = value;
  if (name == "Black") game.black = value;
  if (name == "Event") game.event = value;
  if (name == "Date") game.date = value;
  if (name == "FEN") game.fen = value;
}

void add_moves(GameText& game, std::string_view line) {
  while (!line.empty()) {
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(word.size() + 1, line.size()));
    if (word == "1-0" || word == "0-1" || word == "1/2-1/2" || word == "*") {
      game.has_result = true;
    } else if (!word.empty()) {
      game.moves.emplace_back(word);
    }
  }
}

}  // namespace

std::string game_name(const GameText& game) {
  std::string name =
      to_utf8(game.white.empty() ? "?" : game.white) + " - " + to_utf8(game.black.empty() ? "?" : game.black);
  for (const std::string& detail : {game.event, game.date}) {
    if (!detail.empty()) name += ", " + to_utf8(detail);
  }
  return name;
}

std::optional<GameText> GameReader::next() {
  GameText game;
  bool in_game = !next_tag_.empty(), in_moves = false;
  if (in_game) add_tag(game, next_tag_);
  next_tag_.clear();
  while (const auto line = lines_.next()) {
    const bool is_tag = line->starts_with('[');
    if (is_tag && in_moves) {
      next_tag_ = *line;
      return game;
    }
    in_game |= is_tag;
    in_moves = in_game && !is_tag;
    if (is_tag) add_tag(game, *line);
    if (in_moves) add_moves(game, *line);
  }
  return in_game ? std::optional(game) : std::nullopt;
}

}  // namespace slidebench
