// SPDX-License-Identifier: MIT
//
// A small fully associative store with LRU replacement, such as a TLB of 64 entries: a stamp for each entry with the
// time of its last use, and an index to find it.
//
// A hit writes one stamp, which nothing waits for; a list (lru_list.hpp) would move its entry to the front, and each
// move waits for the one before. The price is a look at all stamps when an entry has to go. A stamp is a time and below
// it the number of the entry, so that the smallest stamp names the oldest entry.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "harness/simulator/lru_list.hpp"

namespace slidebench {

/// All functions as in LruList.
class LruStamps {
 public:
  static constexpr std::uint32_t largest_capacity = 256;
  using Stamp = std::uint32_t;

  /// @param capacity  entries, from 1 to largest_capacity
  /// @param start     the time before the first use, at least 0 and at most latest_time
  explicit LruStamps(std::uint32_t capacity, Stamp start = 0)
      : tags_(capacity, no_tag), stamps_((capacity + 7) / 8 * 8, never), now_(start * tick) {
    std::iota(stamps_.begin(), stamps_.begin() + capacity, Stamp{0});
  }

  Tag access(std::uint32_t, Tag tag) { return access(tag); }
  Tag fill(std::uint32_t, Tag tag) { return fill(tag); }
  bool use(std::uint32_t, Tag tag) { return use(tag); }
  bool holds(std::uint32_t, Tag tag) const { return find(tag) != absent; }
  void prefetch(std::uint32_t) const {}
  bool remove(std::uint32_t, Tag tag) { return remove(tag); }

  Tag access(Tag tag) {
    const std::uint32_t entry = find(tag);
    if (entry == absent) return fill(tag);
    stamp(entry);
    return tag_hit;
  }

  Tag fill(Tag tag) {
    const std::uint32_t entry = smallest_stamp() % tick;
    const Tag evicted = std::exchange(tags_[entry], tag);
    if (evicted != no_tag) entry_of_[evicted] = absent;
    if (tag >= entry_of_.size()) entry_of_.resize(2 * std::size_t{tag} + 1, absent);
    entry_of_[tag] = static_cast<std::uint16_t>(entry);
    stamp(entry);
    return evicted;
  }

  bool use(Tag tag) {
    const std::uint32_t entry = find(tag);
    if (entry == absent) return false;
    stamp(entry);
    return true;
  }

  bool remove(Tag tag) {
    const std::uint32_t entry = find(tag);
    if (entry == absent) return false;
    entry_of_[tag] = absent;
    tags_[entry] = no_tag;
    stamps_[entry] = entry;  // time 0: the next one to be used
    return true;
  }

 private:
  static constexpr Stamp tick = largest_capacity;
  /// Behind the last entry. SSE2 compares signed numbers only, so that half of the range is used.
  static constexpr Stamp never = std::numeric_limits<std::int32_t>::max();

 public:
  /// When the clock starts again.
  static constexpr Stamp latest_time = never / tick - 1;

 private:
  static constexpr std::uint16_t absent = std::numeric_limits<std::uint16_t>::max();

  std::uint32_t find(Tag tag) const { return tag < entry_of_.size() ? entry_of_[tag] : absent; }

  void stamp(std::uint32_t entry) {
    if (now_ == latest_time * tick) restart_clock();
    now_ += tick;
    stamps_[entry] = now_ + entry;
  }

  /// Gives the entries small times in the same order.
  void restart_clock() {
    std::vector<Stamp> order(stamps_.begin(), stamps_.begin() + static_cast<std::ptrdiff_t>(tags_.size()));
    std::sort(order.begin(), order.end());
    now_ = 0;
    for (const Stamp old : order) {
      if (old < tick) continue;  // an empty entry keeps time 0
      now_ += tick;
      stamps_[old % tick] = now_ + old % tick;
    }
  }

  Stamp smallest_stamp() const {
#if defined(__SSE2__)
    const auto min = [](__m128i x, __m128i y) {
      const __m128i less = _mm_cmplt_epi32(x, y);
      return _mm_or_si128(_mm_and_si128(less, x), _mm_andnot_si128(less, y));
    };
    const auto* const stamps = reinterpret_cast<const __m128i*>(stamps_.data());
    __m128i even = _mm_loadu_si128(stamps);
    __m128i odd = _mm_loadu_si128(stamps + 1);
    for (std::size_t i = 2; i < stamps_.size() / 4; i += 2) {
      even = min(even, _mm_loadu_si128(stamps + i));
      odd = min(odd, _mm_loadu_si128(stamps + i + 1));
    }
    __m128i least = min(even, odd);
    least = min(least, _mm_shuffle_epi32(least, 0x4E));  // the other half
    least = min(least, _mm_shuffle_epi32(least, 0xB1));  // the neighbour
    return static_cast<Stamp>(_mm_cvtsi128_si32(least));
#else
    return *std::min_element(stamps_.begin(), stamps_.end());
#endif
  }

  std::vector<Tag> tags_;
  std::vector<Stamp> stamps_;            ///< time x tick + entry; time 0: empty
  std::vector<std::uint16_t> entry_of_;  ///< by tag
  Stamp now_;
};

}  // namespace slidebench
