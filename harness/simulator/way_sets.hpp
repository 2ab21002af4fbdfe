// SPDX-License-Identifier: MIT
//
// Sets of ways in which a tag keeps its way until it goes: what their replacements have in common.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/simulator/lru_list.hpp"

namespace slidebench {

/// All functions as in LruList, within a set.
class WaySets {
 public:
  WaySets(std::uint32_t sets, std::uint32_t ways) : ways_(ways), tags_(std::size_t{sets} * ways, no_tag) {}

  bool holds(std::uint32_t set, Tag tag) const { return find(set, tag) != ways_; }

  bool remove(std::uint32_t set, Tag tag) {
    const std::uint32_t way = find(set, tag);
    if (way != ways_) tag_at(set, way) = no_tag;
    return way != ways_;
  }

 protected:
  Tag& tag_at(std::uint32_t set, std::uint32_t way) { return tags_[std::size_t{set} * ways_ + way]; }

  /// The first way with this tag; ways_ if there is none.
  std::uint32_t find(std::uint32_t set, Tag tag) const {
    const Tag* const row = tags_.data() + std::size_t{set} * ways_;
    return static_cast<std::uint32_t>(std::find(row, row + ways_, tag) - row);
  }

  std::uint32_t ways_;

 private:
  std::vector<Tag> tags_;  ///< by set and way; no_tag where nothing is
};

}  // namespace slidebench
