// SPDX-License-Identifier: MIT
//
// One set of a cache whose lines are visited in a given order, and how many of the visits miss.
//
// A visit to the second level is one that misses the first: between two visits to a line, lines of the same set of the
// first level drive it out of that which lie in other sets of the second. No line is visited twice in a row, so that
// half of them stand before each visit.
#pragma once

#include "harness/lab/caches/cache_shape.hpp"
#include "harness/lab/caches/replacement_fit.hpp"

namespace slidebench {

class VisitedSet {
 public:
  /// A quiet set of the first level.
  VisitedSet(TimedMemory& memory, const FirstLevel& first, std::mt19937_64& random);

  /// A set of the second level.
  VisitedSet(TimedMemory& memory, const FirstLevel& first, const SecondLevelSet& second, std::mt19937_64& random);

  /// ns that a visit takes longer if it misses.
  double penalty_ns() const { return penalty_ns_; }

  /// From 0 to 1, but for what the clock gets wrong; the mean over some random states of the set at the start.
  /// Precondition: no more lines than three times the ways.
  double miss_ratio(const Visits& visits, std::mt19937_64& random);

 private:
  double ns_a_visit(const Places& visited);
  double missing_ns(const Visits& visits);
  void calibrate();

  TimedMemory& memory_;
  Places lines_;
  Places drivers_;   ///< gone through in a cycle, some between two visits
  Places controls_;  ///< as many lines, which all hit: what a period takes without misses depends on much else
  std::size_t drivers_a_visit_ = 0;
  double penalty_ns_ = 0;
};

}  // namespace slidebench
