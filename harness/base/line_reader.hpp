// SPDX-License-Identifier: MIT
//
// Lines from a pipe.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace slidebench {

class LineReader {
 public:
  explicit LineReader(int fd) : fd_(fd), buffer_(initial_bytes) {}

  /// The next line without its line feed, valid until the next call; nothing at the end. A last line needs no line
  /// feed. A read error counts as the end: whoever wrote into the pipe is asked for its exit status anyway.
  std::optional<std::string_view> next();

 private:
  static constexpr std::size_t initial_bytes = 1 << 17;

  std::string_view unread() const { return {buffer_.data() + begin_, end_ - begin_}; }
  void let_pipe_fill() const;
  bool fill();

  int fd_;
  std::vector<char> buffer_;  ///< grows only if a line is longer
  std::size_t begin_ = 0;     ///< unread bytes: [begin_, end_)
  std::size_t end_ = 0;
  std::size_t total_bytes_ = 0;
};

}  // namespace slidebench
