// SPDX-License-Identifier: MIT
//
// summary.csv, written and read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/statistics/cell_columns.hpp"
#include "harness/statistics/summary.hpp"

namespace slidebench {

/// A row of the summary with what the file says beside it, of the method and of the run.
struct SummaryLine : SummaryRow {
  std::string title, family;               ///< of the method
  std::optional<std::size_t> table_bytes;  ///< absent for what is no method, and where it is not known
  double margin = 0;                       ///< of the run
  RunTag tag = {};
};

std::string summary_csv(const std::vector<SummaryLine>& lines);

/// The rows of such a file, without the figures that no table shows.
/// @param name  of the file, for what is wrong with it
/// Throws UserError, or what the CSV library throws, for what is no summary.
std::vector<SummaryRow> read_summary(const std::string& name, const std::string& text);

/// The columns of summary.csv.
TableText summary_columns();

}  // namespace slidebench
