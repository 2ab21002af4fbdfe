// SPDX-License-Identifier: MIT
//
// A finished run, read from its folder: what summary.csv and run.json say.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "harness/statistics/checks.hpp"
#include "harness/statistics/correlation.hpp"
#include "harness/statistics/summary.hpp"

namespace slidebench {

struct RunFolder {
  nlohmann::json record;         ///< run.json
  std::vector<SummaryRow> rows;  ///< of summary.csv, in its order; without the figures that no table shows
  RunChecks checks;
  std::vector<RankCorrelation> correlations;
  std::vector<Reliability> reliabilities;
};

/// A run by what it writes: the figures are those of its files, to the last digit. Throws UserError for what no run
/// wrote.
RunFolder read_run(nlohmann::json record, const std::string& summary_csv);

/// Throws UserError for a folder that holds no run, a simulation, or damaged files.
RunFolder read_run_folder(const std::filesystem::path& folder);

}  // namespace slidebench
