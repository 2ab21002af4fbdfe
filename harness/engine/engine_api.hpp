// SPDX-License-Identifier: MIT
//
// What the host asks a module's engine, and what comes back: plain data, the engine's part of the plug-in ABI.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/engine/move.hpp"
#include "harness/engine/network.hpp"
#include "harness/engine/position_state.hpp"
#include "harness/engine/transposition.hpp"

namespace slidebench::engine {

/// What the search thinks of one position.
struct RootResult {
  Move move;            ///< none if the game is over
  std::int32_t score;   ///< of the side to move, in hundredths of a pawn; mates see search.hpp
  std::uint32_t depth;  ///< last depth searched to its end
};

/// A search of `count` positions, one after the other. The host owns all memory.
struct SearchRequest {
  const PositionState* positions;
  std::size_t count;
  unsigned depth;           ///< iterations of each position, 1 to max_search_depth (search.hpp)
  std::uint64_t max_nodes;  ///< of each position; 0: no limit
  /// The hash table, a power of two of clusters. It is used as it is found: zero it, or take a generation that it has
  /// no entries of, for results that repeat.
  HashCluster* hash;
  std::size_t hash_clusters;
  unsigned hash_generation;     ///< below hash_generations; entries of other generations are not seen
  const NetworkCalls* network;  ///< null: the classical evaluation
  bool threats;                 ///< whether to keep the network's threat features; needs a network made with them
  bool batch;                   ///< ask for all sliders of a position at once, if the method has a batch of its own
  std::int16_t* accumulators;   ///< with a network: accumulator_bytes(width), 64-byte aligned
  RootResult* results;          ///< `count` results, or null
};

/// Counts, and a signature that folds the scores and best moves of every depth of every position. All are the same
/// for every method.
struct SearchResult {
  std::uint64_t nodes;
  std::uint64_t evaluations;
  std::uint64_t signature;
};

}  // namespace slidebench::engine
