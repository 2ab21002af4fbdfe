// SPDX-License-Identifier: MIT
//
// A fully associative store with LRU replacement: a list in order of use and an index into it, so that an access costs
// the same for sixteen entries and for a million.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace slidebench {

/// A line or page number. They are small, because an AddressSpace is compact; the two largest values are no tags.
using Tag = std::uint32_t;
inline constexpr Tag no_tag = std::numeric_limits<Tag>::max();
inline constexpr Tag tag_hit = no_tag - 1;  ///< what access() returns for a hit

/// The functions take the number of a set, always 0, so that it can stand for a store of sets.
class LruList {
 public:
  /// @param capacity  entries, at least 1
  explicit LruList(std::uint32_t capacity) : tags_(capacity + 1, no_tag), next_(capacity + 1), previous_(capacity + 1) {
    for (std::uint32_t i = 0; i <= capacity; ++i) {
      next_[i] = i == capacity ? 0 : i + 1;
      previous_[i] = i == 0 ? capacity : i - 1;
    }
  }

  /// Looks a tag up and puts it in if it is missing. Returns tag_hit, or what had to go, or no_tag if nothing had to.
  Tag access(std::uint32_t /*set*/, Tag tag) { return use(0, tag) ? tag_hit : fill(0, tag); }

  /// Puts in a tag that is missing. Returns what had to go, or no_tag.
  Tag fill(std::uint32_t /*set*/, Tag tag) {
    const std::uint32_t entry = previous_[head()];
    const Tag evicted = tags_[entry];
    if (evicted != no_tag) entry_of_[evicted] = absent;
    tags_[entry] = tag;
    if (tag >= entry_of_.size()) entry_of_.resize(2 * std::size_t{tag} + 1, absent);
    entry_of_[tag] = entry;
    move_behind(entry, head());
    return evicted;
  }

  /// Uses a tag that may be missing, and stays so. Returns whether it is there.
  bool use(std::uint32_t /*set*/, Tag tag) {
    const std::uint32_t entry = find(tag);
    if (entry != absent) move_behind(entry, head());
    return entry != absent;
  }

  bool holds(std::uint32_t /*set*/, Tag tag) const { return find(tag) != absent; }

  /// Takes a tag out. Returns whether it was there.
  bool remove(std::uint32_t /*set*/, Tag tag) {
    const std::uint32_t entry = find(tag);
    if (entry == absent) return false;
    entry_of_[tag] = absent;
    tags_[entry] = no_tag;
    move_behind(entry, previous_[head()]);  // the next one to be filled
    return true;
  }

 private:
  static constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t head() const { return static_cast<std::uint32_t>(tags_.size() - 1); }
  std::uint32_t find(Tag tag) const { return tag < entry_of_.size() ? entry_of_[tag] : absent; }

  void move_behind(std::uint32_t entry, std::uint32_t other) {
    if (entry == other || next_[other] == entry) return;
    next_[previous_[entry]] = next_[entry];
    previous_[next_[entry]] = previous_[entry];
    const std::uint32_t after = next_[other];
    next_[other] = previous_[after] = entry;
    previous_[entry] = other;
    next_[entry] = after;
  }

  // A ring of entries; the last one is its head and holds no tag.
  std::vector<Tag> tags_;
  std::vector<std::uint32_t> next_, previous_;
  std::vector<std::uint32_t> entry_of_;  ///< by tag
};

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

}  // namespace slidebench
