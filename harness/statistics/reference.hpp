// SPDX-License-Identifier: MIT
//
// A run seen from another reference. Every method was measured beside one of them, in the same rounds; how two others
// differ follows from that, process run by process run: the difference of their log ratios. What the one in between did
// drops out, and Student's t, Holm's rule and the sessions hold for these numbers as for any.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/statistics/process_run_table.hpp"
#include "harness/statistics/summary.hpp"

namespace slidebench {

/// Log ratios of contenders, one a process run, by name.
using RatiosByContender = std::map<std::string, ByProcessRun>;

/// The same contenders' log ratios to one of them, in the process runs that both have. Precondition: it is there.
RatiosByContender rebased(const RatiosByContender& ratios, const std::string& reference);

/// Widens ratios to a reference by the builds of both. Precondition: the builds of all of them are given.
void widen_by_builds(RatiosByContender& ratios, const std::map<std::string, BuildByProcessRun>& builds,
                     const std::string& reference);

/// The rows of a summary with ratios, intervals and verdicts against another of its contenders. Methods and what asks
/// twice are compared with it; the controls stay beside the code that they repeat. A cell in which it was not measured
/// has no ratios and no verdicts. Figures of undisturbed rounds are left out: process runs do not have them.
/// @param process_runs  of the same run (process_runs.csv)
/// @param widenings     by how much the sessions had widened the intervals of a cell; none for a single session
std::vector<SummaryRow> seen_from(const std::string& reference, std::vector<SummaryRow> rows,
                                  const std::vector<ProcessRunRow>& process_runs, const Protocol& protocol,
                                  const std::map<Cell, double>& widenings);

}  // namespace slidebench
