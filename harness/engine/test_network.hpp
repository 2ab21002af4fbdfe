// SPDX-License-Identifier: MIT
//
// Memory for networks, hash tables and accumulators in tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include "harness/engine/network.hpp"

namespace slidebench::engine {

/// Zeroed memory that begins at a cache line.
class LineMemory {
 public:
  explicit LineMemory(std::size_t bytes) : bytes_(bytes), data_(::operator new(bytes, alignment)) {
    std::memset(data_.get(), 0, bytes);
  }

  template <class T>
  T* as() {
    return static_cast<T*>(data_.get());
  }
  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::align_val_t alignment{64};
  struct Free {
    void operator()(void* memory) const { ::operator delete(memory, alignment); }
  };

  std::size_t bytes_;
  std::unique_ptr<void, Free> data_;
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
