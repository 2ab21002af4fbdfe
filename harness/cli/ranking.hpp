// SPDX-License-Identifier: MIT
//
// The ranking of a run, for a terminal.
#pragma once

#include <string>
#include <vector>

#include "harness/timing/summary.hpp"

namespace slidebench {

/// One table a cell: time a query, ratio to the reference with its interval, verdict. Fastest first; what lies within
/// the margin of the reference is called equivalent, not a winner.
std::string ranking_text(const std::vector<SummaryRow>& rows);

}  // namespace slidebench
