// SPDX-License-Identifier: MIT
//
// The `game` trace: every position of every game, with the attack queries of an engine that would play it.
//
// A node per position, the last one included; the first of a game has the event root, the others make; every second
// position of a game (the second, the fourth, ...) is evaluated. The queries of a node, in this order:
//
//   default   bishop, rook, queen   the squares of the side to move's pieces of that kind, ascending: move generation
//             both                  the enemy king's square: from where could it be checked?
//             both                  the square that the next move goes to: who exchanges there? (not at the last node)
//   all       bishop, rook, queen   the squares of white's pieces of that kind, then black's, each ascending
//
// Provenance: {"kind": "game", "queries": "default"|"all", "sources": [{"name", "sha256", "bytes"}], "games", "plies",
// "rejected", "rejected_games": [{"source", "line"|null, "game", "reason"}], "empty", "games_limit"|null, "recipe",
// "seed": null, "pgn_extract", "slidebench"}.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/import/games.hpp"

namespace slidebench {

enum class QueryRecipe { standard, all };

struct GameTraceOptions {
  QueryRecipe queries = QueryRecipe::standard;
  /// Stop after so many games; 0 means no limit. The source in which the limit is reached reports no rejected or empty
  /// games, and sources after it are not read.
  std::uint64_t games_limit = 0;
};

/// Builds a game trace. The same sources and options give the same bytes.
/// @param inputs  PGN files, plain or compressed by content; "-" is standard input
/// @param out     the trace; compressed if the name ends in .zst; appears complete or not at all
/// @throws UserError  bad input or output, in one line
BuildReport build_game_trace(const std::vector<std::string>& inputs, const std::string& out,
                             const GameTraceOptions& options = {}, const ProgressFn& progress = {});

}  // namespace slidebench
