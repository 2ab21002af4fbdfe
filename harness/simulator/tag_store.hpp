// SPDX-License-Identifier: MIT
//
// The tags of one cache or TLB: sets of ways, and which way goes when a set is full.
//
// A set's ways are compared all at once, because which way hits is hard to predict: half of the time would otherwise go
// into mispredicted branches. They stand in a row of whole vectors of tags.
//
// LRU keeps a row in the order of use: a use moves its tag to the front, and what stands last goes.
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

#include <algorithm>
#include <array>
#include <bit>
#include <boost/align/aligned_allocator.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "harness/simulator/cache_system.hpp"
#include "harness/simulator/lru_list.hpp"
#include "harness/simulator/lru_stamps.hpp"
#include "harness/simulator/row_kernels.hpp"

namespace slidebench {

/// Rows begin at the start of a cache line of the machine that simulates.
using AlignedTags = std::vector<Tag, boost::alignment::aligned_allocator<Tag, 64>>;

/// Brings a row into the caches of the machine that simulates: the stores of large caches do not stay there.
inline void prefetch_row(const Tag* row, std::uint32_t tags) {
  constexpr std::uint32_t tags_per_line = 64 / sizeof(Tag);
  for (std::uint32_t i = 0; i < tags; i += tags_per_line) __builtin_prefetch(row + i, 1);
}

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

  void prefetch(std::uint32_t set) const { prefetch_row(&tags_[row_of(set)], row_ways()); }

 private:
  std::uint32_t row_ways() const { return (Blocks == any_blocks ? blocks_ : Blocks) * row_block; }

  static std::uint32_t lowest(std::uint64_t ways) {
    return ways == 0 ? absent : static_cast<std::uint32_t>(std::countr_zero(ways));
  }

  std::uint32_t blocks_;  ///< of a row
  AlignedTags tags_;
  std::uint64_t all_;  ///< a bit for each way that exists
};

/// How many vectors of four tags a row of LruSets has; any number stands for those without a type of their own.
inline constexpr std::uint32_t any_vectors = 0;

/// Sets of ways with LRU replacement: a set's tags stand in the order of their last use, the last one in front, empty
/// places behind. A use moves the tags before its own one place on, in the same few vector instructions whatever the
/// place. All functions as in LruList, within a set.
template <std::uint32_t Vectors>
class LruSets {
 public:
  /// @param ways  at most 64, and at most 4 * Vectors
  LruSets(std::uint32_t sets, std::uint32_t ways)
      : ways_(ways), row_(row_tags(ways)), tags_(std::size_t{sets} * row_tags(ways), no_tag) {}

  Tag access(std::uint32_t set, Tag tag) {
    Tag* const row = row_of(set);
    const std::uint64_t found = places_of(row, tag);
    if (found == 0) return push(row, tag);
    put_in_front(row, tag, static_cast<std::uint32_t>(std::countr_zero(found)));
    return tag_hit;
  }

  Tag fill(std::uint32_t set, Tag tag) { return push(row_of(set), tag); }

  bool use(std::uint32_t set, Tag tag) {
    Tag* const row = row_of(set);
    const std::uint64_t found = places_of(row, tag);
    if (found == 0) return false;
    put_in_front(row, tag, static_cast<std::uint32_t>(std::countr_zero(found)));
    return true;
  }

  bool holds(std::uint32_t set, Tag tag) const { return places_of(row_of(set), tag) != 0; }

  bool remove(std::uint32_t set, Tag tag) {
    Tag* const row = row_of(set);
    const std::uint64_t found = places_of(row, tag);
    if (found == 0) return false;
    take_out(row, static_cast<std::uint32_t>(std::countr_zero(found)));
    return true;
  }

  /// The sets from this one on, if row kernels can work on them (row_kernels.hpp).
  Tag* sets_from(std::uint32_t set) { return row_of(set); }
  const RowKernels* kernels() const { return Vectors == 2 || Vectors == 4 ? kernels_ : nullptr; }

  Tag last_of(std::uint32_t set) const { return row_of(set)[ways_ - 1]; }

  void prefetch(std::uint32_t set) const { prefetch_row(row_of(set), row_tags(ways_)); }

 private:
  static constexpr std::uint32_t lanes = 4;
  static constexpr std::uint32_t row_tags(std::uint32_t ways) {
    return (Vectors == any_vectors ? (ways + lanes - 1) / lanes : Vectors) * lanes;
  }

  std::size_t start_of(std::uint32_t set) const {
    return std::size_t{set} * (Vectors == any_vectors ? row_ : Vectors * lanes);
  }
  Tag* row_of(std::uint32_t set) { return tags_.data() + start_of(set); }
  const Tag* row_of(std::uint32_t set) const { return tags_.data() + start_of(set); }

#if defined(__SSE2__)
  static const __m128i* vectors(const Tag* row) { return reinterpret_cast<const __m128i*>(row); }
  static __m128i* vectors(Tag* row) { return reinterpret_cast<__m128i*>(row); }

  /// A bit for every place that holds the tag.
  std::uint64_t places_of(const Tag* row, Tag tag) const {
    const std::uint32_t count = Vectors == any_vectors ? row_ / lanes : Vectors;
    const __m128i wanted = _mm_set1_epi32(static_cast<int>(tag));
    const auto equal = [&](std::uint32_t i) {
      return i < count ? _mm_cmpeq_epi32(_mm_load_si128(vectors(row) + i), wanted) : _mm_setzero_si128();
    };
    std::uint64_t places = 0;
    for (std::uint32_t i = 0; i < count; i += 4) {  // four at a time become the bytes of one
      const __m128i low = _mm_packs_epi32(equal(i), equal(i + 1));
      const __m128i high = _mm_packs_epi32(equal(i + 2), equal(i + 3));
      places |= static_cast<std::uint64_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high))) << (lanes * i);
    }
    return places;
  }

  /// Moves all tags one place on, and returns the one that falls out.
  Tag push(Tag* row, Tag tag) {
    const Tag last = row[ways_ - 1];
    if constexpr (Vectors == any_vectors) {
      put_in_front(row, tag, ways_ - 1);
    } else {
      for (std::uint32_t i = Vectors; i-- != 0;) _mm_store_si128(vectors(row) + i, one_before(row, i, tag));
      if (ways_ < Vectors * lanes) row[ways_] = no_tag;
    }
    return last;
  }

  /// Moves the tags before `place` one place on, over the one that stands there.
  void put_in_front(Tag* row, Tag tag, std::uint32_t place) {
    if constexpr (Vectors == any_vectors) {
      std::copy_backward(row, row + place, row + place + 1);
      row[0] = tag;
    } else {
      const Tag* const moving = &moving_lanes[widest - 1 - place];
      for (std::uint32_t i = Vectors; i-- != 0;) blend(row, i, one_before(row, i, tag), moving);
    }
  }

  /// Moves the tags behind `place` one place back, over the one that stands there.
  void take_out(Tag* row, std::uint32_t place) {
    if constexpr (Vectors == any_vectors) {
      std::copy(row + place + 1, row + ways_, row + place);
      row[ways_ - 1] = no_tag;
    } else {
      const Tag* const staying = &staying_lanes[widest - place];
      for (std::uint32_t i = 0; i < Vectors; ++i) blend(row, i, one_behind(row, i), staying);
    }
  }

  // The i-th vector, moved by a tag. None reads a neighbouring row: what has just been written there would have to be
  // waited for.
  static __m128i one_before(const Tag* row, std::uint32_t i, Tag tag) {
    if (i != 0) return _mm_loadu_si128(vectors(row + lanes * i - 1));
    return _mm_or_si128(_mm_slli_si128(_mm_load_si128(vectors(row)), 4), _mm_cvtsi32_si128(static_cast<int>(tag)));
  }
  static __m128i one_behind(const Tag* row, std::uint32_t i) {
    if (i + 1 != Vectors) return _mm_loadu_si128(vectors(row + lanes * i + 1));
    const __m128i empty = _mm_slli_si128(_mm_cvtsi32_si128(static_cast<int>(no_tag)), 12);
    return _mm_or_si128(_mm_srli_si128(_mm_load_si128(vectors(row) + i), 4), empty);
  }

  /// Replaces the lanes of the i-th vector where the mask has ones.
  static void blend(Tag* row, std::uint32_t i, __m128i moved, const Tag* mask) {
    const __m128i chosen = _mm_loadu_si128(vectors(mask) + i);
    const __m128i old = _mm_load_si128(vectors(row) + i);
    _mm_store_si128(vectors(row) + i, _mm_or_si128(_mm_and_si128(chosen, moved), _mm_andnot_si128(chosen, old)));
  }
#else
  std::uint64_t places_of(const Tag* row, Tag tag) const {
    std::uint64_t places = 0;
    for (std::uint32_t i = 0; i < ways_; ++i) places |= std::uint64_t{row[i] == tag} << i;
    return places;
  }

  void put_in_front(Tag* row, Tag tag, std::uint32_t place) {
    std::copy_backward(row, row + place, row + place + 1);
    row[0] = tag;
  }

  Tag push(Tag* row, Tag tag) {
    const Tag last = row[ways_ - 1];
    put_in_front(row, tag, ways_ - 1);
    return last;
  }

  void take_out(Tag* row, std::uint32_t place) {
    std::copy(row + place + 1, row + ways_, row + place);
    row[ways_ - 1] = no_tag;
  }
#endif

  /// Ones, then zeros: from widest - n on, a mask with the first n lanes. And the opposite.
  static constexpr std::uint32_t widest = std::max(Vectors, 1u) * lanes;
  using Mask = std::array<Tag, 2 * widest>;
  static constexpr Mask mask_of(Tag first, Tag then) {
    Mask mask{};
    std::fill(mask.begin(), mask.begin() + widest, first);
    std::fill(mask.begin() + widest, mask.end(), then);
    return mask;
  }
  static constexpr Mask moving_lanes = mask_of(~Tag{0}, 0);
  static constexpr Mask staying_lanes = mask_of(0, ~Tag{0});

  std::uint32_t ways_;
  std::uint32_t row_;  ///< tags from one set to the next
  const RowKernels* kernels_ = row_kernels(ways_);
  AlignedTags tags_;
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
        tree_order_(trees_ == 1 ? 0 : sets, trees_) {
    for (std::uint32_t way = 0; way < ways; ++way) paths_.push_back(path_of(way));
    for (std::uint32_t set = 0; trees_ != 1 && set < sets; ++set) {
      for (std::uint32_t tree = trees_; tree-- != 0;) tree_order_.fill(set, tree);
    }
  }

  Tag access(std::uint32_t set, Tag tag) {
    const std::uint32_t way = tags_.find(tags_.row_of(set), tag);
    if (way == Rows::absent) return fill(set, tag);
    use_way(set, way);
    return tag_hit;
  }

  Tag fill(std::uint32_t set, Tag tag) {
    const std::size_t row = tags_.row_of(set);
    std::uint32_t way = tags_.find_empty(row);
    if (way == Rows::absent) way = victim(set);
    use_way(set, way);
    return std::exchange(tags_[row + way], tag);
  }

  bool use(std::uint32_t set, Tag tag) {
    const std::uint32_t way = tags_.find(tags_.row_of(set), tag);
    if (way != Rows::absent) use_way(set, way);
    return way != Rows::absent;
  }

  bool holds(std::uint32_t set, Tag tag) const { return tags_.find(tags_.row_of(set), tag) != Rows::absent; }
  void prefetch(std::uint32_t set) const { tags_.prefetch(set); }

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

  void use_way(std::uint32_t set, std::uint32_t way) {
    bits_[set] = (bits_[set] & ~paths_[way].mask) | paths_[way].away;
    if (trees_ != 1) tree_order_.use(set, way / leaves_);
  }

  std::uint32_t victim(std::uint32_t set) const {
    const std::uint32_t tree = trees_ == 1 ? 0 : tree_order_.last_of(set);
    std::uint32_t node = 1;
    while (node < leaves_) node = 2 * node + static_cast<std::uint32_t>(bits_[set] >> (tree * leaves_ + node) & 1);
    return tree * leaves_ + node - leaves_;
  }

  Rows tags_;
  std::uint32_t leaves_, trees_;
  std::vector<std::uint64_t> bits_;  ///< by set
  LruSets<any_vectors> tree_order_;
  std::vector<Path> paths_;  ///< by way
};

/// A store of any of these kinds. What is fully associative, LRU and wide is found by an index instead of comparisons.
class TagStore {
 public:
  /// Eleven at most: std::visit() is a switch up to there, and a call through a table beyond.
  using Any = std::variant<LruSets<1>, LruSets<2>, LruSets<3>, LruSets<4>, LruSets<6>, LruSets<any_vectors>,
                           PlruSets<1>, PlruSets<2>, PlruSets<any_blocks>, LruStamps, LruList>;

  TagStore(std::uint32_t sets, std::uint32_t ways, Replacement replacement) : any_(make(sets, ways, replacement)) {}

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

  /// For loops that are written once for each kind.
  Any& any() { return any_; }

 private:
  static constexpr std::uint32_t widest_row = 16;

  static Any make(std::uint32_t sets, std::uint32_t ways, Replacement replacement) {
    if (replacement == Replacement::plru) return make_plru(sets, ways);
    if (sets == 1 && ways > LruStamps::largest_capacity) return LruList(ways);
    if (sets == 1 && ways > widest_row) return LruStamps(ways);
    return make_lru(sets, ways);
  }

  static Any make_plru(std::uint32_t sets, std::uint32_t ways) {
    switch (blocks_of(ways)) {
      case 1: return PlruSets<1>(sets, ways);
      case 2: return PlruSets<2>(sets, ways);
      default: return PlruSets<any_blocks>(sets, ways);
    }
  }

  static Any make_lru(std::uint32_t sets, std::uint32_t ways) {
    switch ((ways + 3) / 4) {
      case 1: return LruSets<1>(sets, ways);
      case 2: return LruSets<2>(sets, ways);
      case 3: return LruSets<3>(sets, ways);
      case 4: return LruSets<4>(sets, ways);
      case 5:
      case 6: return LruSets<6>(sets, ways);
      default: return LruSets<any_vectors>(sets, ways);
    }
  }

  Any any_;
};

}  // namespace slidebench
