// SPDX-License-Identifier: MIT
//
// The PGN front end: a file, plain or compressed, goes through pgn-extract, and its games come out one by one.
//
//     file -> sha256 -> decompression -> [pgn-extract -Wuci] -> games          to the caller, in this thread
//     '----- a feeding thread ------'            '------------> complaints     to a listening thread
//
// One pgn-extract runs per source, so that what is wrong with a file is said of that file. Memory does not grow with
// the input. pgn-extract is found in PATH or /usr/games; the environment variable SLIDEBENCH_PGN_EXTRACT names another.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/base/posix_file.hpp"
#include "harness/import/pgn_output.hpp"
#include "harness/trace/packed_source.hpp"

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

  void name_rejected(const RejectedGame& game) {
    if (rejected_games.size() < max_named_rejections) rejected_games.push_back(game);
  }
};

/// Feeds a source into a pipe until one of them ends; false if the pipe's reader went away before the end of the text.
/// The pipe must not raise SIGPIPE. @throws UserError  the source cannot be read, is truncated, or is not text
bool feed_pgn(PackedSource& source, FileHandle pipe);

/// Takes a game with at least one move, and the bytes of the source read so far; returns false to be given no more.
using GameCallback = std::function<bool(const GameText&, std::uint64_t bytes_read)>;

/// Reads all games of a source. If the callback stops it, the source is still read to its end for the checksum, but the
/// empty and rejected games of this source are reported as none: pgn-extract was ahead of us by an unknown distance.
/// @param path     a file, or "-" for standard input
/// @param on_game  called in this thread; may throw, which ends the reading
/// @param report   counts the games that do not get as far as the callback
/// @return {"name", "sha256", "bytes"} of the source, for a trace's provenance
/// @throws UserError  cannot read the source, it is damaged, it has no game in it; pgn-extract is missing or fails
nlohmann::json read_pgn(const std::string& path, const GameCallback& on_game, BuildReport& report);

/// The version of the pgn-extract that would be run, such as "v19-04"; "unknown" if it does not say.
/// @throws UserError if it is not installed
std::string pgn_extract_version();

}  // namespace slidebench
