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
  /// Precondition: `name` is that of a preset.
  Touches(const char* name, std::uint64_t seed);

  bool isolated() const { return pressure_.isolated(); }

  /// What a kernel under pressure takes. Valid as long as the object, which must not move.
  PressureHook hook();

  /// Depends on all that was touched and added.
  std::uint64_t residue() const { return sum_ + lasting_; }

 private:
  struct Part {
    Touching touching;
    TagSet events;
    std::vector<std::uint8_t> memory;
    std::vector<std::uint32_t> order;
    std::size_t cursor = 0;
  };

  void touch(NodeTag tag);
  void touch(Part& part);
  void work();

  Pressure pressure_;
  std::vector<Part> parts_;
  std::uint64_t sum_ = 0;
  std::uint64_t lasting_ = 0;  ///< the chain that goes on
};

}  // namespace slidebench::wasm
