// SPDX-License-Identifier: MIT
//
// A run from its first check to its answer: checks the methods, starts the measuring processes, and writes what they
// find as it comes.
#pragma once

#include <optional>

#include "harness/run/journal.hpp"
#include "harness/run/settings.hpp"

namespace slidebench {

/// Measures as told, and fills `settings.out` with samples.csv, counters.csv, summary.csv, run.json and answer.json;
/// prints the answer. Throws UserError (also when interrupted: what was measured is kept and marked incomplete) or
/// CheckFailed. Where `settings.out` holds a finished run, its cells are added to that (joined_run.hpp).
/// @param resumed  the journal of a run in `settings.out` that is to go on; absent: a new run
void perform_run(RunSettings settings, std::optional<RunJournal> resumed);

}  // namespace slidebench
