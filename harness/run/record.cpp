// SPDX-License-Identifier: MIT
#include "harness/run/record.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <sstream>
#include <tuple>

#include "harness/base/text_output.hpp"
#include "harness/base/version.hpp"
#include "harness/counters/counter_math.hpp"
#include "harness/engine/fen.hpp"
#include "harness/platform/assembly.hpp"
#include "harness/platform/machine.hpp"
#include "harness/plugin/cpu.hpp"
#include "harness/run/process.hpp"

namespace slidebench {
namespace {

using nlohmann::json;

std::string number(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

/// An absent value is an empty cell, never 0.
std::string number(const std::optional<double>& value, int digits) { return value ? number(*value, digits) : ""; }

std::string text_of(const RunFacts& facts, const std::string& id, const char* key) {
  const auto found = facts.method_by_id.find(id);
  return found == facts.method_by_id.end() ? "" : found->second.at(key).get<std::string>();
}

/// Absent for contenders that are no methods, and for methods that do not say what tables they have.
std::optional<std::size_t> table_bytes_of(const RunFacts& facts, const std::string& id) {
  const auto found = facts.method_by_id.find(id);
  if (found == facts.method_by_id.end() || found->second.at("table_bytes").is_null()) return std::nullopt;
  return found->second.at("table_bytes").get<std::size_t>();
}

std::string bytes_of(const RunFacts& facts, const std::string& id) {
  const std::optional<std::size_t> bytes = table_bytes_of(facts, id);
  return bytes ? std::to_string(*bytes) : "";
}

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

/// An end that is not known or lies beyond all that was measured is infinite, and null in JSON.
json estimate_json(const Estimate& e) { return {{"value", e.value}, {"low", e.low}, {"high", e.high}}; }

json with_cell(const Cell& cell, const json& more) {
  json all = {{"cell", cell}};
  all.update(more);
  return all;
}

json checks_json(const RunChecks& checks) {
  json twins = json::array(), controls = json::array();
  for (const TwinCheck& twin : checks.twins) {
    twins.push_back(with_cell(twin.cell, {{"ratio", twin.ratio.value},
                                          {"low", twin.ratio.low},
                                          {"high", twin.ratio.high},
                                          {"margin", twin.margin},
                                          {"result", to_string(twin.result)}}));
  }
  for (const ControlCheck& control : checks.controls) {
    controls.push_back(with_cell(control.cell, {{"expected_cycles", control.expected_cycles},
                                                {"tolerance_cycles", control_tolerance},
                                                {"measured_cycles", control.cycles.value},
                                                {"low", control.cycles.low},
                                                {"high", control.cycles.high},
                                                {"result", to_string(control.result)}}));
  }
  return {{"valid", checks.valid()}, {"twin", twins}, {"control", controls}};
}

json correlations_json(const RunResults& results) {
  json list = json::array();
  for (const RankCorrelation& c : results.correlations) {
    list.push_back({{"a", c.a},
                    {"b", c.b},
                    {"methods", c.methods},
                    {"spearman", c.spearman.value},
                    {"low", c.spearman.low},
                    {"high", c.spearman.high},
                    {"bound", c.bound ? json(*c.bound) : json()}});
  }
  return list;
}

json reliabilities_json(const RunResults& results) {
  json list = json::array();
  for (const Reliability& r : results.reliabilities) {
    list.push_back(with_cell(r.cell, {{"methods", r.methods}, {"split_half", r.split_half}}));
  }
  return list;
}

json crossings_json(const RunResults& results) {
  json list = json::array();
  for (const Crossing& c : results.crossings) {
    list.push_back(with_cell(c.cell, {{"contender", c.contender},
                                      {"against", c.against},
                                      {"faster_below", c.faster_below},
                                      {"lines", estimate_json(c.lines)}}));
  }
  return list;
}

json bests_json(const RunResults& results) {
  json list = json::array();
  for (const Best& best : results.bests) {
    list.push_back(
        with_cell(best.cell, {{"limit_bytes", best.limit_bytes ? json(*best.limit_bytes) : json()},
                              {"compared", best.contenders.by_time.size()},
                              {"contenders", best.contenders.may_be},
                              {"sure", best.contenders.sure()},
                              {"lead", best.contenders.lead ? estimate_json(*best.contenders.lead) : json()}}));
  }
  return list;
}

/// What each method was judged to be, and by how many process runs: of a run that stopped when it knew.
json decisions_json(const RunResults& results) {
  json list = json::array();
  for (const SummaryRow& row : results.summary) {
    if (row.role != ContenderRole::method) continue;
    list.push_back(with_cell(
        row.cell, {{"contender", row.contender}, {"verdict", verdict_text(row)}, {"process_runs", row.process_runs}}));
  }
  return list;
}

json missing_json(const RunFacts& facts) {
  json list = json::array();
  for (const MissingProcessRun& missing : facts.missing)
    list.push_back({{"process_run", missing.process_run}, {"why", missing.why}});
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

json positions_json(const std::vector<engine::PositionState>& positions) {
  json list = json::array();
  for (const engine::PositionState& position : positions) list.push_back(engine::to_fen(position));
  return list;
}

json pages_json(const RunFacts& facts) {
  json list = json::array();
  for (const PageReport& report : facts.pages) list.push_back(report);
  return list;
}

/// Tables that did not get the pages that they were meant to have.
void warn_of_pages(const RunFacts& facts, json& list) {
  for (const PageReport& report : facts.pages) {
    const bool large = report.pages == "2m";
    if (large == (report.tables.large_bytes > 0)) continue;
    list.push_back(report.contender + ": asked for pages of " + report.pages + ", and " +
                   std::to_string(report.tables.large_bytes >> 10) + " of " +
                   std::to_string(report.tables.bytes >> 10) + " KiB of its tables lie on 2 MiB pages");
  }
}

/// Cells whose A/A control may differ by more than the margin: one line for all of them.
void warn_of_unresolved(const std::vector<TwinCheck>& twins, json& list) {
  const auto bound = [](const TwinCheck& twin) { return std::max(twin.ratio.high, 1 / twin.ratio.low) - 1; };
  const auto unresolved = std::count_if(twins.begin(), twins.end(),
                                        [](const TwinCheck& twin) { return twin.result != CheckResult::passed; });
  if (unresolved == 0) return;
  const auto widest = std::max_element(
      twins.begin(), twins.end(), [&bound](const TwinCheck& a, const TwinCheck& b) { return bound(a) < bound(b); });
  list.push_back("identical code (the A/A control) may differ by more than the margin of " +
                 number(100 * widest->margin, 1) + " % in " + std::to_string(unresolved) + " of " +
                 std::to_string(twins.size()) + " cells, by most in " + to_string(widest->cell) + " (" +
                 number(100 * bound(*widest), 1) +
                 " %): there nothing is called equal, and only greater differences are called faster or slower; "
                 "aa_bound in summary.csv has the figure of each cell");
}

void warn_of_checks(const RunChecks& checks, json& list) {
  for (const TwinCheck& twin : checks.twins) {
    if (twin.result != CheckResult::failed) continue;
    list.push_back("the A/A control, which is the reference's own code, comes out at " + number(twin.ratio.value, 3) +
                   " [" + number(twin.ratio.low, 3) + ", " + number(twin.ratio.high, 3) + "] in " +
                   to_string(twin.cell) + ": do not believe this cell");
  }
  for (const ControlCheck& control : checks.controls) {
    if (control.result == CheckResult::passed) continue;
    const bool failed = control.result == CheckResult::failed;
    list.push_back("the positive control costs " + number(control.expected_cycles, 0) + " cycles (tolerance " +
                   number(control_tolerance, 2) + ") and was measured at " + number(control.cycles.value, 2) + " [" +
                   number(control.cycles.low, 2) + ", " + number(control.cycles.high, 2) + "] in " +
                   to_string(control.cell) + (failed ? ": do not believe this cell" : ": too uncertain to tell"));
  }
  warn_of_unresolved(checks.twins, list);
}

json warnings(const RunFacts& facts, const std::vector<Sample>& samples, const RunChecks& checks, const json& machine) {
  json list = json::array();
  if (!facts.complete) {
    list.push_back(facts.duel.is_null()
                       ? "the run was interrupted: intervals are wider than the profile intends; --resume goes on"
                       : "the duel did not come to its end: intervals are wider than intended");
  }
  const json hypervisor = machine.value("hypervisor", json());
  if (hypervisor.is_string() && !hypervisor.get<std::string>().empty()) {
    list.push_back("a virtual machine (" + hypervisor.get<std::string>() +
                   "): neighbours disturb, and clocks may vary");
  }
  const auto disturbed = std::count_if(samples.begin(), samples.end(), [](const Sample& s) { return s.flagged(); });
  if (disturbed > 0) {
    list.push_back(std::to_string(disturbed) + " of " + std::to_string(samples.size()) +
                   " samples saw a context switch, a page fault or stolen time; they are kept, and summary.csv gives "
                   "the ratios without them too");
  }
  for (const std::string& warning : facts.warnings) list.push_back(warning);
  warn_of_checks(checks, list);
  warn_of_pages(facts, list);
  return list;
}

/// "Linux, no counters because ..." as data.
json counters_json(const RunFacts& facts) {
  json counters = {{"status", facts.counters_available ? "papi" : "none"}, {"reason", facts.counters_reason}};
  for (const Skipped& s : facts.not_simulated) counters["not_simulated"].push_back({{"id", s.id}, {"why", s.why}});
  if (!facts.not_simulated_reason.empty()) counters["not_simulated_reason"] = facts.not_simulated_reason;
  return counters;
}

}  // namespace

json describe_method(const Plugin& plugin) {
  const MethodInfo& i = plugin.info();
  std::string isa;
  for (const std::string& name : isa_names(i.requires_isa)) isa += (isa.empty() ? "" : " ") + name;
  const std::optional<std::size_t> bytes = plugin.table_bytes();
  return {{"id", i.id},
          {"title", i.title},
          {"family", i.family},
          {"inventor", i.inventor},
          {"year", i.year},
          {"reference", i.reference},
          {"isa", isa},
          {"level", plugin.level()},
          {"table_bytes", bytes ? json(*bytes) : json()},
          {"status", plugin.status(host_isa())},
          {"compiler", plugin.descriptor().compiler},
          {"flags", plugin.descriptor().flags}};
}

Protocol protocol_of(const RunSettings& settings) {
  return {settings.margin, settings.until_decided ? Inference::sequential : Inference::fixed, slow_zero_cycles};
}

namespace {

/// The fastest of each cell: of all methods, and of those whose tables fit into a fourth of a usual L1D, or into one.
std::vector<Best> bests_of(const CellSamples& cell, const Protocol& protocol, const RunFacts& facts) {
  constexpr std::optional<std::size_t> limits[] = {std::nullopt, std::size_t{8} << 10, std::size_t{64} << 10};
  std::vector<Best> bests;
  for (const std::optional<std::size_t>& limit : limits) {
    const auto admitted = [&](const ContenderSamples& contender) {
      const std::optional<std::size_t> bytes = table_bytes_of(facts, contender.first.method);
      return !limit || (bytes && *bytes <= *limit);
    };
    BestContenders contenders = best_contenders(cell, admitted, protocol);
    if (contenders.known) bests.push_back({cell.cell, limit, std::move(contenders)});
  }
  return bests;
}

}  // namespace

RunResults derive_results(const std::vector<Sample>& samples, const Protocol& protocol, const RunFacts& facts) {
  constexpr std::uint64_t seed = 1;
  const std::vector<CellSamples> cells = sort_into_cells(samples);
  RunResults results;
  results.summary = summarise(cells, protocol);
  results.checks = check_run(cells, protocol);
  results.reliabilities = reliabilities(cells, seed);
  results.correlations = correlate_rankings(cells, results.reliabilities);
  for (const PressureSweep& sweep : find_sweeps(cells)) {
    for (Crossing& crossing : find_crossings(sweep, protocol)) results.crossings.push_back(std::move(crossing));
  }
  for (const CellSamples& cell : cells) {
    for (Best& best : bests_of(cell, protocol, facts)) results.bests.push_back(std::move(best));
  }
  return results;
}

namespace {

/// A cell's columns, as in samples.csv.
std::string cell_csv(const Cell& cell) {
  return cell.workload + ',' + cell.kinds + ',' + csv_cell(cell.trace) + ',' + csv_cell(cell.pressure) + ',' +
         cell.pages + ',' + std::to_string(cell.corunners);
}

/// What is infinite is not known: an empty cell.
std::string finite(double value, int digits) { return std::isfinite(value) ? number(value, digits) : ""; }

std::string interval_csv(const std::optional<Estimate>& e, int digits = 5) {
  return e && has_interval(*e) ? number(e->low, digits) + ',' + number(e->high, digits) : ",";
}

std::string estimate_csv(const std::optional<Estimate>& e, int digits = 5) {
  return (e ? number(e->value, digits) : "") + ',' + interval_csv(e, digits);
}

}  // namespace

std::string summary_csv(const std::vector<SummaryRow>& rows, const RunFacts& facts) {
  std::ostringstream csv;
  csv << "contender,method,title,family,level,role,workload,kinds,trace,pressure,pages,corunners,table_bytes,process_"
         "runs,rounds,"
         "ns_per_query,ns_low,ns_high,net_ns_per_query,net_low,net_high,ratio,ratio_low,ratio_high,margin,aa_bound,"
         "verdict,holm_low,holm_high,best,ratio_unflagged,ratio_unflagged_low,ratio_unflagged_high,flagged_rounds,"
         "ns_per_node\n";
  const double margin = facts.settings.margin;
  for (const SummaryRow& r : rows) {
    csv << csv_cell(r.contender) << ',' << csv_cell(r.method) << ',' << csv_cell(text_of(facts, r.method, "title"))
        << ',' << csv_cell(text_of(facts, r.method, "family")) << ',' << r.level << ',' << to_string(r.role) << ','
        << cell_csv(r.cell) << ',' << bytes_of(facts, r.method) << ',' << r.process_runs << ',' << r.rounds << ','
        << estimate_csv(r.ns_per_query, 4) << ',' << estimate_csv(r.net_ns_per_query, 4) << ',' << estimate_csv(r.ratio)
        << ',' << (r.ratio ? number(margin, 5) : "") << ',' << number(r.aa_bound, 5) << ',' << verdict_text(r) << ','
        << interval_csv(r.judged) << ',' << (r.best ? to_string(*r.best) : "") << ',' << estimate_csv(r.unflagged_ratio)
        << ',' << (r.ratio ? std::to_string(r.flagged_rounds) : "") << ',' << number(r.ns_per_node, 4) << '\n';
  }
  return csv.str();
}

std::string correlations_csv(const RunResults& results) {
  std::ostringstream csv;
  const auto columns = [](const std::string& suffix) {
    return "workload_" + suffix + ",kinds_" + suffix + ",trace_" + suffix + ",pressure_" + suffix + ",pages_" + suffix +
           ",corunners_" + suffix;
  };
  csv << columns("a") << ',' << columns("b") << ",methods,statistic,value,low,high,bound\n";
  for (const Reliability& r : results.reliabilities) {
    csv << cell_csv(r.cell) << ',' << cell_csv(r.cell) << ',' << r.methods << ",split_half," << number(r.split_half, 4)
        << ",,,\n";
  }
  for (const RankCorrelation& c : results.correlations) {
    csv << cell_csv(c.a) << ',' << cell_csv(c.b) << ',' << c.methods << ",spearman," << estimate_csv(c.spearman) << ','
        << number(c.bound, 4) << '\n';
  }
  return csv.str();
}

std::string crossings_csv(const RunResults& results) {
  std::ostringstream csv;
  csv << "workload,kinds,trace,sweep,pages,corunners,contender,against,faster_below,lines,lines_low,lines_high\n";
  for (const Crossing& c : results.crossings) {
    csv << cell_csv(c.cell) << ',' << csv_cell(c.contender) << ',' << csv_cell(c.against) << ','
        << (c.faster_below ? "true" : "false") << ',' << number(c.lines.value, 2) << ',' << finite(c.lines.low, 2)
        << ',' << finite(c.lines.high, 2) << '\n';
  }
  return csv.str();
}

std::string counters_csv(const std::vector<EventCount>& counts) {
  // The empty loop's count of the same metric under the same circumstances.
  const auto key = [](const EventCount& c) {
    return std::tuple{c.process_run, c.workload, c.trace, c.pressure, c.reading.metric, c.cache, c.pages, c.draw};
  };
  std::map<decltype(key(EventCount{})), std::uint64_t> of_empty;
  for (const EventCount& c : counts) {
    if (c.role == ContenderRole::empty && c.reading.value) of_empty[key(c)] = *c.reading.value;
  }
  std::ostringstream csv;
  csv << "process_run,contender,method,level,workload,trace,pressure,metric,source,event,value,value_empty,queries,per_"
         "query,"
         "cache,"
         "pages,"
         "draw\n";
  for (const EventCount& c : counts) {
    if (!c.reading.value) continue;
    const auto empty = of_empty.find(key(c));
    std::optional<double> rate;
    if (empty != of_empty.end()) rate = per_query(*c.reading.value, empty->second, c.queries);
    csv << c.process_run << ',' << csv_cell(c.contender) << ',' << csv_cell(c.method) << ',' << c.level << ','
        << c.workload << ',' << csv_cell(c.trace) << ',' << c.pressure << ',' << c.reading.metric << ','
        << c.reading.source << ',' << csv_cell(c.reading.event) << ',' << *c.reading.value << ','
        << (empty != of_empty.end() ? std::to_string(empty->second) : "") << ',' << c.queries << ',' << number(rate, 5)
        << ',' << csv_cell(c.cache) << ',' << c.pages << ',' << (c.draw ? std::to_string(*c.draw) : "") << '\n';
  }
  return csv.str();
}

void write_tables(const std::filesystem::path& out, const RunResults& results, const RunFacts& facts) {
  write_file(out / "summary.csv", summary_csv(results.summary, facts));
  write_file(out / "correlations.csv", correlations_csv(results));
  write_file(out / "crossings.csv", crossings_csv(results));
}

json run_json(const RunFacts& facts, const std::vector<Sample>& samples, const RunResults& results) {
  json skipped = json::array();
  for (const Skipped& s : facts.skipped) skipped.push_back({{"id", s.id}, {"why", s.why}});
  json traces = json::array();
  for (const RunTrace& t : facts.traces) traces.push_back(t.description);
  const json machine = describe_machine();
  const Profile& profile = facts.settings.profile;
  const RunSettings& settings = facts.settings;
  const bool sequential = settings.until_decided;
  return {{"schema", 4},
          {"complete", facts.complete},
          {"missing_process_runs", missing_json(facts)},
          {"command", facts.settings.command_line},
          {"profile", profile.name},
          {"protocol",
           {{"process_runs", profile.process_runs},
            {"rounds", profile.rounds},
            {"methods_per_round", settings.methods_per_round},
            {"segment_queries", settings.segment_queries},
            {"sample_ms", profile.sample_ms},
            {"warm_up_ms", profile.warm_up_ms},
            {"vary_placement", profile.vary_placement},
            {"until_decided", sequential},
            {"max_seconds", sequential ? json(settings.max_seconds) : json()}}},
          {"inference",
           {{"interval", sequential ? "confidence-sequence" : "student-t"},
            {"confidence", 1 - usual_error},
            {"margin", settings.margin}}},
          {"pinned", {{"cpu", facts.pinned.cpu ? json(*facts.pinned.cpu) : json()}, {"others", facts.pinned.others}}},
          {"seed", facts.settings.seed},
          {"engine",
           {{"positions", positions_json(facts.settings.engine.positions)},
            {"nodes", facts.settings.engine.nodes},
            {"hash_mib", facts.settings.engine.hash_mib}}},
          {"started", facts.started},
          {"finished", facts.finished},
          {"slidebench", project_version()},
          {"commit", git_commit()},
          {"dirty", git_dirty()},
          {"build", {{"compiler", compiler_name()}, {"type", build_type()}}},
          {"versions", json::parse(library_versions())},
          {"machine", machine},
          {"counters", counters_json(facts)},
          {"traces", traces},
          {"methods", facts.methods},
          {"skipped", skipped},
          {"effective_ghz", effective_ghz(samples)},
          {"cells", cells_json(results)},
          {"bests", bests_json(results)},
          {"decisions", sequential ? decisions_json(results) : json::array()},
          {"checks", checks_json(results.checks)},
          {"correlations", correlations_json(results)},
          {"reliabilities", reliabilities_json(results)},
          {"crossings", crossings_json(results)},
          {"pages", pages_json(facts)},
          {"duel", facts.duel},
          {"warnings", warnings(facts, samples, results.checks, machine)}};
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc = {};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

}  // namespace slidebench
