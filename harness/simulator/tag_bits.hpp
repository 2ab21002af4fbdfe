// SPDX-License-Identifier: MIT
//
// A set of tags: a bit for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/simulator/lru_list.hpp"

namespace slidebench {

class TagBits {
 public:
  /// Returns whether the tag is new, and remembers it.
  bool add(Tag tag) {
    const std::size_t word = tag / 64;
    if (word >= bits_.size()) bits_.resize(2 * word + 1);
    const std::uint64_t bit = std::uint64_t{1} << (tag % 64);
    const bool is_new = (bits_[word] & bit) == 0;
    bits_[word] |= bit;
    return is_new;
  }

  /// The same of some of 16 tags, of which the first is a multiple of 16: a bit for each. Returns those that are new.
  std::uint32_t add_row(Tag first, std::uint32_t tags) {
    const std::size_t word = first / 64;
    if (word >= bits_.size()) bits_.resize(2 * word + 1);
    const auto there = static_cast<std::uint32_t>(bits_[word] >> (first % 64));
    bits_[word] |= std::uint64_t{tags} << (first % 64);
    return tags & ~there;
  }

  /// Returns whether the tag was there, and forgets it.
  bool take(Tag tag) {
    const std::size_t word = tag / 64;
    if (word >= bits_.size()) return false;
    const std::uint64_t bit = std::uint64_t{1} << (tag % 64);
    const bool was_there = (bits_[word] & bit) != 0;
    bits_[word] &= ~bit;
    return was_there;
  }

 private:
  std::vector<std::uint64_t> bits_;
};

}  // namespace slidebench
