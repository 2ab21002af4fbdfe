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
#include <functional>
#include <string>
#include <vector>

#include "harness/import/pgn_diagnostics.hpp"

namespace slidebench {

enum class QueryRecipe { standard, all };

struct GameTraceOptions {
  QueryRecipe queries = QueryRecipe::standard;
  /// Stop after so many games; 0 means no limit. The source in which the limit is reached reports no rejected or empty
  /// games, and sources after it are not read.
  std::uint64_t games_limit = 0;
};

/// What a build has done.
struct BuildReport {
  std::uint64_t games = 0;  ///< games in the trace
  std::uint64_t plies = 0;  ///< moves in the trace
  std::uint64_t nodes = 0;
  std::uint64_t queries = 0;
  std::uint64_t empty = 0;                   ///< games without moves
  std::uint64_t rejected = 0;                ///< games that are illegal, cut off, or not standard chess
  std::vector<RejectedGame> rejected_games;  ///< the first max_named_rejections of them
};

/// Called now and then: games so far, bytes read so far, and bytes of all sources (0 if unknown). May be empty.
using ProgressFn = std::function<void(std::uint64_t games, std::uint64_t bytes_read, std::uint64_t bytes_total)>;

/// Builds a game trace. The same sources and options give the same bytes.
/// @param inputs  PGN files, plain or compressed by content; "-" is standard input
/// @param out     the trace; compressed if the name ends in .zst; appears complete or not at all
/// @throws UserError  bad input or output, in one line
BuildReport build_game_trace(const std::vector<std::string>& inputs, const std::string& out,
                             const GameTraceOptions& options = {}, const ProgressFn& progress = {});

}  // namespace slidebench
