// SPDX-License-Identifier: MIT
//
// A run whose --out holds a finished one adds its cells to that: searches beside replays. It is measured in a folder
// inside, part/, like any other, and joined at its end; after a stop `run --resume DIR/part` goes on, and joins it.
#pragma once

#include <filesystem>
#include <optional>

#include "harness/run/journal.hpp"
#include "harness/statistics/cell.hpp"

namespace slidebench {

/// The finished run that a run adds to; absent for one that stands alone.
/// @param out      the folder of the run
/// @param resumed  whether it goes on, so that `out` is its own folder
std::optional<std::filesystem::path> run_added_to(const std::filesystem::path& out, bool resumed);

/// Where the part of a run is measured that is added to it.
std::filesystem::path part_folder(const std::filesystem::path& whole);

/// Throws UserError if a run has some of the cells, another trace of one name, or is of another machine or commit.
void check_addable(const std::filesystem::path& whole, const std::vector<Cell>& cells, const RunIdentity& now);

/// Joins the run in part_folder(whole) to `whole`, and removes it there. Its process runs are counted on from those of
/// the whole; its command and its protocol stand in run.json under `parts`.
void join_part(const std::filesystem::path& whole);

}  // namespace slidebench
