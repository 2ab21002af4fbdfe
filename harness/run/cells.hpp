// SPDX-License-Identifier: MIT
//
// Which cells a run measures, and how long that takes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/run/inputs.hpp"
#include "harness/run/settings.hpp"
#include "harness/statistics/cell.hpp"

namespace slidebench {

/// Stand for selections of cells in a list of workloads: all that a run usually measures, and what the answer shows.
inline constexpr std::string_view usual_selection = "usual", answer_selection = "answer";

/// What holds for a whole process: the pages under its tables, and who runs beside it.
struct Circumstances {
  std::string pages;
  unsigned corunners;
};

/// Whether a workload has queries of a kind: numbers of sliders are of batches, the others of single queries.
bool has_kinds(const Workload& workload, const std::string& kinds);

/// Every combination that was asked for, the usual one first.
std::vector<Circumstances> circumstances_of(const RunSettings& settings);

/// Whether a workload is of the engine here, which brings its own positions.
bool plays(const std::string& workload);

/// Whether any workload that was asked for replays traces.
bool replays_traces(const RunSettings& settings);

/// Whether any asked-for workload needs methods that were built with the engine.
bool asks_for_engines(const RunSettings& settings);

/// The cells of one process run. The workload "answer" stands for throughput, latency, and throughput under the
/// pressures net0, net256 and net1024, on the first trace that is not random. With neither workload, kind nor pressure
/// asked for, or with the workload "usual", the usual selection: these, throughput and latency on every trace, and on
/// the first one that is not random set-wise, update and `both` alone. Otherwise all combinations of what was asked
/// for; kinds of query apply to throughput and latency alone, numbers of sliders to batch. No cell of setwise or batch
/// on a trace without sliders, of update, threats or keep on one without pieces.
std::vector<Cell> cells_of(const RunSettings& settings, const std::vector<RunTrace>& traces,
                           const Circumstances& circumstances);

/// Workloads that were asked for, and the traces that lack what they ask about.
struct LeftOut {
  std::string what;  ///< "sliders" or "pieces"
  std::vector<std::string> workloads;
  std::vector<std::string> traces;
};
std::vector<LeftOut> left_out_cells(const RunSettings& settings, const std::vector<RunTrace>& traces);

/// About how long a sample in a cell takes with its warm-up, in seconds: the profile's time; under pressure one pass
/// over a segment; in the engine one search.
double sample_seconds(const Cell& cell, const RunSettings& settings);

}  // namespace slidebench
