// SPDX-License-Identifier: MIT
//
// Reads what pgn-extract prints: tags, an empty line, and the moves in UCI notation, game after game.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slidebench {

/// One game; everything in it is valid during the callback only.
struct GameText {
  std::string_view white;               ///< as the PGN has it, in whatever encoding; empty if missing
  std::string_view black;               ///< like white
  std::string_view event;               ///< like white
  std::string_view date;                ///< like white
  std::optional<std::string_view> fen;  ///< the start position, if it is not the usual one
  std::vector<std::string_view> moves;  ///< as pgn-extract writes them, "e2e4", "a7a8Q"
  bool has_result = false;              ///< the moves end with "1-0", "*" and so on
};

/// "White - Black, event, date" in valid UTF-8: a game's name in reports.
std::string game_name(const GameText& game);

/// Puts games together from lines.
class GameAssembler {
 public:
  /// Takes the next line, without its line feed. Returns true if a game is complete before this line; the game stays
  /// valid until the next call, and the line is not lost.
  bool add_line(std::string_view line);

  /// Ends the text. Returns true if there is a last game.
  bool finish();

  const GameText& game() const { return game_; }

 private:
  void begin_game();
  void add_tag(std::string_view line);
  void complete();

  std::string white_, black_, event_, date_, fen_;
  std::string next_tag_;  ///< the line that ended the game before
  std::string moves_;
  bool has_fen_ = false;
  bool in_game_ = false;
  bool in_moves_ = false;
  bool handed_out_ = false;
  GameText game_;
};

}  // namespace slidebench
