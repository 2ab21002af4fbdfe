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

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/base/posix_file.hpp"
#include "harness/import/pgn_output.hpp"

namespace slidebench {

/// What of a source has been fed to the parser.
struct FedSource {
  std::string sha256;       ///< of the file as it lies on the disk, hexadecimal
  std::uint64_t bytes = 0;  ///< of the file as it lies on the disk
  bool cut_short = false;   ///< the reader of the pipe went away before the end of the text
};

/// Feeds a source, plain or compressed, into a pipe until it or the pipe ends; the rest of the source is read only to
/// complete the checksum. The pipe must not raise SIGPIPE in this thread.
/// @param bytes_read  grows with every read
/// @param stopped     ends it soon, from another thread
/// @throws UserError  the source cannot be read, is truncated, or is not text
FedSource feed_pgn(const std::string& path, const FileHandle& pipe, std::atomic<std::uint64_t>& bytes_read,
                   const std::atomic<bool>& stopped);

/// What became of one source.
struct PgnSourceReport {
  std::string name;  ///< file name without its folder, or "standard input"
  std::string sha256;
  std::uint64_t bytes = 0;          ///< of the file as it lies on the disk
  std::uint64_t empty = 0;          ///< games without moves; they are not given to the callback
  std::uint64_t rejected = 0;       ///< games that pgn-extract does not accept
  std::vector<RejectedGame> named;  ///< the first of them
};

/// Takes a game with at least one move; returns false to be given no more.
using GameCallback = std::function<bool(const GameText&)>;

/// Reads all games of a source. If the callback stops it, the source is still read to its end for the checksum, but the
/// empty and rejected games of this source are reported as none: pgn-extract was ahead of us by an unknown distance.
/// @param path        a file, or "-" for standard input
/// @param on_game     called in this thread; may throw, which ends the reading
/// @param bytes_read  grows as the source is read
/// @throws UserError  cannot read the source, it is damaged, it has no game in it; pgn-extract is missing or fails
PgnSourceReport read_pgn(const std::string& path, const GameCallback& on_game, std::atomic<std::uint64_t>& bytes_read);

/// The version of the pgn-extract that would be run, such as "v19-04"; "unknown" if it does not say.
/// @throws UserError if it is not installed
std::string pgn_extract_version();

}  // namespace slidebench
