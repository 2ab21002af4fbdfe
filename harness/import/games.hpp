// SPDX-License-Identifier: MIT
//
// The games of several PGN files, one after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/import/pgn_source.hpp"

namespace slidebench {

/// Called now and then: games so far, bytes read so far, and bytes of all sources (0 if unknown). May be empty.
using ProgressFn = std::function<void(std::uint64_t games, std::uint64_t bytes_read, std::uint64_t bytes_total)>;

/// Plays a game. Returns "", or what is wrong with it.
using PlayFn = std::function<std::string(const GameText&)>;

struct ReadGames {
  BuildReport report;
  /// What a trace says of them: {"sources": [{"name", "sha256", "bytes"}], "games", "plies", "rejected", "empty",
  /// "pgn_extract", "slidebench"}.
  nlohmann::json provenance;
};

/// Reads games until there are so many; 0 means no limit.
/// @param inputs  PGN files, plain or compressed by content; "-" is standard input
/// @param out     the file that will be written: must be none of the inputs
/// @throws UserError  bad input, in one line
ReadGames read_games(const std::vector<std::string>& inputs, const std::string& out, std::uint64_t limit,
                     const PlayFn& play, const ProgressFn& progress);

}  // namespace slidebench
