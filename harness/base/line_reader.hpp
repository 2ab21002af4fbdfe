// SPDX-License-Identifier: MIT
//
// Lines from a pipe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slidebench {

class LineReader {
 public:
  explicit LineReader(int fd) : fd_(fd), buffer_(1 << 17) {}

  /// The next line without its line feed, valid until the next call; nothing at the end. A last line needs no line
  /// feed. A read error counts as the end: whoever wrote into the pipe is asked for its exit status anyway.
  std::optional<std::string_view> next();

 private:
  void let_pipe_fill() const;
  bool fill();

  int fd_;
  std::vector<char> buffer_;
  std::string_view unread_;  ///< of the buffer
  std::string line_;
  std::size_t total_bytes_ = 0;
};

}  // namespace slidebench
