// SPDX-License-Identifier: MIT
//
// The way of a PGN file into the parser: read, hash, decompress, write into a pipe.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "harness/base/posix_file.hpp"

namespace slidebench {

/// What has been fed.
struct FedSource {
  std::string sha256;       ///< of the file as it lies on the disk, hexadecimal
  std::uint64_t bytes = 0;  ///< of the file as it lies on the disk
  bool cut_short = false;   ///< the reader of the pipe went away before the end of the text
};

/// Feeds one source into a pipe. Runs in a thread of its own, beside the one that reads the parser's output.
class PgnFeed {
 public:
  /// @param path  a file, or "-" for standard input; plain or compressed (gzip, bzip2, xz, lzma, zstd, lz4, compress),
  ///              recognised by content
  /// @param bytes_read  grows with every read
  PgnFeed(std::string path, std::atomic<std::uint64_t>& bytes_read) : path_(std::move(path)), bytes_read_(bytes_read) {}

  /// Feeds the pipe until the source or the pipe ends; the rest of the source is read only to complete the checksum.
  /// The pipe must not raise SIGPIPE in this thread.
  /// @throws UserError  the source cannot be read, is truncated, or is not text
  FedSource run(const FileHandle& pipe);

  /// Makes run() end soon, from another thread.
  void stop() { stopped_ = true; }

 private:
  std::string path_;
  std::atomic<std::uint64_t>& bytes_read_;
  std::atomic<bool> stopped_ = false;
};

}  // namespace slidebench
