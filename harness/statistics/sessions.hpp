// SPDX-License-Identifier: MIT
//
// Sessions: the stretches of a run with pauses between them. What an hour does to a ratio is shared by all process runs
// of a session, so that their number says nothing of it.
#pragma once

#include "harness/statistics/comparison.hpp"

namespace slidebench {

/// By how much the sessions of a run widen the intervals of a cell, at least 1.
///
/// Three or four sessions are too few for an interval a contender (Student's quantile is 4.3 with three). All
/// contenders of the cell are taken together: the variance between sessions, in units of what the scatter within them
/// would bring about, averaged over the contenders' ratios to the reference; its root is the factor (R. T. Birge,
/// Physical Review 40, 1932). coverage_test.cpp has what that covers. 1 without two sessions of two process runs each,
/// and without a reference.
///
/// @param process_runs  of a session: the first so many are the first session
double session_widening(const CellSamples& cell, unsigned process_runs);

/// The same of some contenders' log ratios to one reference.
double widening_of(const std::vector<ByProcessRun>& contenders, unsigned process_runs);

/// The process runs' numbers, moved away from their mean so that their interval is wider by this factor.
ByProcessRun widened(ByProcessRun values, double factor);

/// What `widened` with this factor was made of.
ByProcessRun narrowed(ByProcessRun values, double factor);

}  // namespace slidebench
