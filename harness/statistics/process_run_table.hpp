// SPDX-License-Identifier: MIT
//
// process_runs.csv: what each process run says of each contender, a hundredth of the size of samples.csv. Every ratio
// and interval of summary.csv is the mean of these values and its Student's t interval.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/statistics/cell_columns.hpp"
#include "harness/statistics/comparison.hpp"

namespace slidebench {

/// A contender in a cell and a process run.
struct ProcessRunRow {
  Cell cell;
  std::string contender;
  ContenderRole role = ContenderRole::method;
  unsigned process_run = 0;
  unsigned placement = 0;
  std::size_t rounds = 0;
  double ns_per_query = 0;          ///< the trimmed mean of the process run's rounds
  std::optional<double> log_ratio;  ///< pseudo-value of the logarithm of the ratio; absent for what is not compared
  RunTag tag = {};
};

std::vector<ProcessRunRow> process_run_rows(const std::vector<CellSamples>& cells);

/// The rows of such a file. @param name  of the file, for what is wrong with it
/// Throws UserError, or what the CSV library throws, for what is none.
std::vector<ProcessRunRow> read_process_runs(const std::string& name, const std::string& text);

std::string process_runs_csv(const std::vector<ProcessRunRow>& rows);

/// The columns of process_runs.csv.
TableText process_run_columns();

/// By how much the reference must differ between process runs to tell of states; addresses alone make less.
inline constexpr double least_state_ratio = 1.25;

/// What the reference took in a cell: the first and the ninth decile of its process runs.
struct MachineStates {
  Cell cell;
  double quick_ns = 0, slow_ns = 0;  ///< per query
};

/// Whether a machine was the same throughout a run: the replay in which the two differ most; nothing if by less than
/// least_state_ratio everywhere, or of fewer than four process runs. Process runs of perft and of searches are no
/// guide: they have other positions, whose times lie much further apart. Where somebody else uses the other hardware
/// thread of the core, which a guest of a hypervisor cannot see, a loop may take twice as long for minutes, and methods
/// change their ratios, because they need different parts of the core.
std::optional<MachineStates> machine_states(const std::vector<ProcessRunRow>& rows);

}  // namespace slidebench
