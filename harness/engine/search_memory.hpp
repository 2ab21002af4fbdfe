// SPDX-License-Identifier: MIT
//
// The memory that the host gives a search: hash table, network, accumulators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include "harness/engine/engine_api.hpp"
#include "harness/engine/network.hpp"

namespace slidebench::engine {

/// Zeroed memory that begins at a cache line.
class ZeroedLines {
 public:
  explicit ZeroedLines(std::size_t bytes) : data_(::operator new(bytes, alignment)) {
    std::memset(data_.get(), 0, bytes);
  }

  template <class T>
  T* as() const {
    return static_cast<T*>(data_.get());
  }

 private:
  static constexpr std::align_val_t alignment{64};
  struct Free {
    void operator()(void* memory) const { ::operator delete(memory, alignment); }
  };

  std::unique_ptr<void, Free> data_;
};

/// A hash table, and a network if its width is not 0, with fixed weights.
class SearchMemory {
 public:
  /// @throws UserError if the width is impossible
  SearchMemory(unsigned network_width, bool threats, std::size_t hash_clusters)
      : hash_clusters_(hash_clusters),
        threats_(threats && network_width != 0),
        shape_{network_width, threats_},
        hash_(hash_clusters * sizeof(HashCluster)),
        weights_(network_width == 0 ? 0 : network_bytes(shape_)),
        accumulators_(network_width == 0 ? 0 : accumulator_bytes(network_width)) {
    if (network_width == 0) return;
    constexpr std::uint64_t weights_seed = 1;
    fill_network(shape_, weights_seed, weights_.as<void>());
    network_ = network_calls(shape_, weights_.as<void>());
  }

  /// A request without positions, which refers to this memory and uses `network`, or none if this memory has none.
  SearchRequest request(unsigned depth, std::uint64_t max_nodes) const { return request(depth, max_nodes, &network_); }
  SearchRequest request(unsigned depth, std::uint64_t max_nodes, const NetworkCalls* network) const {
    return {.positions = nullptr,
            .count = 0,
            .depth = depth,
            .max_nodes = max_nodes,
            .hash = hash_.as<HashCluster>(),
            .hash_clusters = hash_clusters_,
            .network = shape_.width == 0 ? nullptr : network,
            .threats = threats_,
            .accumulators = accumulators_.as<std::int16_t>(),
            .results = nullptr};
  }

  const NetworkCalls& network() const { return network_; }

 private:
  std::size_t hash_clusters_;
  bool threats_;
  NetworkShape shape_;
  ZeroedLines hash_;
  ZeroedLines weights_;
  ZeroedLines accumulators_;
  NetworkCalls network_{};
};

}  // namespace slidebench::engine
