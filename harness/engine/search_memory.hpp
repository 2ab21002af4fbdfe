// SPDX-License-Identifier: MIT
//
// The memory that the host gives a search: hash table, network, accumulators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "harness/engine/engine_api.hpp"
#include "harness/engine/network.hpp"

namespace slidebench::engine {

/// Asks the kernel for the pages under memory that is aligned to 2 MiB, before it is written. Bytes may be rounded up
/// to whole 2 MiB.
using PageAdvice = void (*)(void* memory, std::size_t bytes);

/// Zeroed memory that begins at a cache line, and at a large page if its pages are chosen.
class ZeroedLines {
 public:
  explicit ZeroedLines(std::size_t bytes, PageAdvice advice = nullptr)
      : data_(std::aligned_alloc(large_page, (bytes + large_page - 1) / large_page * large_page)) {
    if (data_ == nullptr) throw std::bad_alloc();
    if (advice != nullptr) advice(data_.get(), bytes);
    std::memset(data_.get(), 0, bytes);
  }

  template <class T>
  T* as() const {
    return static_cast<T*>(data_.get());
  }

 private:
  static constexpr std::size_t large_page = 2u << 20;
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  std::unique_ptr<void, Free> data_;
};

/// A hash table, and a network if its width is not 0, with fixed weights.
class SearchMemory {
 public:
  /// @throws UserError if the width is impossible
  SearchMemory(unsigned network_width, bool threats, std::size_t hash_clusters, PageAdvice advice = nullptr)
      : hash_clusters_(hash_clusters),
        threats_(threats && network_width != 0),
        shape_{network_width, threats_},
        hash_(hash_clusters * sizeof(HashCluster), advice),
        weights_(network_width == 0 ? 0 : network_bytes(shape_), advice),
        accumulators_(network_width == 0 ? 0 : accumulator_bytes(network_width), advice) {
    if (network_width == 0) return;
    constexpr std::uint64_t weights_seed = 1;
    fill_network(shape_, weights_seed, weights_.as<void>());
    network_ = network_calls(shape_, weights_.as<void>());
  }

  /// A request without positions, which refers to this memory.
  SearchRequest request(unsigned depth, std::uint64_t max_nodes) const {
    return {.positions = nullptr,
            .count = 0,
            .depth = depth,
            .max_nodes = max_nodes,
            .hash = hash_.as<HashCluster>(),
            .hash_clusters = hash_clusters_,
            .hash_generation = generation_,
            .network = shape_.width == 0 ? nullptr : &network_,
            .threats = threats_,
            .batch = false,
            .accumulators = accumulators_.as<std::int16_t>(),
            .results = nullptr};
  }

  /// Forgets all positions: a search repeats only from an empty table. Requests made before still see the old ones.
  /// The memory is touched only when all generations are used up: clearing 16 MiB before each search would leave the
  /// caches full of zeros and none of what a method had there.
  void forget_positions() {
    generation_ = (generation_ + 1) % hash_generations;
    if (generation_ == 0) std::memset(hash_.as<void>(), 0, hash_clusters_ * sizeof(HashCluster));
  }

 private:
  std::size_t hash_clusters_;
  unsigned generation_ = 0;
  bool threats_;
  NetworkShape shape_;
  ZeroedLines hash_;
  ZeroedLines weights_;
  ZeroedLines accumulators_;
  NetworkCalls network_{};
};

}  // namespace slidebench::engine
