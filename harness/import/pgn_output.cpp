// SPDX-License-Identifier: MIT
#include "harness/import/pgn_output.hpp"

#include <algorithm>
#include <charconv>

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

/// Reads a number at the front of `text` and cuts it off.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

std::string_view trim_end(std::string_view text) { return text.substr(0, text.find_last_not_of(" \t\r") + 1); }

/// The last line of all: "1 game matched out of 2." It has no space at its end, unlike the name of any game. How many
/// of the games were not printed.
std::optional<std::uint64_t> unprinted_by_summary(std::string_view line) {
  const auto printed = take_number(line);
  if (!printed || !(take(line, " games matched out of ") || take(line, " game matched out of "))) return std::nullopt;
  const auto read = take_number(line);
  if (!read || line != ".") return std::nullopt;
  return *read - std::min(*read, *printed);
}

/// Reads a board and the empty line after it.
void skip_board(LineReader& lines) {
  while (const auto line = lines.next()) {
    if (trim_end(*line).empty()) return;
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

Complaints read_complaints(FileHandle errors, const std::string& source) {
  LineReader lines(errors.get());
  Complaints found;
  std::uint64_t unprinted = 0, missing_results = 0, lost = 0;
  std::optional<std::uint64_t> at_line;
  const auto reject = [&](const std::string& reason) {
    const auto name = lines.next();
    if (!name) return;
    ++found.reported;
    const std::string game = to_utf8(trim_end(*name));
    if (found.named.size() < max_named_rejections) {
      found.named.push_back({source, at_line, game.empty() ? "a game without tags" : game, reason});
    }
    at_line.reset();
  };
  while (const auto line = lines.next()) {
    std::string_view rest = *line;
    if (const auto games = unprinted_by_summary(rest)) {
      unprinted = *games;
      continue;
    }
    lost = 0;
    if (take(rest, "File stdin: Line number: ")) {
      at_line = take_number(rest);
    } else if (take(rest, "Failed to make move ")) {
      const std::string reason = "cannot play " + to_utf8(rest.substr(0, rest.find(" in the game")));
      skip_board(lines);
      reject(reason);
    } else if (trim_end(rest) == "Missing result.") {
      ++missing_results;
      lost = 1;  // unless another line follows before the summary
      reject("no result after the moves");
    }
  }
  found.rejected = unprinted + missing_results;
  found.printed_without_moves = missing_results - lost;
  return found;
}

}  // namespace slidebench
