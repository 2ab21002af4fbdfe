// SPDX-License-Identifier: MIT
//
// The block of memory that stands for the rest of an engine, and the loop that touches it: the timed side of
// pressure.hpp, whose simulated side is in the cache laboratory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "harness/plugin/abi.hpp"
#include "harness/plugin/pressure.hpp"

namespace slidebench {

/// Written before use, in an order fixed beforehand, and touched on from event to event, whatever arm is under way.
/// The order itself is read too: a line for every 16 lines (rows) touched.
class PressureBlock {
 public:
  /// Precondition: pressure.touches(). Throws UserError if there is not enough memory.
  PressureBlock(const Pressure& pressure, std::uint64_t seed, bool large_pages);

  /// What a pressed kernel calls. Valid as long as the block, which must not move.
  PressureHook hook();

  /// Touches the lines of one event.
  void touch();

 private:
  Pressure pressure_;
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> memory_;
  std::vector<std::uint32_t> order_;
  std::size_t cursor_ = 0;
};

}  // namespace slidebench
