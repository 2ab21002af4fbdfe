// SPDX-License-Identifier: MIT
//
// What the tests of search and network share: memory for networks, hash tables and accumulators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/engine/network.hpp"

namespace slidebench::engine {

/// Zeroed memory of whole cache lines.
class LineMemory {
 public:
  explicit LineMemory(std::size_t bytes) : lines_((bytes + sizeof(Line) - 1) / sizeof(Line)) {}

  template <class T>
  T* as() {
    return static_cast<T*>(static_cast<void*>(lines_.data()));
  }
  std::size_t bytes() const { return lines_.size() * sizeof(Line); }

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };

  std::vector<Line> lines_;
};

/// A network with its weights and room for a search's accumulators.
struct TestNetwork {
  explicit TestNetwork(NetworkShape shape, std::uint64_t seed = 1)
      : weights(network_bytes(shape)), accumulators(accumulator_bytes(shape.width)) {
    fill_network(shape, seed, weights.as<void>());
    calls = network_calls(shape, weights.as<void>());
  }

  LineMemory weights;
  LineMemory accumulators;
  NetworkCalls calls;
};

}  // namespace slidebench::engine
