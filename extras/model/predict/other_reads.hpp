// SPDX-License-Identifier: MIT
//
// What else is read between two nodes of a segment: the lines of the pressure, and the trace itself.
//
// Both are the same for every method, and touched in a fixed cyclic order. So how many different lines of a block came
// in between is the number of touches, at most the block: exact, without simulating a single touch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/measure/trace_selection.hpp"
#include "harness/pressure/pressure.hpp"

namespace slidebench {

/// Over two passes of a segment, as in profile_segment(): nodes are counted from 1.
class OtherReads {
 public:
  OtherReads(const Segment& segment, const Pressure& pressure);

  /// Different lines of the pressure that were touched after node `since` and up to node `now`.
  double touched_between(std::uint32_t since, std::uint32_t now) const;

  /// The same with the trace's own; and the base pages of both.
  double lines_between(std::uint32_t since, std::uint32_t now) const;
  double pages_between(std::uint32_t since, std::uint32_t now) const;

  /// Lines touched at a node, and what distance each touch reaches back: its own block's, and what else is read while
  /// the block is gone through once.
  std::uint32_t touches_at(std::uint32_t node) const { return touches_at_[node]; }
  double touch_distance() const { return touch_distance_; }

 private:
  /// Something that is gone through in a cycle.
  struct Cycle {
    std::vector<std::uint64_t> touched;  ///< lines up to and with each node
    double lines = 0;                    ///< of the whole cycle
    double units_a_page = 0;             ///< runs of neighbouring lines that are touched at once, in a base page
    double lines_a_unit = 1;

    double lines_between(std::uint32_t since, std::uint32_t now) const;
    double pages_between(std::uint32_t since, std::uint32_t now) const;
  };

  static Cycle cycle_of(const Touching& part, std::span<const NodeTag> tags);
  static Cycle cycle_of_trace(const Segment& segment);

  std::vector<Cycle> parts_;  ///< of the pressure
  Cycle trace_;
  std::vector<std::uint32_t> touches_at_;
  double touch_distance_ = 0;
};

}  // namespace slidebench
