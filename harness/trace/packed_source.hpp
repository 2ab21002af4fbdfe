// SPDX-License-Identifier: MIT
//
// The text of a file, plain or compressed, piece by piece.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/base/posix_file.hpp"
#include "harness/base/sha256.hpp"

struct archive;

namespace slidebench {

/// Reads a file, hashes it, and decompresses it: gzip, bzip2, xz, lzma, zstd, lz4, compress, recognised by content. By
/// libarchive.
class PackedSource {
 public:
  /// @param path  a file, or "-" for standard input
  /// @throws UserError if the file cannot be opened, or is damaged at its beginning
  explicit PackedSource(const std::string& path);

  /// Its name for people: source_name().
  const std::string& name() const { return name_; }

  /// The next piece of the text, valid until the next call; empty at the end.
  /// @throws UserError  the file cannot be read, or is damaged or incomplete
  std::span<const char> next();

  /// Reads what is left of the file, for the checksum alone. @throws UserError
  void skip_rest();

  /// What has been read so far, as it lies on the disk. Another thread may ask.
  std::uint64_t bytes() const { return bytes_; }

  /// SHA-256 of that, hexadecimal; once.
  std::string sha256() { return sha_.hex(); }

 private:
  ssize_t read_chunk();
  void open_archive();
  void check(int result) const;

  std::string name_;
  std::vector<char> buffer_;
  FileHandle file_;
  int read_error_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  Sha256 sha_;
  std::shared_ptr<archive> archive_;
  bool at_end_ = false;
};

}  // namespace slidebench
