// SPDX-License-Identifier: MIT
//
// The block of memory that stands for the rest of an engine, and the loop that touches it: the timed side of
// pressure.hpp; the simulated side is simulator/access_stream.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "harness/pressure/pressure.hpp"
#include "harness/pressure/pressure_hook.hpp"

namespace slidebench {

/// A block of its own for each part of the pressure: written before use, in an order fixed beforehand, and touched on
/// from event to event, whatever contender is under way. The order itself is read too: a line for every 16 lines (rows)
/// touched.
class PressureBlock {
 public:
  /// Throws UserError if there is not enough memory.
  PressureBlock(const Pressure& pressure, std::uint64_t seed, bool large_pages);

  /// Whether queries are followed by other work.
  bool works() const { return work_units_ != 0; }

  /// What a kernel under pressure takes. Valid as long as the block, which must not move.
  PressureHook hook();

  /// Touches the lines of the events that fall on a node with this tag.
  void touch(NodeTag tag);

  /// Executes the other work of an engine: additions in two chains, of which one goes on from query to query, as what
  /// an engine does anyway, and one begins anew. Nothing of a method depends on them, nor they on a method: a short
  /// computation disappears between them, a long one or a miss does not.
  void work();

 private:
  class Part {
   public:
    Part(const Touching& touching, std::uint64_t seed, bool large_pages);

    TagSet events() const { return events_; }
    void touch();

   private:
    struct Free {
      void operator()(std::byte* memory) const { std::free(memory); }
    };
    Touching touching_;
    TagSet events_;
    std::unique_ptr<std::byte, Free> memory_;
    std::vector<std::uint32_t> order_;
    std::size_t cursor_ = 0;
  };

  std::vector<Part> parts_;
  TagSet events_;
  std::uint32_t work_units_;
  std::uint64_t lasting_ = 0;  ///< the chain that goes on
};

}  // namespace slidebench
