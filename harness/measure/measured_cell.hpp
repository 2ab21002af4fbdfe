// SPDX-License-Identifier: MIT
//
// What a cell measures. Files and statistics know a cell by its names (statistics/cell.hpp); here they become what is
// run, and nothing behind this point takes a name apart.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "harness/measure/engine_work.hpp"
#include "harness/plugin/workload.hpp"
#include "harness/pressure/pressure.hpp"
#include "harness/statistics/cell.hpp"

namespace slidebench {

/// The queries of a trace are replayed.
struct ReplayCell {
  const Workload* workload;
  std::string trace;              ///< its name in the run
  std::optional<QueryKind> kind;  ///< of queries; absent for all
  unsigned sliders;               ///< of a batch; 0 for all sizes
  Pressure pressure;
};

/// The engine searches its own positions.
struct SearchCell {
  EngineForm form;
};

/// The engine counts the leaves of its own positions.
struct PerftCell {};

using MeasuredCell = std::variant<ReplayCell, SearchCell, PerftCell>;

/// Throws UserError for names that no cell has.
MeasuredCell measured_cell(const Cell& names);

}  // namespace slidebench
