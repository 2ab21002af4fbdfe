// SPDX-License-Identifier: MIT
//
// A fully associative store with LRU replacement: a list in order of use and an index into it, so that an access costs
// the same for sixteen entries and for a million.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace slidebench {

/// A line or page number. They are small, because an AddressSpace is compact; the two largest values are no tags.
using Tag = std::uint32_t;
inline constexpr Tag no_tag = std::numeric_limits<Tag>::max();
inline constexpr Tag tag_hit = no_tag - 1;  ///< what access() returns for a hit

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
  /// (With the set, which is always 0, left out or not: a list can stand in for a store of sets.)
  Tag access(std::uint32_t, Tag tag) { return access(tag); }
  Tag fill(std::uint32_t, Tag tag) { return fill(tag); }
  bool use(std::uint32_t, Tag tag) { return use(tag); }
  bool holds(std::uint32_t, Tag tag) const { return find(tag) != absent; }
  void prefetch(std::uint32_t) const {}
  bool remove(std::uint32_t, Tag tag) { return remove(tag); }

  Tag access(Tag tag) {
    const std::uint32_t entry = find(tag);
    if (entry == absent) return fill(tag);
    move_to_front(entry);
    return tag_hit;
  }

  /// Puts in a tag that is missing. Returns what had to go, or no_tag.
  Tag fill(Tag tag) {
    const std::uint32_t entry = previous_[head()];
    const Tag evicted = tags_[entry];
    if (evicted != no_tag) entry_of_[evicted] = absent;
    tags_[entry] = tag;
    if (tag >= entry_of_.size()) entry_of_.resize(2 * std::size_t{tag} + 1, absent);
    entry_of_[tag] = entry;
    move_to_front(entry);
    return evicted;
  }

  /// Uses a tag that may be missing, and stays so. Returns whether it is there.
  bool use(Tag tag) {
    const std::uint32_t entry = find(tag);
    if (entry == absent) return false;
    move_to_front(entry);
    return true;
  }

  /// Takes a tag out. Returns whether it was there.
  bool remove(Tag tag) {
    const std::uint32_t entry = find(tag);
    if (entry == absent) return false;
    entry_of_[tag] = absent;
    tags_[entry] = no_tag;
    unlink(entry);
    link(entry, previous_[head()], head());  // to the end: the next one to be used
    return true;
  }

 private:
  static constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t head() const { return static_cast<std::uint32_t>(tags_.size() - 1); }
  std::uint32_t find(Tag tag) const { return tag < entry_of_.size() ? entry_of_[tag] : absent; }

  void move_to_front(std::uint32_t entry) {
    unlink(entry);  // also if it is in front already: a branch that is hard to predict costs more
    link(entry, head(), next_[head()]);
  }
  void unlink(std::uint32_t entry) {
    next_[previous_[entry]] = next_[entry];
    previous_[next_[entry]] = previous_[entry];
  }
  void link(std::uint32_t entry, std::uint32_t before, std::uint32_t after) {
    next_[before] = previous_[after] = entry;
    previous_[entry] = before;
    next_[entry] = after;
  }

  // A ring of entries; the last one is its head and holds no tag.
  std::vector<Tag> tags_;
  std::vector<std::uint32_t> next_, previous_;
  std::vector<std::uint32_t> entry_of_;  ///< by tag
};

}  // namespace slidebench
