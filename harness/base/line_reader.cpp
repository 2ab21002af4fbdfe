// SPDX-License-Identifier: MIT
#include "harness/base/line_reader.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "harness/base/posix_file.hpp"

namespace slidebench {

std::optional<std::string_view> LineReader::next() {
  std::size_t searched = 0;
  for (;;) {
    const std::size_t length = unread().find('\n', searched);
    if (length != std::string_view::npos) {
      const std::string_view line = unread().substr(0, length);
      begin_ += length + 1;
      return line;
    }
    searched = unread().size();
    if (!fill()) break;
  }
  const std::string_view line = unread();
  begin_ = end_;
  if (line.empty()) return std::nullopt;
  return line;
}

/// A program that prints through stdio wakes its reader for every 4 KiB. On a long text we let it fill the pipe a
/// little first: while pgn-extract prints 80 MB this saves 20,000 wake-ups and three quarters of the system time (4 s
/// to 1 s).
void LineReader::let_pipe_fill() const {
  constexpr std::size_t short_text_bytes = 1 << 16;
  constexpr std::chrono::milliseconds nap{5};
  if (total_bytes_ > short_text_bytes) std::this_thread::sleep_for(nap);
}

bool LineReader::fill() {
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_), buffer_.begin() + static_cast<std::ptrdiff_t>(end_),
            buffer_.begin());
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  let_pipe_fill();
  const ssize_t count = read_some(fd_, buffer_.data() + end_, buffer_.size() - end_);
  if (count <= 0) return false;
  end_ += static_cast<std::size_t>(count);
  total_bytes_ += static_cast<std::size_t>(count);
  return true;
}

}  // namespace slidebench
