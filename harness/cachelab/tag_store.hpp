// SPDX-License-Identifier: MIT
//
// The tags of one cache or TLB: sets of ways, and which way goes when a set is full.
//
// A set's ways are compared all at once, because which way hits is hard to predict: half of the time would otherwise go
// into mispredicted branches. They stand in a row of eight tags, or of 16, 24, ...
//
// LRU ranks the ways: 0 for the one used last. A use gives its way rank 0, and moves those that ranked before it one
// on; the last rank goes.
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

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "harness/cachelab/cache_system.hpp"
#include "harness/cachelab/lru_list.hpp"
#include "harness/cachelab/lru_stamps.hpp"

namespace slidebench {

/// Ways in rows of whole blocks of eight: their comparison. A bit of the answer stands for a way.
inline constexpr std::uint32_t row_block = 8;

inline std::uint64_t ways_with(const Tag* row, std::uint32_t row_ways, Tag wanted) {
  std::uint64_t ways = 0;
  for (std::uint32_t first = 0; first < row_ways; first += row_block) {
#if defined(__SSE2__)
    const __m128i w = _mm_set1_epi32(static_cast<int>(wanted));
    const auto* const tags = reinterpret_cast<const __m128i*>(row + first);
    const __m128i low = _mm_cmpeq_epi32(_mm_loadu_si128(tags), w);
    const __m128i high = _mm_cmpeq_epi32(_mm_loadu_si128(tags + 1), w);
    const __m128i bytes = _mm_packs_epi16(_mm_packs_epi32(low, high), _mm_setzero_si128());
    ways |= static_cast<std::uint64_t>(_mm_movemask_epi8(bytes)) << first;
#else
    for (std::uint32_t i = 0; i < row_block; ++i) ways |= std::uint64_t{row[first + i] == wanted} << (first + i);
#endif
  }
  return ways;
}

/// How many blocks of eight a set has. The usual numbers are constants of their own types, so that no loop over them is
/// left; any number of blocks stands for the others.
constexpr std::uint32_t blocks_of(std::uint32_t ways) { return (ways + row_block - 1) / row_block; }
inline constexpr std::uint32_t any_blocks = 0;

/// The tags of a store. What is empty holds no_tag, and so does the rest of a row.
template <std::uint32_t Blocks>
class TagRows {
 public:
  /// @param ways  at most 64
  TagRows(std::uint32_t sets, std::uint32_t ways)
      : blocks_(blocks_of(ways)),
        tags_(std::size_t{sets} * blocks_ * row_block, no_tag),
        all_(ways == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << ways) - 1) {}

  /// Where a set's row begins, in tags.
  std::size_t row_of(std::uint32_t set) const { return std::size_t{set} * row_ways(); }
  Tag& operator[](std::size_t i) { return tags_[i]; }

  /// The first way of a row that holds the tag, or `absent`.
  std::uint32_t find(std::size_t row, Tag tag) const { return lowest(ways_with(&tags_[row], row_ways(), tag)); }
  std::uint32_t find_empty(std::size_t row) const { return lowest(ways_with(&tags_[row], row_ways(), no_tag) & all_); }
  static constexpr std::uint32_t absent = no_tag;

 private:
  std::uint32_t row_ways() const { return (Blocks == any_blocks ? blocks_ : Blocks) * row_block; }

  static std::uint32_t lowest(std::uint64_t ways) {
    return ways == 0 ? absent : static_cast<std::uint32_t>(std::countr_zero(ways));
  }

  std::uint32_t blocks_;  ///< of a row
  std::vector<Tag> tags_;
  std::uint64_t all_;  ///< a bit for each way that exists
};

/// The order in which the members of each set were used last: a rank for each, 0 for the last one.
template <std::uint32_t Blocks>
class LruRanks {
 public:
  /// @param members  of each set, at most 64
  LruRanks(std::uint32_t sets, std::uint32_t members)
      : members_(members), blocks_(blocks_of(members)), ranks_(std::size_t{sets} * words(), ~high_bits) {
    for (std::size_t row = 0; row < ranks_.size(); row += words()) {
      for (std::uint32_t member = 0; member < members; ++member) set_rank(row, member, member);
    }
  }

  void use(std::uint32_t set, std::uint32_t member) {
    const std::size_t row = std::size_t{set} * words();
    const std::uint64_t rank = rank_of(row, member) * low_bits;
    for (std::size_t i = row; i < row + words(); ++i) {
      const std::uint64_t lower = ~((ranks_[i] | high_bits) - rank) & high_bits;
      ranks_[i] += lower >> 7;
    }
    ranks_[row + member / 8] &= ~(std::uint64_t{0xFF} << (member % 8 * 8));
  }

  /// The member used longest ago.
  std::uint32_t oldest(std::uint32_t set) const { return member_of(std::size_t{set} * words(), members_ - 1); }

  void make_oldest(std::uint32_t set, std::uint32_t member) {
    const std::size_t row = std::size_t{set} * words();
    const std::uint64_t next = (rank_of(row, member) + 1) * low_bits;
    for (std::size_t i = row; i < row + words(); ++i) {
      const std::uint64_t here = i + 1 == row + words() ? last_word_ : high_bits;
      const std::uint64_t higher = ((ranks_[i] | high_bits) - next) & here;
      ranks_[i] -= higher >> 7;
    }
    set_rank(row, member, members_ - 1);
  }

 private:
  // The ranks of eight members are the bytes of a word, each below 64 (127 where there is no member), and are handled
  // together: no byte can borrow from its neighbour. See H. S. Warren, Hacker's Delight, 2nd ed., 2-18 and 6-1.
  static constexpr std::uint64_t low_bits = 0x0101010101010101;
  static constexpr std::uint64_t high_bits = 0x8080808080808080;

  /// A word holds the ranks of a block.
  std::size_t words() const { return Blocks == any_blocks ? blocks_ : Blocks; }

  std::uint32_t rank_of(std::size_t row, std::uint32_t member) const {
    return static_cast<std::uint32_t>(ranks_[row + member / 8] >> (member % 8 * 8) & 0xFF);
  }

  void set_rank(std::size_t row, std::uint32_t member, std::uint64_t rank) {
    std::uint64_t& word = ranks_[row + member / 8];
    word = (word & ~(std::uint64_t{0xFF} << (member % 8 * 8))) | rank << (member % 8 * 8);
  }

  std::uint32_t member_of(std::size_t row, std::uint32_t rank) const {
    for (std::uint32_t first = 0;; first += 8, ++row) {
      const std::uint64_t difference = ranks_[row] ^ (rank * low_bits);
      const std::uint64_t equal = ~(difference + ~high_bits) & high_bits;
      if (equal != 0) return first + static_cast<std::uint32_t>(std::countr_zero(equal)) / 8;
    }
  }

  std::uint32_t members_;
  std::uint32_t blocks_;
  std::uint64_t last_word_ = high_bits >> ((8 - members_ % 8) % 8 * 8);  ///< the members in the last one
  std::vector<std::uint64_t> ranks_;
};

/// Sets of ways with LRU replacement. All functions as in LruList, within a set.
template <std::uint32_t Blocks>
class LruSets {
 public:
  /// @param ways  at most 64
  LruSets(std::uint32_t sets, std::uint32_t ways) : tags_(sets, ways), ranks_(sets, ways) {}

  Tag access(std::uint32_t set, Tag tag) {
    const std::uint32_t way = tags_.find(tags_.row_of(set), tag);
    if (way == Rows::absent) return fill(set, tag);
    ranks_.use(set, way);
    return tag_hit;
  }

  Tag fill(std::uint32_t set, Tag tag) {
    const std::uint32_t way = ranks_.oldest(set);
    ranks_.use(set, way);
    return std::exchange(tags_[tags_.row_of(set) + way], tag);
  }

  bool remove(std::uint32_t set, Tag tag) {
    const std::size_t row = tags_.row_of(set);
    const std::uint32_t way = tags_.find(row, tag);
    if (way == Rows::absent) return false;
    tags_[row + way] = no_tag;
    ranks_.make_oldest(set, way);  // the next one to be filled
    return true;
  }

 private:
  using Rows = TagRows<Blocks>;

  Rows tags_;
  LruRanks<Blocks> ranks_;
};

/// Sets of ways with tree-PLRU. Ways that were never filled, or were emptied, are filled first.
template <std::uint32_t Blocks>
class PlruSets {
 public:
  /// @param ways  at most 64
  PlruSets(std::uint32_t sets, std::uint32_t ways)
      : tags_(sets, ways),
        leaves_(ways & (~ways + 1)),
        trees_(ways / leaves_),
        bits_(sets, 0),
        tree_ranks_(trees_ == 1 ? 0 : sets, trees_) {
    for (std::uint32_t way = 0; way < ways; ++way) paths_.push_back(path_of(way));
  }

  Tag access(std::uint32_t set, Tag tag) {
    const std::uint32_t way = tags_.find(tags_.row_of(set), tag);
    if (way == Rows::absent) return fill(set, tag);
    use(set, way);
    return tag_hit;
  }

  Tag fill(std::uint32_t set, Tag tag) {
    const std::size_t row = tags_.row_of(set);
    std::uint32_t way = tags_.find_empty(row);
    if (way == Rows::absent) way = victim(set);
    use(set, way);
    return std::exchange(tags_[row + way], tag);
  }

  bool remove(std::uint32_t set, Tag tag) {
    const std::size_t row = tags_.row_of(set);
    const std::uint32_t way = tags_.find(row, tag);
    if (way == Rows::absent) return false;
    tags_[row + way] = no_tag;
    return true;
  }

 private:
  using Rows = TagRows<Blocks>;

  /// The bits on the way to a leaf, and their values that point away from it.
  struct Path {
    std::uint64_t mask = 0;
    std::uint64_t away = 0;
  };

  /// Node n of tree t is bit t * leaves + n; node 1 is the root, 2n and 2n + 1 are the children of n.
  Path path_of(std::uint32_t way) const {
    Path path;
    const std::uint32_t first = way / leaves_ * leaves_;
    std::uint32_t node = 1;
    for (std::uint32_t half = leaves_ / 2; half != 0; half /= 2) {
      const std::uint32_t right = (way & half) != 0 ? 1 : 0;
      path.mask |= std::uint64_t{1} << (first + node);
      path.away |= std::uint64_t{1 - right} << (first + node);
      node = 2 * node + right;
    }
    return path;
  }

  void use(std::uint32_t set, std::uint32_t way) {
    bits_[set] = (bits_[set] & ~paths_[way].mask) | paths_[way].away;
    if (trees_ != 1) tree_ranks_.use(set, way / leaves_);
  }

  std::uint32_t victim(std::uint32_t set) const {
    const std::uint32_t tree = trees_ == 1 ? 0 : tree_ranks_.oldest(set);
    std::uint32_t node = 1;
    while (node < leaves_) node = 2 * node + static_cast<std::uint32_t>(bits_[set] >> (tree * leaves_ + node) & 1);
    return tree * leaves_ + node - leaves_;
  }

  Rows tags_;
  std::uint32_t leaves_, trees_;
  std::vector<std::uint64_t> bits_;  ///< by set
  LruRanks<any_blocks> tree_ranks_;
  std::vector<Path> paths_;  ///< by way
};

/// A store of any of these kinds. What is fully associative, LRU and wide is found by an index instead of comparisons.
class TagStore {
 public:
  using Any = std::variant<LruSets<1>, LruSets<2>, LruSets<any_blocks>, PlruSets<1>, PlruSets<2>, PlruSets<any_blocks>,
                           LruStamps, LruList>;

  TagStore(std::uint32_t sets, std::uint32_t ways, Replacement replacement) : any_(make(sets, ways, replacement)) {}

  Tag access(std::uint32_t set, Tag tag) {
    return std::visit([&](auto& store) { return store.access(set, tag); }, any_);
  }
  Tag fill(std::uint32_t set, Tag tag) {
    return std::visit([&](auto& store) { return store.fill(set, tag); }, any_);
  }
  bool remove(std::uint32_t set, Tag tag) {
    return std::visit([&](auto& store) { return store.remove(set, tag); }, any_);
  }

  /// For loops that are written once for each kind.
  Any& any() { return any_; }

 private:
  static constexpr std::uint32_t widest_row = 16;

  static Any make(std::uint32_t sets, std::uint32_t ways, Replacement replacement) {
    if (replacement == Replacement::plru) return with_blocks<PlruSets>(sets, ways);
    if (sets == 1 && ways > LruStamps::largest_capacity) return LruList(ways);
    if (sets == 1 && ways > widest_row) return LruStamps(ways);
    return with_blocks<LruSets>(sets, ways);
  }

  template <template <std::uint32_t> class Sets>
  static Any with_blocks(std::uint32_t sets, std::uint32_t ways) {
    switch (blocks_of(ways)) {
      case 1: return Sets<1>(sets, ways);
      case 2: return Sets<2>(sets, ways);
      default: return Sets<any_blocks>(sets, ways);
    }
  }

  Any any_;
};

}  // namespace slidebench
