// SPDX-License-Identifier: MIT
//
// A dose: one engine in which each query costs more by a known amount. What a node then costs more says what the engine
// pays for: latency, instructions, or lines of a table. The inverse of a causal profile (C. Curtsinger and E. Berger,
// Coz, 2015), which speeds code up virtually; here it is slowed down in fact.
#pragma once

#include <string>
#include <vector>

#include "harness/statistics/comparison.hpp"

namespace slidebench {

/// A contender of a dose.
struct Dose {
  std::string kind;     ///< "cycles", "instructions" or "lines"; empty: none, the reference
  unsigned amount = 0;  ///< more for each query
};

/// "cycles=6"; "none".
std::string to_string(const Dose& dose);

/// The doses that are compared: none first, then each kind's in rising order.
std::vector<Dose> usual_doses();

/// What an amount costs.
struct DosePoint {
  unsigned amount = 0;
  Estimate ns_per_node;  ///< more than without
};

/// What one kind costs.
struct DoseSlope {
  std::string kind;
  std::vector<DosePoint> points;
  Estimate ns_per_node;  ///< for each unit of the amount: the line through nothing for nothing, least squares
  Estimate bend;         ///< what a unit costs of the largest amount, less what one of the smallest does

  /// Whether the interval of the bend holds 0, or lies within a quarter of the slope.
  bool is_straight() const;
};

struct DoseResult {
  double ns_per_node = 0;  ///< without a dose
  std::vector<DoseSlope> slopes;
};

/// Fits each kind, process run by process run, paired with the reference inside each round; intervals are Student's,
/// widened by the builds that process runs draw (builds.hpp). Contenders are those of usual_doses(), by name.
/// Precondition: the reference was measured. A kind that was not is left out.
DoseResult fit_doses(const CellSamples& cell);

}  // namespace slidebench
