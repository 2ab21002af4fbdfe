// SPDX-License-Identifier: MIT
//
// Notices that lines are read one after the other, up or down, and says what to fetch ahead.
//
// After the streamer of Intel's L2 (Intel 64 and IA-32 Architectures Optimization Reference Manual, "Data Prefetching"
// of Sandy Bridge and later): it watches what L1 asks L2 for, keeps 32 streams, stays within a 4 KiB page, asks for up
// to two lines at each request, and runs up to 20 lines ahead. What the manual leaves open is chosen simply here: a
// page has one stream (there: one up and one down), the third line in a row starts it, and the stream that was asked
// for least recently makes room. That the real one holds back when the bus is busy is not modelled.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace slidebench {

class StreamDetector {
 public:
  /// @param lines_per_page  a power of two
  explicit StreamDetector(std::uint32_t lines_per_page) : lines_per_page_(lines_per_page) {}

  /// A request for a line. Returns the lines to fetch now, valid until the next call.
  std::span<const std::uint64_t> request(std::uint64_t line);

 private:
  static constexpr std::size_t streams = 32;
  static constexpr unsigned fetches_at_once = 2;
  static constexpr std::int64_t farthest_ahead = 20;
  static constexpr unsigned steps_to_start = 2;
  static constexpr std::uint64_t no_page = ~std::uint64_t{0};

  struct Stream {
    std::uint64_t page = no_page;
    std::int64_t last = 0;       ///< requested line
    std::int64_t fetched = 0;    ///< the line farthest ahead
    std::int64_t direction = 0;  ///< the last step, in lines
    unsigned steps = 0;          ///< to the neighbour, all in this direction
    std::uint64_t used = 0;
  };

  Stream& stream_of(std::uint64_t page);

  std::uint32_t lines_per_page_;
  std::array<Stream, streams> streams_;
  std::array<std::uint64_t, fetches_at_once> fetches_{};
  std::uint64_t now_ = 0;
};

}  // namespace slidebench
