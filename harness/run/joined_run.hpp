// SPDX-License-Identifier: MIT
//
// A run that is given the folder of a finished one as its --out adds its cells to that one: searches beside replays. It
// is measured in a folder inside, part/, like any other run, and joined when it has come to its end; one that was
// stopped goes on by `run --resume DIR/part`, and is joined then.
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

/// Throws UserError if cells cannot be added to a run: it has some of them, or was measured on another machine or by
/// another commit.
void check_addable(const std::filesystem::path& whole, const std::vector<Cell>& cells, const RunIdentity& now);

/// Joins the finished run in part_folder(whole) to `whole`, and removes it there. The process runs of the part are
/// counted on from those of the whole; its command and its protocol stand in run.json under `parts`.
void join_part(const std::filesystem::path& whole);

}  // namespace slidebench
