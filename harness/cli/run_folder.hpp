// SPDX-License-Identifier: MIT
//
// A finished run, read from its folder: what summary.csv and run.json say.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "harness/timing/checks.hpp"
#include "harness/timing/correlation.hpp"
#include "harness/timing/summary.hpp"

namespace slidebench {

struct RunFolder {
  nlohmann::json record;         ///< run.json
  std::vector<SummaryRow> rows;  ///< of summary.csv, in its order; without the figures that no table shows
  RunChecks checks;
  std::vector<RankCorrelation> correlations;
  std::vector<Reliability> reliabilities;
};

/// Throws UserError for a folder that holds no run, a simulation, or damaged files.
RunFolder read_run_folder(const std::filesystem::path& folder);

}  // namespace slidebench
