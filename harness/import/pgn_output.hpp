// SPDX-License-Identifier: MIT
//
// Reads what pgn-extract (19-04) prints. On its standard output: tags, an empty line, and the moves in UCI notation,
// game after game. On its standard error, for the games that it rejects:
//
//   File stdin: Line number: 15                              what follows was noticed at this line of the text
//   Failed to make move 2. Ke4 in the game:                  a rejected game ...
//   rnbqkbnr ... (eight lines of board, and an empty line)
//   Bad - Worse Event ????.??.??                             ... and its name
//   Missing result.                                          a game that ends in nothing, as in a cut-off file
//   White - Black Event                                      ... and its name
//   5 games matched out of 8.                                the last line: games accepted, and games
//
// Other complaints (null moves, a result that contradicts the mate) are not all followed by a name, and not all of them
// lead to a rejection. So the number of rejected games comes from the last line, and the names are those we can get.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/line_reader.hpp"
#include "harness/base/posix_file.hpp"

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

/// A game that is not in the trace.
struct RejectedGame {
  std::string source;                 ///< name of the file, without its folder
  std::optional<std::uint64_t> line;  ///< in the decompressed text, at the game's end; not always known
  std::string game;                   ///< players, event, date, in valid UTF-8
  std::string reason;
};

/// So many rejected games are named; the others are only counted, so that memory does not grow with the input.
inline constexpr std::size_t max_named_rejections = 100;

/// What pgn-extract complains of.
struct Complaints {
  /// Games that pgn-extract read and did not accept, or of which it dropped the moves for want of a result.
  std::uint64_t rejected = 0;

  /// Games that pgn-extract printed without the moves that they have, because the result after the moves is missing.
  /// (The last game of the text is not printed at all in this case, nor does the last line count it.)
  std::uint64_t printed_without_moves = 0;

  std::uint64_t reported = 0;       ///< rejected games that have a name here
  std::vector<RejectedGame> named;  ///< the first of them
};

/// Reads the complaints to their end. @param source  the name of what they are about
Complaints read_complaints(FileHandle errors, const std::string& source);

}  // namespace slidebench
