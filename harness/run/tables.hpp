// SPDX-License-Identifier: MIT
//
// The CSV files of a run, beside its samples: summary.csv, process_runs.csv, counters.csv and correlations.csv.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/run/record.hpp"

namespace slidebench {

struct TableText;

/// The counts of every contender, with the empty loop's count of the same cell and metric beside it. A header alone
/// where nothing was counted. @param started  the run; empty: a simulation, the same at any time
std::string counters_csv(const std::vector<EventCount>& counts, const std::string& started);

/// Writes README.md; summary.csv; process_runs.csv, from which its ratios follow; correlations.csv: how alike the cells
/// rank the methods, one row per pair of cells, and how reliable each ranking is, where both are the same cell. Throws
/// UserError.
void write_tables(const std::filesystem::path& out, const RunResults& results, const RunFacts& facts);

/// The columns of every CSV file that this program writes, those of samples, kernels and simulations with them.
std::vector<TableText> file_columns();

}  // namespace slidebench
