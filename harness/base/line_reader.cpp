// SPDX-License-Identifier: MIT
#include "harness/base/line_reader.hpp"

#include <chrono>
#include <thread>

#include "harness/base/posix_file.hpp"

namespace slidebench {

std::optional<std::string_view> LineReader::next() {
  line_.clear();
  do {
    const std::size_t length = unread_.find('\n');
    line_ += unread_.substr(0, length);
    if (length != std::string_view::npos) {
      unread_.remove_prefix(length + 1);
      return line_;
    }
  } while (fill());
  return line_.empty() ? std::nullopt : std::optional<std::string_view>(line_);
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
  let_pipe_fill();
  const ssize_t count = read_some(fd_, buffer_.data(), buffer_.size());
  unread_ = {buffer_.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
  total_bytes_ += unread_.size();
  return !unread_.empty();
}

}  // namespace slidebench
