// SPDX-License-Identifier: MIT
//
// A race: after a first stage, in which all methods are measured briefly, those that cannot be the best of a cell any
// more leave it, so that the time goes to those between which a reader has to choose.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/run/record.hpp"
#include "harness/statistics/comparison.hpp"

namespace slidebench {

/// Who left which cell.
using RaceLeavers = std::map<Cell, std::set<std::string>>;

/// Judges the first stage. A method stays if it may be the best of all, or of those whose tables are no larger than one
/// of the sizes that the answer asks for; the well-known ones stay in any case, and so do all controls.
RaceLeavers leave_race(const std::vector<CellSamples>& first_stage, const RunFacts& facts);

/// What a reader must know of a race: how many left which cell, and what rests on the first stage alone. Empty if
/// nobody left.
std::string race_note(const RaceLeavers& leavers, unsigned process_runs);

}  // namespace slidebench
