// SPDX-License-Identifier: MIT
//
// The tags of one cache or TLB: sets of ways, and which way goes when a set is full.
//
// LRU keeps a set's tags in the order of their last use: a use moves its tag to the front, and what stands last goes.
//
// Tree-PLRU keeps a bit for every node of a binary tree over the ways; a bit points to the half that was used longer
// ago. A use turns the bits on its path away from itself; the victim is found by following the bits:
//
//           b1                 after uses of ways 0, 1, 2, 3:  b1 -> left, b2 -> way 0, b3 -> way 2
//         /    \               a use of way 0:                 b1 -> right, b2 -> way 1
//       b2      b3             the next victim:                way 2, though way 1 was used longest ago
//      /  \    /  \            .
//     0    1  2    3
//
// Ways that are no power of two, 12 = 3 x 4, are three such trees in LRU order, as measured in Ice Lake's L1 (there
// called LRU3PLRU4, https://uops.info/cache.html). An odd number of ways is then plain LRU.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "harness/simulator/cache_system.hpp"

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

 private:
  std::vector<bool> bits_;
};

/// A fully associative store with LRU replacement: a list in order of use and an index into it, so that an access costs
/// the same for sixteen entries and for a million. The functions take the number of a set, always 0, so that it can
/// stand for a store of sets.
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

/// Sets of ways with LRU replacement. All functions as in LruList, within a set.
class LruSets {
 public:
  LruSets(std::uint32_t sets, std::uint32_t ways) : ways_(ways), tags_(std::size_t{sets} * ways, no_tag) {}

  Tag access(std::uint32_t set, Tag tag) {
    Tag* const row = row_of(set);
    Tag moving = tag;
    for (std::uint32_t place = 0; place < ways_; ++place) {
      std::swap(row[place], moving);
      if (moving == tag) return tag_hit;
    }
    return moving;
  }

  Tag fill(std::uint32_t set, Tag tag) { return access(set, tag); }

  bool use(std::uint32_t set, Tag tag) {
    const bool held = holds(set, tag);
    if (held) access(set, tag);
    return held;
  }

  bool holds(std::uint32_t set, Tag tag) const {
    const Tag* const row = tags_.data() + std::size_t{set} * ways_;
    return std::find(row, row + ways_, tag) != row + ways_;
  }

  bool remove(std::uint32_t set, Tag tag) {
    Tag* const row = row_of(set);
    Tag* const found = std::find(row, row + ways_, tag);
    if (found == row + ways_) return false;
    std::copy(found + 1, row + ways_, found);
    row[ways_ - 1] = no_tag;
    return true;
  }

  /// What goes next.
  Tag last_of(std::uint32_t set) const { return tags_[(std::size_t{set} + 1) * ways_ - 1]; }

 private:
  Tag* row_of(std::uint32_t set) { return tags_.data() + std::size_t{set} * ways_; }

  std::uint32_t ways_;
  std::vector<Tag> tags_;  ///< by set: the last used one first, empty places behind
};

/// Sets of ways with tree-PLRU. Ways that were never filled, or were emptied, are filled first.
class PlruSets {
 public:
  /// @param ways  at most 64
  PlruSets(std::uint32_t sets, std::uint32_t ways)
      : ways_(ways),
        tags_(std::size_t{sets} * ways, no_tag),
        depth_(static_cast<unsigned>(std::countr_zero(ways))),
        nodes_(sets, 0),
        trees_(sets, ways >> depth_) {
    for (std::uint32_t set = 0; set < sets; ++set) {
      for (std::uint32_t tree = ways >> depth_; tree-- != 0;) trees_.fill(set, tree);
    }
  }

  Tag access(std::uint32_t set, Tag tag) { return use(set, tag) ? tag_hit : fill(set, tag); }

  Tag fill(std::uint32_t set, Tag tag) {
    std::uint32_t way = find(set, no_tag);
    if (way == ways_) way = victim(set);
    use_way(set, way);
    return std::exchange(tag_at(set, way), tag);
  }

  bool use(std::uint32_t set, Tag tag) {
    const std::uint32_t way = find(set, tag);
    if (way != ways_) use_way(set, way);
    return way != ways_;
  }

  bool holds(std::uint32_t set, Tag tag) const { return find(set, tag) != ways_; }

  bool remove(std::uint32_t set, Tag tag) {
    const std::uint32_t way = find(set, tag);
    if (way != ways_) tag_at(set, way) = no_tag;
    return way != ways_;
  }

 private:
  Tag& tag_at(std::uint32_t set, std::uint32_t way) { return tags_[std::size_t{set} * ways_ + way]; }

  /// The first way with this tag; ways_ if there is none.
  std::uint32_t find(std::uint32_t set, Tag tag) const {
    const Tag* const row = tags_.data() + std::size_t{set} * ways_;
    return static_cast<std::uint32_t>(std::find(row, row + ways_, tag) - row);
  }

  // Node n of the tree that begins at way w is bit w + n; node 1 is the root, 2n and 2n + 1 are the children of n.

  void use_way(std::uint32_t set, std::uint32_t way) {
    const std::uint32_t tree = way >> depth_;
    std::uint32_t node = 1;
    for (unsigned level = depth_; level-- != 0;) {
      const std::uint32_t right = way >> level & 1;
      const std::uint64_t bit = std::uint64_t{1} << ((tree << depth_) + node);
      nodes_[set] = right != 0 ? nodes_[set] & ~bit : nodes_[set] | bit;
      node = 2 * node + right;
    }
    trees_.access(set, tree);
  }

  std::uint32_t victim(std::uint32_t set) const {
    const std::uint32_t first = trees_.last_of(set) << depth_;
    std::uint32_t node = 1;
    for (unsigned level = depth_; level-- != 0;) node = 2 * node + (nodes_[set] >> (first + node) & 1);
    return first + node - (1u << depth_);
  }

  std::uint32_t ways_;
  std::vector<Tag> tags_;             ///< by set and way; no_tag where nothing is
  unsigned depth_;                    ///< of a tree
  std::vector<std::uint64_t> nodes_;  ///< by set; 1 points to the right
  LruSets trees_;                     ///< by set: the numbers of its trees
};

/// A store of any of these kinds. One set with LRU may have any number of ways, since a list finds them by an index.
class TagStore {
 public:
  TagStore(std::uint32_t sets, std::uint32_t ways, Replacement replacement) : any_(make(sets, ways, replacement)) {}

  // As in LruList, within a set.
  Tag access(std::uint32_t set, Tag tag) {
    return std::visit([&](auto& store) { return store.access(set, tag); }, any_);
  }
  Tag fill(std::uint32_t set, Tag tag) {
    return std::visit([&](auto& store) { return store.fill(set, tag); }, any_);
  }
  bool use(std::uint32_t set, Tag tag) {
    return std::visit([&](auto& store) { return store.use(set, tag); }, any_);
  }
  bool holds(std::uint32_t set, Tag tag) const {
    return std::visit([&](const auto& store) { return store.holds(set, tag); }, any_);
  }
  bool remove(std::uint32_t set, Tag tag) {
    return std::visit([&](auto& store) { return store.remove(set, tag); }, any_);
  }

 private:
  using Any = std::variant<LruSets, PlruSets, LruList>;

  static Any make(std::uint32_t sets, std::uint32_t ways, Replacement replacement) {
    if (replacement == Replacement::plru) return PlruSets(sets, ways);
    if (sets == 1) return LruList(ways);
    return LruSets(sets, ways);
  }

  Any any_;
};

}  // namespace slidebench
