// SPDX-License-Identifier: MIT
//
// The ranking of a run, for a terminal.
#pragma once

#include <string>
#include <vector>

#include "harness/base/terminal.hpp"
#include "harness/statistics/checks.hpp"
#include "harness/statistics/correlation.hpp"
#include "harness/statistics/summary.hpp"

namespace slidebench {

/// One table a cell: time per query, ratio to the reference with its interval, verdict. Fastest first; what lies within
/// the margin of the reference is called equivalent, not a winner.
std::string ranking_text(const std::vector<SummaryRow>& rows, const Ink& ink = Ink(false));

/// How well each cell's ranking predicts the others': a line per cell, with the cell's own reliability. Empty for one
/// cell.
std::string correlations_text(const std::vector<RankCorrelation>& correlations,
                              const std::vector<Reliability>& reliabilities);

/// One line on the A/A control and one on the positive control, and one for every cell that failed.
std::string checks_text(const RunChecks& checks);

}  // namespace slidebench
