// SPDX-License-Identifier: MIT
#include "harness/simulator/stream_detector.hpp"

#include <algorithm>
#include <cstdlib>

namespace slidebench {

std::span<const std::uint64_t> StreamDetector::request(std::uint64_t line) {
  const std::uint64_t page = line / lines_per_page_;
  const auto here = static_cast<std::int64_t>(line);
  Stream& stream = stream_of(page);
  if (stream.page != page) stream = {.page = page, .last = here, .fetched = here};
  stream.used = ++now_;
  const std::int64_t step = here - stream.last;
  if (step == 0) return {};
  stream.steps = std::abs(step) != 1 ? 0 : step == stream.direction ? stream.steps + 1 : 1;
  stream.direction = step;
  stream.last = here;
  if (stream.steps < steps_to_start) {
    stream.fetched = here;
    return {};
  }
  // What was fetched ahead may have been overtaken, if it had to go before it was used.
  stream.fetched = step > 0 ? std::max(stream.fetched, here) : std::min(stream.fetched, here);
  std::size_t count = 0;
  while (count < fetches_at_once) {
    const std::int64_t next = stream.fetched + step;
    if (static_cast<std::uint64_t>(next) / lines_per_page_ != page || std::abs(next - here) > farthest_ahead) break;
    stream.fetched = next;
    fetches_[count++] = static_cast<std::uint64_t>(next);
  }
  return {fetches_.data(), count};
}

/// The page's stream, or the one to give up for it.
StreamDetector::Stream& StreamDetector::stream_of(std::uint64_t page) {
  const auto found = std::find_if(streams_.begin(), streams_.end(), [page](const Stream& s) { return s.page == page; });
  if (found != streams_.end()) return *found;
  return *std::min_element(streams_.begin(), streams_.end(),
                           [](const Stream& a, const Stream& b) { return a.used < b.used; });
}

}  // namespace slidebench
