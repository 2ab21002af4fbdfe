// SPDX-License-Identifier: MIT
//
// Where two methods change places as the pressure grows: the number of lines touched at which they cost the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/timing/comparison.hpp"

namespace slidebench {

/// Cells that differ in the number of lines touched alone, in rising order; without touching comes first.
struct PressureSweep {
  std::string name;  ///< what they share, such as "8M/eval/rows"
  std::vector<const CellSamples*> cells;
  std::vector<double> lines;  ///< touched at each event, one a cell
};

/// The sweeps among the cells: at least three cells of the same block, events and pattern, two of them with touching.
/// The views are valid as long as `cells`.
std::vector<PressureSweep> find_sweeps(const std::vector<CellSamples>& cells);

/// An arm and the reference change places between two neighbouring numbers of lines.
struct Crossing {
  Cell cell;  ///< of the sweep; its pressure is the sweep's name
  std::string arm;
  bool faster_below;  ///< the arm is the faster one with fewer lines
  Estimate lines;     ///< interpolated, on the scale of log(1 + lines)
  double certainty;   ///< share of the resamples that cross at all in this direction
};

/// The first crossing of each method with the reference, where at least nine of ten resamples cross, too.
/// `log_ratio` is the sweep's, interpolated linearly in log2(1 + lines).
std::vector<Crossing> find_crossings(const PressureSweep& sweep, std::uint64_t seed);

/// Where the piecewise linear function through (x, y) first changes its sign, or a negative number if it does not.
/// Precondition: x rises and is not negative; as many y.
double first_sign_change(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace slidebench
