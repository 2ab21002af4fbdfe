// SPDX-License-Identifier: MIT
//
// What is derived from a run's samples, and run.json.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/counters/calibration.hpp"
#include "harness/measure/process_run.hpp"
#include "harness/platform/cpu_binding.hpp"
#include "harness/run/inputs.hpp"
#include "harness/run/settings.hpp"
#include "harness/statistics/best.hpp"
#include "harness/statistics/checks.hpp"
#include "harness/statistics/correlation.hpp"
#include "harness/statistics/process_run_table.hpp"
#include "harness/statistics/summary.hpp"

namespace slidebench {

/// A process run without samples.
struct MissingProcessRun {
  unsigned process_run = 0;
  std::string why;  ///< how its process ended
};

/// Everything about a run but the samples.
struct RunFacts {
  RunSettings settings;
  std::vector<nlohmann::json> methods;
  std::map<std::string, nlohmann::json> method_by_id;
  std::vector<Skipped> skipped;
  std::vector<RunTrace> traces;
  Calibration counters;                ///< hardware events: what is counted, or why nothing is
  std::vector<Skipped> not_simulated;  ///< methods without simulated counts, where there are no others
  std::string not_simulated_reason;    ///< why there are none at all
  std::string started;                 ///< ISO 8601, UTC
  std::string finished;
  bool complete = false;
  std::vector<MissingProcessRun> missing;  ///< process runs that were tried twice and left out
  std::vector<PageReport> pages;
  double measured_seconds = 0;
  std::size_t layouts = 1;  ///< of each module, from which process runs draw
  CpuBinding pinned;
  std::vector<std::string> warnings = {};  ///< of this kind of run alone, or what makes contenders unlike each other
  nlohmann::json duel = {};                ///< what only a duel has; null for a run
  nlohmann::json race = {};                ///< who left which cell after the first stage; null without a race
  nlohmann::json parts = nlohmann::json::array();  ///< of each part that was joined (joined_run.hpp) where it came from
};

/// The bytes of a method's tables. Absent for contenders that are no methods, and for methods that do not say.
std::optional<std::size_t> table_bytes_of(const RunFacts& facts, const std::string& id);

/// What the verdicts of a run rest on.
Protocol protocol_of(const RunSettings& settings);

/// The sizes of tables among which the answer asks for the best: any, a fourth of a usual L1D, and one.
inline constexpr std::optional<std::size_t> table_limits[] = {std::nullopt, std::size_t{8} << 10,
                                                              std::size_t{64} << 10};

/// Whether tables are no larger than a limit; unknown ones are for no limit alone.
inline bool fits(const std::optional<std::size_t>& bytes, const std::optional<std::size_t>& limit) {
  return !limit || (bytes && *bytes <= *limit);
}

/// The samples of a race before its second stage; of cells that took no part in it all.
std::vector<Sample> first_stage(const std::vector<Sample>& samples, unsigned final_from);

/// What is derived from the samples.
struct RunResults {
  std::vector<SummaryRow> summary;
  std::vector<ProcessRunRow> process_runs;
  RunChecks checks;
  std::vector<RankCorrelation> correlations;
  std::vector<Reliability> reliabilities;
  std::vector<BestOfCell> bests;
  std::map<Cell, double> widenings;  ///< of a run of several sessions
};

RunResults derive_results(const std::vector<Sample>& samples, const Protocol& protocol, const RunFacts& facts);

/// What run.json says about a method.
nlohmann::json describe_method(const Plugin& plugin);

nlohmann::json run_json(const RunFacts& facts, const std::vector<Sample>& samples, const RunResults& results);

/// Now, as "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace slidebench
