// SPDX-License-Identifier: MIT
//
// The games of several PGN files, one after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/import/pgn_output.hpp"

namespace slidebench {

/// What was read, and what a build has made of it.
struct BuildReport {
  std::uint64_t games = 0;  ///< that could be played
  std::uint64_t plies = 0;  ///< moves of these
  std::uint64_t nodes = 0;
  std::uint64_t queries = 0;
  std::uint64_t empty = 0;                   ///< games without moves
  std::uint64_t rejected = 0;                ///< games that are illegal, cut off, or not standard chess
  std::vector<RejectedGame> rejected_games;  ///< the first max_named_rejections of them
};

/// Called now and then: games so far, bytes read so far, and bytes of all sources (0 if unknown). May be empty.
using ProgressFn = std::function<void(std::uint64_t games, std::uint64_t bytes_read, std::uint64_t bytes_total)>;

/// Plays a game. Returns "", or what is wrong with it.
using PlayFn = std::function<std::string(const GameText&)>;

struct ReadGames {
  BuildReport report;
  nlohmann::json sources;  ///< [{"name", "sha256", "bytes"}], for a trace's provenance
};

/// Refuses what can be refused before anything is read or written. Returns the bytes of all inputs, 0 if unknown.
/// @throws UserError  no input, one that is not there, or one that is the output
std::uint64_t check_inputs(const std::vector<std::string>& inputs, const std::string& out);

/// Reads games until there are so many; 0 means no limit.
/// @param inputs  PGN files, plain or compressed by content; "-" is standard input
/// @throws UserError  bad input, in one line
ReadGames read_games(const std::vector<std::string>& inputs, std::uint64_t bytes_total, std::uint64_t limit,
                     const PlayFn& play, const ProgressFn& progress);

}  // namespace slidebench
