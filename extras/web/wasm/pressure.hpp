// SPDX-License-Identifier: MIT
//
// The pressures of the suite in WebAssembly: the same lines touched in the same order at the same nodes, and as many
// additions after each query (harness/pressure/pressure_block.hpp).
//
// Here the engine that runs the module chooses the instructions. So that it can leave nothing out, a touch adds what it
// reads to a sum, one addition a line; and the additions are of a number that lies in memory, which it cannot fold.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/pressure/pressure.hpp"

namespace slidebench::wasm {

class Touches {
 public:
  /// Precondition: `name` is that of a preset whose lines are scattered.
  Touches(const char* name, std::uint64_t seed);

  bool isolated() const { return parts_.empty() && work_units_ == 0; }

  /// What a kernel under pressure takes. Valid as long as the object, which must not move.
  PressureHook hook();

 private:
  struct Part {
    std::uint32_t lines;  ///< at each event
    TagSet events;
    std::vector<std::uint8_t> memory;
    std::vector<std::uint32_t> order;  ///< the lines, as their places in the memory
    std::size_t cursor = 0;
  };

  void touch(NodeTag tag);
  void touch(Part& part);
  void work();

  std::vector<Part> parts_;
  TagSet events_;
  std::uint32_t work_units_;  ///< after each query
  std::uint64_t sum_ = 0;
  std::uint64_t lasting_ = 0;  ///< the chain that goes on
};

}  // namespace slidebench::wasm
