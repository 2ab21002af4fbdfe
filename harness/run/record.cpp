// SPDX-License-Identifier: MIT
#include "harness/run/record.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "harness/answer/words.hpp"
#include "harness/base/json_optional.hpp"
#include "harness/base/text_output.hpp"
#include "harness/base/version.hpp"
#include "harness/platform/machine.hpp"
#include "harness/plugin/cpu.hpp"
#include "harness/run/plan.hpp"
#include "harness/run/process.hpp"
#include "harness/statistics/process_run_table.hpp"
#include "harness/statistics/reference.hpp"
#include "harness/statistics/results_json.hpp"
#include "harness/statistics/sessions.hpp"

namespace slidebench {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MissingProcessRun, process_run, why)

namespace {

using nlohmann::json;

/// The clock contender adds one a cycle, so that additions per nanosecond are GHz.
json effective_ghz(const std::vector<Sample>& samples) {
  std::vector<double> ghz;
  for (const Sample& s : samples) {
    if (s.role == ContenderRole::clock) ghz.push_back(1 / s.ns_per_query());
  }
  if (ghz.empty()) return nullptr;
  std::sort(ghz.begin(), ghz.end());
  const auto at = [&ghz](double q) { return ghz[static_cast<std::size_t>(q * static_cast<double>(ghz.size() - 1))]; };
  return {{"median", at(0.5)}, {"low", at(0.05)}, {"high", at(0.95)}};
}

/// What each method was judged to be, and by how many process runs: of a run that stopped when it knew.
json decisions_json(const RunResults& results) {
  json list = json::array();
  for (const SummaryRow& row : results.summary) {
    if (row.role != ContenderRole::method) continue;
    list.push_back({{"cell", row.cell},
                    {"contender", row.contender},
                    {"verdict", verdict_text(row)},
                    {"process_runs", row.process_runs}});
  }
  return list;
}

/// The cells that were measured, in the order of summary.csv.
json cells_json(const RunResults& results) {
  json list = json::array();
  for (const SummaryRow& row : results.summary) {
    const json cell = row.cell;
    if (list.empty() || list.back() != cell) list.push_back(cell);
  }
  return list;
}

/// What the names of the cells' pressures stand for; times of other work under one name are not compared.
json pressures_json(const RunResults& results) {
  json definitions = json::object();
  for (const SummaryRow& row : results.summary)
    definitions[names_of(row.cell).pressure] = definition_of(names_of(row.cell).pressure);
  return definitions;
}

/// By how much the sessions widen the intervals of each cell.
json widenings_json(const RunResults& results) {
  json list = json::array();
  for (const auto& [cell, factor] : results.widenings) list.push_back({{"cell", cell}, {"factor", factor}});
  return list;
}

/// Tables that did not get the pages that they were meant to have.
void warn_of_pages(const RunFacts& facts, json& list) {
  for (const PageReport& report : facts.pages) {
    const bool large = report.pages == "2m";
    if (large == (report.tables.large_bytes > 0)) continue;
    list.push_back(fmt::format(
        "{}: pages of {} were asked for; {} of {} KiB of its tables lie on 2 MiB pages; free memory, or set "
        "transparent huge pages to madvise",
        report.contender, report.pages, report.tables.large_bytes >> 10, report.tables.bytes >> 10));
  }
}

/// Cells where identical code may differ by more than the margin: one line for all of them.
void warn_of_unresolved(const RunResults& results, json& list) {
  std::map<Cell, double> bounds;
  for (const SummaryRow& row : results.summary) {
    if (row.aa_bound) bounds[row.cell] = *row.aa_bound;
  }
  const double margin = results.checks.twins.empty() ? 0 : results.checks.twins.front().margin;
  const auto unresolved =
      std::count_if(bounds.begin(), bounds.end(), [&](const auto& of) { return of.second > margin; });
  if (unresolved == 0) return;
  const auto widest =
      std::max_element(bounds.begin(), bounds.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  list.push_back(
      fmt::format("the reference's own code, measured twice, may differ by more than the margin of {:.1f} % in {} of "
                  "{} cells, most "
                  "in {} ({:.1f} %); there no method is called equivalent, and smaller differences are not "
                  "significant; more process "
                  "runs lower these bounds (aa_bound in summary.csv)",
                  100 * margin, unresolved, bounds.size(), to_string(widest->first), 100 * widest->second));
}

void warn_of_checks(const RunResults& results, json& list) {
  const RunChecks& checks = results.checks;
  for (const TwinCheck& twin : checks.twins) {
    if (twin.result != CheckResult::failed) continue;
    list.push_back(fmt::format(
        "the A/A control is the reference's own code, and took {} times its time in {}: do not believe this "
        "cell; measure it again with more process runs on a quiet machine",
        ratio_text(twin.ratio), to_string(twin.cell)));
  }
  for (const ControlCheck& control : checks.controls) {
    if (control.result == CheckResult::passed) continue;
    const bool failed = control.result == CheckResult::failed;
    list.push_back(
        fmt::format("the positive control has {:.0f} % more to do (tolerance {:.1f} %) and took {} times the "
                    "reference's time in {}: {}",
                    100 * control_share, 100 * control_tolerance, ratio_text(control.ratio), to_string(control.cell),
                    failed ? "do not believe this cell; measure it again on a quiet machine"
                           : "too uncertain to tell; more process runs narrow it (--profile)"));
  }
  warn_of_unresolved(results, list);
}

/// Of the samples' wall time, the part in which others had the core; none where no sample knows its wall time.
double share_of_others(const std::vector<Sample>& samples) {
  double wall = 0, others = 0;
  for (const Sample& sample : samples) {
    wall += sample.wall_ns;
    others += std::max(0.0, sample.wall_ns - sample.time_ns);
  }
  return wall > 0 ? others / wall : 0;
}

void warn_of_disturbance(const std::vector<Sample>& samples, json& list) {
  const auto disturbed = std::count_if(samples.begin(), samples.end(), [](const Sample& s) { return s.flagged(); });
  if (disturbed == 0 || disturbed == static_cast<std::ptrdiff_t>(samples.size()))
    return;  // of all alike it tells nothing
  list.push_back(
      fmt::format("{} of {} samples had a context switch, a page fault or stolen time; all are kept, and summary.csv "
                  "has the ratios without them too; stop other programs to have fewer",
                  disturbed, samples.size()));
  if (const double share = share_of_others(samples); share >= 0.001)
    list.push_back(fmt::format(
        "other processes ran for {:.1f} % of the samples' time; CPU time does not count it, and their effect "
        "on the caches remains",
        100 * share));
}

/// One line, where the reference took much longer in some process runs than in others.
void warn_of_states(const RunResults& results, json& list) {
  const std::optional<MachineStates> states = machine_states(results.process_runs);
  if (!states) return;
  list.push_back(
      fmt::format("the machine changed during the run: the reference took {:.2f} ns in some process runs and {:.2f} in "
                  "others ({}), as if another program used the core's other hardware thread; ratios may differ between "
                  "the two, and methods that were dropped early met only one; measure again in another hour, or with "
                  "--profile standard",
                  states->quick_ns, states->slow_ns, to_string(states->cell)));
}

json warnings(const RunFacts& facts, const std::vector<Sample>& samples, const RunResults& results,
              const json& machine) {
  json list = json::array();
  if (!facts.complete) {
    list.push_back(facts.duel.is_null()
                       ? "the run was interrupted: intervals are wider than the profile intends; --resume goes on"
                       : "the duel did not come to its end: intervals are wider than intended");
  }
  const json hypervisor = machine.value("hypervisor", json());
  if (hypervisor.is_string() && !hypervisor.get<std::string>().empty()) {
    list.push_back("a virtual machine (" + hypervisor.get<std::string>() +
                   "): other guests may disturb, and clocks may vary");
  }
  warn_of_disturbance(samples, list);
  warn_of_states(results, list);
  for (const std::string& warning : facts.warnings) list.push_back(warning);
  warn_of_checks(results, list);
  warn_of_pages(facts, list);
  return list;
}

/// "Linux, no counters because ..." as data.
json counters_json(const RunFacts& facts) {
  json counters = {{"status", facts.counters.believed.empty() ? "none" : "measured"},
                   {"reason", facts.counters.reason}};
  for (const CalibrationFault& fault : facts.counters.faults)
    counters["left_out"].push_back({{"metric", fault.metric}, {"event", fault.event}, {"why", fault.what}});
  if (!facts.not_simulated.empty()) counters["not_simulated"] = facts.not_simulated;
  if (!facts.not_simulated_reason.empty()) counters["not_simulated_reason"] = facts.not_simulated_reason;
  return counters;
}

/// The fastest of each cell, by the limits of tables.
std::vector<BestOfCell> bests_of(const CellSamples& cell, const Protocol& protocol, const RunFacts& facts) {
  std::vector<BestOfCell> bests;
  for (const std::optional<std::size_t>& limit : table_limits) {
    const auto admitted = [&](const ContenderSamples& contender) {
      return fits(table_bytes_of(facts, contender.first.method), limit);
    };
    const BestContenders best = best_contenders(cell, admitted, protocol);
    if (best.known) bests.push_back({cell.cell, limit, best.by_time.size(), best.may_be, best.lead});
  }
  return bests;
}

}  // namespace

std::optional<std::size_t> table_bytes_of(const RunFacts& facts, const std::string& id) {
  const auto found = facts.method_by_id.find(id);
  if (found == facts.method_by_id.end() || found->second.at("table_bytes").is_null()) return std::nullopt;
  return found->second.at("table_bytes").get<std::size_t>();
}

json describe_method(const Plugin& plugin) {
  const MethodInfo& i = plugin.info();
  return {{"id", i.id},
          {"title", i.title},
          {"family", i.family},
          {"inventor", i.inventor},
          {"year", i.year},
          {"reference", i.reference},
          {"isa", joined(isa_names(i.requires_isa), " ")},
          {"level", plugin.level()},
          {"table_bytes", plugin.table_bytes()},
          {"status", plugin.status(host_isa())},
          {"compiler", plugin.descriptor().compiler},
          {"flags", plugin.descriptor().flags}};
}

Protocol protocol_of(const RunSettings& settings) {
  Protocol protocol{settings.margin, settings.until_decided ? Inference::sequential : Inference::fixed};
  if (settings.race_seconds > 0) protocol.final_from = process_runs_of(settings);
  protocol.process_runs_a_session = process_runs_a_session(settings);
  protocol.reference = settings.reference;
  protocol.draws_builds = true;  // layouts of its modules
  return protocol;
}

std::vector<Sample> first_stage(const std::vector<Sample>& samples, unsigned final_from) {
  std::set<Cell> raced;
  for (const Sample& sample : samples) {
    if (sample.process_run < final_from) raced.insert(sample.cell);
  }
  std::vector<Sample> first = samples;
  std::erase_if(first, [&raced, final_from](const Sample& sample) {
    return sample.process_run >= final_from && raced.contains(sample.cell);
  });
  return first;
}

RunResults derive_results(const std::vector<Sample>& samples, const Protocol& protocol, const RunFacts& facts) {
  constexpr std::uint64_t seed = 1;
  const std::vector<CellSamples> cells = sort_into_cells(samples, protocol);
  const std::vector<CellSamples> all_methods =
      protocol.final_from == 0 ? cells : sort_into_cells(first_stage(samples, protocol.final_from));
  RunResults results;
  results.summary = summarise(cells, protocol);
  results.process_runs = process_run_rows(cells);
  results.checks = check_run(cells, results.summary, protocol);
  results.reliabilities = reliabilities(all_methods, seed);
  results.correlations = correlate_rankings(all_methods, results.reliabilities);
  for (const CellSamples& cell : cells) {
    if (protocol.process_runs_a_session > 0)
      results.widenings[cell.cell] = session_widening(cell, protocol.process_runs_a_session);
    for (BestOfCell& best : bests_of(cell, protocol, facts)) results.bests.push_back(std::move(best));
  }
  const std::string& asked = facts.settings.reference;
  if (!asked.empty())
    results.summary = seen_from(asked, std::move(results.summary), results.process_runs, protocol, results.widenings);
  return results;
}

json run_json(const RunFacts& facts, const std::vector<Sample>& samples, const RunResults& results) {
  const json machine = describe_machine();
  const Profile& profile = facts.settings.profile;
  const RunSettings& settings = facts.settings;
  const bool sequential = settings.until_decided;
  return {{"schema", 4},
          {"complete", facts.complete},
          {"missing_process_runs", facts.missing},
          {"command", facts.settings.command_line},
          {"profile", profile.name},
          {"protocol",
           {{"process_runs", profile.process_runs},
            {"rounds", profile.rounds},
            {"methods_per_round", ProcessRunPlan{}.methods_per_round},
            {"segment_queries", settings.segment_queries},
            {"sample_ms", profile.sample_ms},
            {"warm_up_ms", profile.warm_up_ms},
            {"layouts", facts.layouts},
            {"controls", profile.controls},
            {"until_decided", sequential},
            {"max_seconds", sequential ? json(settings.max_seconds) : json()},
            {"sessions", profile.sessions},
            {"pause_seconds", profile.sessions > 1 ? json(profile.pause_seconds) : json()},
            {"race_seconds", settings.race_seconds > 0 ? json(settings.race_seconds) : json()},
            {"race_rounds", settings.race_seconds > 0 ? json(rounds_of_final(profile)) : json()}}},
          {"inference",
           {{"interval", sequential ? "confidence-sequence" : "student-t"},
            {"confidence", 1 - usual_error},
            {"margin", settings.margin}}},
          {"pinned", {{"cpu", facts.pinned.cpu}, {"others", facts.pinned.others}}},
          {"seed", facts.settings.seed},
          {"engine", settings.engine},
          {"reference", settings.reference.empty() ? json() : json(settings.reference)},
          {"measured_seconds", facts.measured_seconds > 0 ? json(facts.measured_seconds) : json()},
          {"started", facts.started},
          {"finished", facts.finished},
          {"slidebench", project_version()},
          {"commit", git_commit()},
          {"dirty", git_dirty()},
          {"build", {{"compiler", compiler_name()}, {"type", build_type()}}},
          {"versions", json::parse(library_versions())},
          {"machine", machine},
          {"counters", counters_json(facts)},
          {"traces", facts.traces},
          {"methods", facts.methods},
          {"skipped", facts.skipped},
          {"effective_ghz", effective_ghz(samples)},
          {"cells", cells_json(results)},
          {"pressures", pressures_json(results)},
          {"bests", results.bests},
          {"decisions", sequential ? decisions_json(results) : json::array()},
          {"checks", results.checks},
          {"correlations", results.correlations},
          {"reliabilities", results.reliabilities},
          {"pages", facts.pages},
          {"duel", facts.duel},
          {"parts", facts.parts},
          {"race", facts.race},
          {"session_widenings", widenings_json(results)},
          {"warnings", warnings(facts, samples, results, machine)}};
}

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

}  // namespace slidebench
