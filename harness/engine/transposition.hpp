// SPDX-License-Identifier: MIT
//
// The transposition table: what the search found out about positions, by Zobrist key, in memory that the host gives.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/engine/move.hpp"

namespace slidebench::engine {

/// What a stored score says about the true one.
enum class Bound : std::uint8_t { none, upper, lower, exact };

/// No score and no evaluation has this value.
inline constexpr std::int16_t no_evaluation = INT16_MIN;

/// One position. All zero: empty, in every generation.
struct HashEntry {
  std::uint64_t key;
  std::int16_t score;       ///< mates counted from this position, see search.hpp
  std::int16_t evaluation;  ///< static, or no_evaluation
  Move move;                ///< best or refuting move, or none
  std::int8_t depth;
  Bound bound : 2;
  std::uint8_t generation : 6 = 0;  ///< the table's when it was stored; the table sets it
};
static_assert(sizeof(HashEntry) == 16);

/// Generations from 0; after them the memory has to be cleared.
inline constexpr unsigned hash_generations = 64;

/// Entries that share a cache line: a probe touches one line.
struct alignas(64) HashCluster {
  HashEntry entries[4];
};

/// The table in one generation: entries of another one count as empty, for probing and for replacing. A new generation
/// is thus an empty table, and searches as from cleared memory, but its owner need not touch all of the memory (and
/// drive everything else out of the caches) for it.
class HashTable {
 public:
  /// `count` is a power of two, `generation` below hash_generations.
  HashTable(HashCluster* clusters, std::size_t count, unsigned generation = 0)
      : clusters_(clusters), mask_(count - 1), generation_(static_cast<std::uint8_t>(generation)) {}

  void prefetch(std::uint64_t key) const { __builtin_prefetch(&cluster(key)); }

  /// The entry of a position, or null.
  const HashEntry* probe(std::uint64_t key) const {
    for (const HashEntry& entry : cluster(key).entries) {
      if (entry.key == key && is_live(entry)) return &entry;
    }
    return nullptr;
  }

  /// Stores an entry over the position's older one, or else over the shallowest of its cluster. A move that is already
  /// known is kept if the new entry has none.
  void store(const HashEntry& fresh) {
    HashEntry* place = nullptr;
    for (HashEntry& entry : cluster(fresh.key).entries) {
      if (entry.key == fresh.key || !is_live(entry)) {
        place = &entry;
        break;
      }
      if (place == nullptr || entry.depth < place->depth) place = &entry;
    }
    const Move known = place->key == fresh.key && is_live(*place) ? place->move : Move{};
    *place = fresh;
    place->generation = generation_ & (hash_generations - 1);
    if (fresh.move == Move{}) place->move = known;
  }

 private:
  /// The key's high bits choose the cluster.
  HashCluster& cluster(std::uint64_t key) const { return clusters_[(key >> 20) & mask_]; }

  bool is_live(const HashEntry& entry) const { return entry.generation == generation_ && entry.bound != Bound::none; }

  HashCluster* clusters_;
  std::size_t mask_;
  std::uint8_t generation_;
};

}  // namespace slidebench::engine
