// SPDX-License-Identifier: MIT
//
// predicted.csv: what the time model says of a method in a cell.
#pragma once

#include <string>
#include <vector>

namespace slidebench {

struct TableText;

/// Times in ns per query.
struct PredictedRow {
  std::string method, trace, workload, pressure, pages;
  double median = 0, low = 0, high = 0;
  double ahead_ns = 0, chain_ns = 0;  ///< reads that do not wait for the occupancy, and those that do
  double missing_reads = 0;           ///< a query, beyond the first level
  double computed_ns = 0;             ///< with everything in the first level, measured
  double instructions = 0, mispredicted = 0, misprediction_ns = 0;
  double reads_in_flight = 0, window_instructions = 0;
};

std::string predicted_csv(const std::vector<PredictedRow>& rows);

/// The columns of predicted.csv.
TableText predicted_columns();

}  // namespace slidebench
