// SPDX-License-Identifier: MIT
//
// Reads what pgn-extract prints: tags, an empty line, and the moves in UCI notation, game after game.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/line_reader.hpp"

namespace slidebench {

struct GameText {
  std::string white, black, event, date;  ///< as the PGN has them, in whatever encoding; empty if missing
  std::optional<std::string> fen;         ///< the start position, if it is not the usual one
  std::vector<std::string> moves;         ///< as pgn-extract writes them, "e2e4", "a7a8Q"
  bool has_result = false;                ///< the moves end with "1-0", "*" and so on
};

/// "White - Black, event, date" in valid UTF-8: a game's name in reports.
std::string game_name(const GameText& game);

class GameReader {
 public:
  explicit GameReader(int fd) : lines_(fd) {}

  /// The next game; nothing at the end.
  std::optional<GameText> next();

 private:
  LineReader lines_;
  std::string next_tag_;  ///< the line that ended the game before
};

}  // namespace slidebench
