// SPDX-License-Identifier: MIT
#include "harness/import/pgn_games.hpp"

#include "harness/base/text.hpp"

namespace slidebench {
namespace {

bool is_result(std::string_view word) { return word == "1-0" || word == "0-1" || word == "1/2-1/2" || word == "*"; }

}  // namespace

std::string game_name(const GameText& game) {
  std::string name =
      to_utf8(game.white.empty() ? "?" : game.white) + " - " + to_utf8(game.black.empty() ? "?" : game.black);
  for (const std::string_view detail : {game.event, game.date}) {
    if (!detail.empty()) name += ", " + to_utf8(detail);
  }
  return name;
}

bool GameAssembler::add_line(std::string_view line) {
  if (handed_out_) begin_game();
  if (line.starts_with('[')) {
    if (in_moves_) {
      next_tag_ = line;
      complete();
      return true;
    }
    in_game_ = true;
    add_tag(line);
  } else if (in_game_) {
    in_moves_ = true;
    moves_ += line;
    moves_ += ' ';
  }
  return false;
}

bool GameAssembler::finish() {
  if (handed_out_) begin_game();
  if (!in_game_) return false;
  complete();
  return true;
}

void GameAssembler::begin_game() {
  handed_out_ = in_game_ = in_moves_ = has_fen_ = false;
  for (std::string* text : {&white_, &black_, &event_, &date_, &fen_, &moves_}) text->clear();
  if (next_tag_.empty()) return;
  in_game_ = true;
  add_tag(next_tag_);
  next_tag_.clear();
}

void GameAssembler::add_tag(std::string_view line) {
  const auto space = line.find(' ');
  const auto first = line.find('"');
  const auto last = line.rfind('"');
  if (space == std::string_view::npos || first == std::string_view::npos || first == last) return;
  const std::string_view name = line.substr(1, space - 1);
  const std::string_view value = line.substr(first + 1, last - first - 1);
  if (name == "White") white_ = value;
  if (name == "Black") black_ = value;
  if (name == "Event") event_ = value;
  if (name == "Date") date_ = value;
  if (name == "FEN") {
    fen_ = value;
    has_fen_ = true;
  }
}

void GameAssembler::complete() {
  handed_out_ = true;
  game_.white = white_;
  game_.black = black_;
  game_.event = event_;
  game_.date = date_;
  game_.fen = has_fen_ ? std::optional<std::string_view>(fen_) : std::nullopt;
  game_.moves.clear();
  game_.has_result = false;
  const std::string_view text = moves_;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find(' ', begin);
    const std::string_view word = text.substr(begin, end - begin);
    if (is_result(word)) {
      game_.has_result = true;
    } else if (!word.empty()) {
      game_.moves.push_back(word);
    }
    begin = end + 1;  // every line ends with a space
  }
}

}  // namespace slidebench
