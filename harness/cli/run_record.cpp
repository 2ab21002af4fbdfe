// SPDX-License-Identifier: MIT
#include "harness/cli/run_record.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <sstream>
#include <tuple>

#include "harness/cli/text_output.hpp"
#include "harness/cli/version.hpp"
#include "harness/counters/counter_math.hpp"
#include "harness/plugin/cpu.hpp"
#include "harness/timing/machine.hpp"

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

std::string bytes_of(const RunFacts& facts, const std::string& id) {
  const auto found = facts.method_by_id.find(id);
  return found == facts.method_by_id.end() ? "" : std::to_string(found->second.at("table_bytes").get<std::size_t>());
}

/// The clock arm adds one a cycle, so that additions per nanosecond are GHz.
json effective_ghz(const std::vector<Sample>& samples) {
  std::vector<double> ghz;
  for (const Sample& s : samples) {
    if (s.role == ArmRole::clock) ghz.push_back(1 / s.ns_per_query());
  }
  if (ghz.empty()) return nullptr;
  std::sort(ghz.begin(), ghz.end());
  const auto at = [&ghz](double q) { return ghz[static_cast<std::size_t>(q * static_cast<double>(ghz.size() - 1))]; };
  return {{"median", at(0.5)}, {"low", at(0.05)}, {"high", at(0.95)}};
}

json a_a_results(const std::vector<SummaryRow>& summary) {
  json results = json::array();
  for (const SummaryRow& row : summary) {
    if (row.role != ArmRole::twin || !row.ratio) continue;
    results.push_back({{"workload", row.workload},
                       {"trace", row.trace},
                       {"ratio", row.ratio->value},
                       {"low", row.ratio->low},
                       {"high", row.ratio->high}});
  }
  return results;
}

json warnings(const RunFacts& facts, const std::vector<Sample>& samples, const std::vector<SummaryRow>& summary,
              const json& machine) {
  json list = json::array();
  if (!facts.complete) list.push_back("the run was interrupted: intervals are wider than the profile intends");
  const json hypervisor = machine.value("hypervisor", json());
  if (hypervisor.is_string() && !hypervisor.get<std::string>().empty()) {
    list.push_back("a virtual machine (" + hypervisor.get<std::string>() +
                   "): neighbours disturb, and clocks may vary");
  }
  const auto disturbed = std::count_if(samples.begin(), samples.end(), [](const Sample& s) {
    return s.involuntary_switches > 0 || s.major_faults > 0 || s.steal_ticks.value_or(0) > 0;
  });
  if (disturbed > 0) {
    list.push_back(
        std::to_string(disturbed) + " of " + std::to_string(samples.size()) +
        " slices saw a context switch, a major fault or stolen time; they are kept and marked in samples.csv");
  }
  for (const SummaryRow& row : summary) {
    if (row.role == ArmRole::twin && row.margin && *row.margin > 0.02) {
      list.push_back("the A/A arm varies by " + number(*row.margin * 100, 1) + " % in " + row.workload + " on " +
                     row.trace + ": smaller differences cannot be told there");
    }
  }
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
  return {{"id", i.id},
          {"title", i.title},
          {"family", i.family},
          {"inventor", i.inventor},
          {"year", i.year},
          {"reference", i.reference},
          {"isa", isa},
          {"level", plugin.level()},
          {"table_bytes", plugin.table_bytes()},
          {"status", plugin.status(host_isa())},
          {"compiler", plugin.descriptor().compiler},
          {"flags", plugin.descriptor().flags}};
}

std::string summary_csv(const std::vector<SummaryRow>& rows, const RunFacts& facts) {
  std::ostringstream csv;
  csv << "arm,method,title,family,level,role,workload,trace,pressure,table_bytes,launches,rounds,ns_per_query,"
         "net_ns_per_query,ratio,ratio_low,ratio_high,margin,verdict\n";
  for (const SummaryRow& r : rows) {
    const auto part = [&r](double Estimate::*member) { return r.ratio ? number((*r.ratio).*member, 5) : ""; };
    csv << csv_cell(r.arm) << ',' << csv_cell(r.method) << ',' << csv_cell(text_of(facts, r.method, "title")) << ','
        << csv_cell(text_of(facts, r.method, "family")) << ',' << r.level << ',' << to_string(r.role) << ','
        << r.workload << ',' << csv_cell(r.trace) << ',' << r.pressure << ',' << bytes_of(facts, r.method) << ','
        << r.launches << ',' << r.rounds << ',' << number(r.ns_per_query, 4) << ',' << number(r.net_ns_per_query, 4)
        << ',' << part(&Estimate::value) << ',' << part(&Estimate::low) << ',' << part(&Estimate::high) << ','
        << number(r.margin, 5) << ',' << r.verdict << '\n';
  }
  return csv.str();
}

std::string counters_csv(const std::vector<EventCount>& counts) {
  // The null method's count of the same metric under the same circumstances.
  const auto key = [](const EventCount& c) {
    return std::tuple{c.launch, c.workload, c.trace, c.pressure, c.reading.metric, c.cache, c.pages, c.draw};
  };
  std::map<decltype(key(EventCount{})), std::uint64_t> of_null;
  for (const EventCount& c : counts) {
    if (c.role == ArmRole::null && c.reading.value) of_null[key(c)] = *c.reading.value;
  }
  std::ostringstream csv;
  csv << "launch,arm,method,level,workload,trace,pressure,metric,source,event,value,value_null,queries,per_query,cache,"
         "pages,"
         "draw\n";
  for (const EventCount& c : counts) {
    if (!c.reading.value) continue;
    const auto null = of_null.find(key(c));
    std::optional<double> rate;
    if (null != of_null.end()) rate = per_query(*c.reading.value, null->second, c.queries);
    csv << c.launch << ',' << csv_cell(c.arm) << ',' << csv_cell(c.method) << ',' << c.level << ',' << c.workload << ','
        << csv_cell(c.trace) << ',' << c.pressure << ',' << c.reading.metric << ',' << c.reading.source << ','
        << csv_cell(c.reading.event) << ',' << *c.reading.value << ','
        << (null != of_null.end() ? std::to_string(null->second) : "") << ',' << c.queries << ',' << number(rate, 5)
        << ',' << csv_cell(c.cache) << ',' << c.pages << ',' << (c.draw ? std::to_string(*c.draw) : "") << '\n';
  }
  return csv.str();
}

json run_json(const RunFacts& facts, const std::vector<Sample>& samples, const std::vector<SummaryRow>& summary) {
  json skipped = json::array();
  for (const Skipped& s : facts.skipped) skipped.push_back({{"id", s.id}, {"why", s.why}});
  json traces = json::array();
  for (const RunTrace& t : facts.traces) traces.push_back(t.description);
  const json machine = describe_machine();
  const Profile& profile = facts.settings.profile;
  return {{"schema", 1},
          {"complete", facts.complete},
          {"command", facts.settings.command_line},
          {"profile", profile.name},
          {"protocol",
           {{"launches", profile.launches},
            {"rounds", profile.rounds},
            {"slice_ms", profile.slice_ms},
            {"warm_up_ms", profile.warm_up_ms}}},
          {"seed", facts.settings.seed},
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
          {"aa", a_a_results(summary)},
          {"warnings", warnings(facts, samples, summary, machine)}};
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
