// SPDX-License-Identifier: MIT
//
// Tags, and sets of ways in which a tag keeps its way until it goes: what their replacements have in common.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace slidebench {

/// A line or page number. They are small, because an AddressSpace is compact; the two largest values are no tags.
using Tag = std::uint32_t;
inline constexpr Tag no_tag = std::numeric_limits<Tag>::max();
inline constexpr Tag tag_hit = no_tag - 1;  ///< what access() returns for a hit

/// A set of tags: a bit for each.
class TagBits {
 public:
  /// Returns whether the tag is new, and remembers it.
  bool add(Tag tag) {
    if (tag >= bits_.size()) bits_.resize(2 * std::size_t{tag} + 1);
    const bool is_new = !bits_[tag];
    bits_[tag] = true;
    return is_new;
  }

  /// Returns whether the tag was there, and forgets it.
  bool take(Tag tag) {
    if (tag >= bits_.size() || !bits_[tag]) return false;
    bits_[tag] = false;
    return true;
  }

 private:
  std::vector<bool> bits_;
};

/// All functions as in LruList (tag_store.hpp), within a set.
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
