// SPDX-License-Identifier: MIT
//
// The text of a file, plain or compressed, piece by piece.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
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
  /// Called with the bytes of every read from the file.
  using ReadFn = std::function<void(std::uint64_t bytes)>;

  /// @param path     a file, or "-" for standard input
  /// @param stopped  makes next() end soon when another thread sets it; null: nobody does
  /// @throws UserError if the file cannot be opened, or is damaged at its beginning
  explicit PackedSource(const std::string& path, ReadFn on_read = {}, const std::atomic<bool>* stopped = nullptr);
  PackedSource(const PackedSource&) = delete;
  PackedSource& operator=(const PackedSource&) = delete;
  ~PackedSource();

  /// The next piece of the text, valid until the next call; empty at the end.
  /// @throws UserError  the file cannot be read, or is damaged or incomplete
  std::span<const char> next();

  /// Reads what is left of the file, for the checksum alone. @throws UserError
  void skip_rest();

  /// What has been read so far, as it lies on the disk.
  std::uint64_t bytes() const { return bytes_; }

  /// SHA-256 of that, hexadecimal; once.
  std::string sha256() { return sha_.hex(); }

 private:
  struct Free {
    void operator()(archive* reader) const;
  };

  ssize_t read_chunk();
  bool wait_for_input() const;
  bool is_stopped() const { return stopped_ != nullptr && *stopped_; }
  void open_archive();
  void check(int result) const;

  std::string name_;
  ReadFn on_read_;
  const std::atomic<bool>* stopped_;
  std::vector<char> buffer_;
  FileHandle file_;
  int fd_ = -1;
  int read_error_ = 0;
  std::uint64_t bytes_ = 0;
  Sha256 sha_;
  std::unique_ptr<archive, Free> archive_;
  bool at_end_ = false;
};

}  // namespace slidebench
