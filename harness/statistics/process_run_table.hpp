// SPDX-License-Identifier: MIT
//
// process_runs.csv: what each process run says of each contender, a hundredth of the size of samples.csv. Every ratio
// and interval of summary.csv is the mean of these values and its Student's t interval.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/statistics/comparison.hpp"
#include "harness/statistics/run_tag.hpp"

namespace slidebench {

struct TableText;

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

}  // namespace slidebench
