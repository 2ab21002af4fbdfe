// SPDX-License-Identifier: MIT
//
// A finished run, read from its folder: what summary.csv and run.json say, or these files compressed.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/answer/answer.hpp"
#include "harness/statistics/checks.hpp"
#include "harness/statistics/correlation.hpp"
#include "harness/statistics/process_run_table.hpp"
#include "harness/statistics/summary.hpp"

namespace slidebench {

struct RunFolder {
  std::string path;                         ///< as the user named it
  bool resumable = false;                   ///< whether it keeps its journal, by which it can be measured on
  nlohmann::json record;                    ///< run.json
  std::vector<SummaryRow> rows;             ///< of summary.csv, in its order; without the figures that no table shows
  std::vector<ProcessRunRow> process_runs;  ///< of process_runs.csv; none in a folder that came without it
  std::map<Cell, double> widenings;         ///< of intervals by the sessions
  RunChecks checks;
  std::vector<RankCorrelation> correlations;
  std::vector<Reliability> reliabilities;
};

/// Whether engines were compared, and not methods.
bool is_duel(const RunFolder& run);

/// What the verdicts of a run rest on, as its record says.
Protocol protocol_of(const RunFolder& run);

/// The file of a run's folder, or that of this name and .gz in its place, as a run kept for good has it.
std::filesystem::path file_of_run(const std::filesystem::path& folder, const std::string& name);

/// Whether the folder has a run's record and summary.
bool holds_run(const std::filesystem::path& folder);

/// Throws UserError for a folder that holds no run, a simulation, or damaged files.
RunFolder read_run_folder(const std::filesystem::path& folder);

/// What a run was to be compared with: that of its command, else what it measured beside the others.
std::string usual_reference(const RunFolder& run);

/// The rows of a run against a reference. Throws UserError for one that was not measured.
std::vector<SummaryRow> rows_against(const RunFolder& run, const std::string& reference);

/// The answer of a run against a reference. Throws UserError for one that was not measured.
Answer answer_against(const RunFolder& run, const std::string& reference);

}  // namespace slidebench
