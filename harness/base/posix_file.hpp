// SPDX-License-Identifier: MIT
//
// File descriptors that close themselves, and whole reads and writes.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <string>
#include <utility>

namespace slidebench {

/// Owns a file descriptor; -1 means none.
class FileHandle {
 public:
  FileHandle() = default;
  explicit FileHandle(int fd) : fd_(fd) {}
  FileHandle(FileHandle&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileHandle& operator=(FileHandle&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileHandle() { close(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

  /// Closes the descriptor, if any. Returns 0 or errno: some file systems report a failed write only here.
  int close();

 private:
  int fd_ = -1;
};

/// The two ends of a pipe.
struct Pipe {
  FileHandle read_end;
  FileHandle write_end;
};

/// Makes a pipe that no child process inherits unless it is handed over.
/// @throws UserError if the system has no more
Pipe make_pipe();

/// Writes all `size` bytes. Returns 0 or errno.
int write_all(int fd, const void* data, std::size_t size);

/// Reads at most `size` bytes, as read(2) does, but is not disturbed by signals.
ssize_t read_some(int fd, void* data, std::size_t size);

/// Waits until what was written to an open file, or which names an open folder has, is on the disk. Returns 0 or errno;
/// what cannot be synced (a pipe, a terminal) needs it not: 0.
int sync_to_disk(int fd);

/// The same for the file or folder of a path, whoever has written it. One that must not be read is left alone: 0.
int sync_to_disk(const std::string& path);

/// Throws UserError for a path that is there and no regular file: a pipe or a device could keep a reader for ever.
void check_regular(const std::string& path);

/// "No space left on device" and the like, for an errno value.
std::string error_text(int error);

}  // namespace slidebench
