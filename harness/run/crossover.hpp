// SPDX-License-Identifier: MIT
//
// Where two methods change places as the pressure grows: the number of lines touched at which they cost the same.
#pragma once

#include <string>
#include <vector>

#include "harness/statistics/comparison.hpp"

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

/// Two contenders change places between two neighbouring numbers of lines.
struct Crossing {
  Cell cell;  ///< of the sweep; its pressure is the sweep's name
  std::string contender;
  std::string against;  ///< the reference, or a leader of the sweep: a contender that is the fastest somewhere along it
  bool faster_below;    ///< `contender` is the faster one with fewer lines
  Estimate lines;       ///< interpolated, on the scale of log(1 + lines); an end beyond the sweep is infinite
};

/// Where methods cross the reference, and leaders each other: pairs whose difference changes its sign once, and is
/// beyond doubt on one side of the crossing at least. The interval holds all numbers of lines at which the
/// difference, interpolated process run by process run, might be zero. Source: E. Fieller, Some Problems in Interval
/// Estimation, 1954 (an interval for a root from tests at every place).
std::vector<Crossing> find_crossings(const PressureSweep& sweep, const Protocol& protocol);

/// Where the piecewise linear function through (x, y) changes its sign. Precondition: x rises; as many y.
std::vector<double> sign_changes(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace slidebench
