// SPDX-License-Identifier: MIT
//
// For tests: samples made by hand, and rows by their contender.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "harness/statistics/summary.hpp"

namespace slidebench {

/// A thousand queries of a contender in a cell of the workload throughput.
inline Sample sample_of(const std::string& contender, ContenderRole role, unsigned process_run, unsigned round,
                        double ns_per_query) {
  Sample s;
  s.process_run = process_run;
  s.round = round;
  s.contender = contender;
  s.method = role == ContenderRole::clock ? "" : contender.substr(0, contender.find('.'));
  s.level = "v3";
  s.role = role;
  s.cell = cell_of({.workload = "throughput", .trace = "game"});
  s.queries = 1000;
  s.time_ns = 1000 * ns_per_query;
  return s;
}

/// A contender's row; the first, if it is in several cells.
inline SummaryRow row_of(const std::vector<SummaryRow>& rows, const std::string& contender) {
  for (const SummaryRow& row : rows) {
    if (row.contender == contender) return row;
  }
  throw std::runtime_error("no row " + contender);
}

}  // namespace slidebench
