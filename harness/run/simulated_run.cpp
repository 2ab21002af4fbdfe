// SPDX-License-Identifier: MIT
#include "harness/run/simulated_run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>

#include "harness/base/errors.hpp"
#include "harness/base/text_output.hpp"
#include "harness/base/text_table.hpp"
#include "harness/base/version.hpp"
#include "harness/platform/machine.hpp"
#include "harness/run/inputs.hpp"
#include "harness/run/record.hpp"
#include "harness/run/simulation.hpp"
#include "harness/run/simulation_tables.hpp"
#include "harness/run/tables.hpp"
#include "harness/simulator/cache_spec.hpp"

namespace slidebench {

namespace fs = std::filesystem;
using nlohmann::json;

// As run.json has them.
static void to_json(json& to, const CacheSystem& system) {
  to = {{"name", system.name}, {"specification", specification(system)}, {"notes", system.notes}};
}
static void to_json(json& to, const Touching& part) { to = {{"lines", part.lines}, {"block", block_text(part)}}; }
static void to_json(json& to, const Pressure& pressure) {
  to = {{"name", pressure.name}, {"block_bytes", pressure.block_bytes()}, {"parts", pressure.parts}};
}

namespace {

/// Pressures that only arrange the timing of contenders have nothing to simulate.
std::vector<Pressure> parse_pressures(const std::vector<std::string>& texts) {
  std::vector<Pressure> pressures;
  for (const std::string& text : texts) {
    pressures.push_back(parse_pressure(text));
    if (pressures.back().chunk_queries > 0) {
      throw UserError("pressure '" + text + "' alternates timed methods and touches nothing; it cannot be simulated");
    }
  }
  return pressures;
}

/// Misses a query, for the terminal: the first cache, the first pressure, one line per method.
void print_summary(const std::vector<EventCount>& rows, const std::string& cache, const std::string& pressure,
                   const char* state) {
  std::map<std::pair<std::string, std::string>, std::map<std::string, double>> means;
  std::vector<std::pair<std::string, std::string>> order;
  for (const EventCount& row : rows) {
    if (row.cache != cache || row.cell.pressure != pressure || row.draw != 0u || !row.reading.value) continue;
    const auto key = std::pair{row.method, row.cell.trace};
    if (!means.contains(key)) order.push_back(key);
    means[key][row.reading.metric] = static_cast<double>(*row.reading.value) / static_cast<double>(row.queries);
  }
  TextTable table{.sides = "llrrrrr"};
  table.rows.push_back({"method", "trace", "accesses", "L1D", "L2", "L3", "DTLB"});
  for (const auto& key : order) {
    std::vector<std::string>& cells = table.rows.emplace_back(std::vector{key.first, key.second});
    for (const char* metric : {"accesses", "l1d_misses", "l2d_misses", "l3_misses", "dtlb_misses"}) {
      const auto mean = means[key].find(metric);
      cells.push_back(mean == means[key].end() ? "-" : fmt::format("{:.4f}", mean->second));
    }
  }
  std::cout << fmt::format("Simulated, not measured: misses per query on '{}', {}, pressure {}\n{}", cache, state,
                           pressure, table.text());
}

class Simulation {
 public:
  Simulation(const SimulateSettings& settings, const std::atomic<bool>& stop)
      : settings_(settings), stop_(stop), pressures_(parse_pressures(settings.pressures)) {
    for (const std::string& text : settings.caches) caches_.push_back(parse_cache_system(text));
  }

  void run() {
    const fs::path out = settings_.out;
    const std::string started = utc_now();
    const std::vector<Plugin> methods = traced_twins(settings_.methods, skipped_);
    for (const Skipped& method : skipped_) {
      const std::vector<std::string>& named = settings_.methods.methods;
      if (std::find(named.begin(), named.end(), method.id) == named.end()) continue;
      throw UserError("cannot simulate method " + method.id + ": it " + method.why);
    }
    const std::vector<RunTrace> traces = open_traces(settings_.traces);
    const FolderLock lock = prepare_folder(out, "run.json");
    begin_file("tables.csv");
    if (settings_.reuse) begin_file("mrc.csv");
    if (settings_.squares) begin_file("squares.csv");
    for (const RunTrace& trace : traces) simulate(trace, methods);
    for (auto& [name, file] : files_) file.close();
    write_file(out / "counters.csv", counters_csv(rows_, ""));
    sync_files_in(out);  // run.json says that they are whole
    write_file(out / "run.json", record(started, traces, methods).dump(2) + "\n", Durability::synced);
    print_summary(rows_, caches_.front().name, pressures_.front().name, state());
    std::cout << "\nResults: " << out.string() << std::endl;
  }

 private:
  void begin_file(const char* name) {
    files_.try_emplace(name, fs::path(settings_.out) / name).first->second.write(simulation_header(name));
  }

  void simulate(const RunTrace& named, const std::vector<Plugin>& methods) {
    const Trace trace = Trace::open(named.named.path);
    TraceSelection selection(
        trace, {.pieces = trace.has_pieces(),
                .segment_queries = settings_.segment_queries == 0 ? trace.queries() : settings_.segment_queries});
    for (const Pressure& pressure : pressures_) {
      for (const std::string& pages : settings_.pages) {
        const bool first = &pressure == &pressures_.front() && &pages == &settings_.pages.front();
        const Experiment experiment{
            .caches = caches_,
            .pressure = pressure,
            .touches = settings_.touches == "cyclic" ? TouchOrder::cyclic : TouchOrder::independent,
            .cold = settings_.cold,
            .large_pages = pages == "2m",
            .draws = settings_.draws,
            // Reuse distances are the method's own: once a trace is enough.
            .reuse = settings_.reuse && first};
        if (stop_) return;
        std::cerr << "slidebench: simulating " << methods.size() << " methods on " << caches_.size()
                  << " cache systems: trace " << named.named.name << ", pressure " << pressure.name << ", pages "
                  << pages << std::endl;
        observe_all(methods, named.named.name, selection.segments(), experiment);
      }
    }
    trace.check_unchanged();
  }

  /// The methods side by side: each has a module of its own, and nothing of one changes what another one counts.
  void observe_all(const std::vector<Plugin>& methods, const std::string& trace_name, std::span<const Segment> segments,
                   const Experiment& experiment) {
    in_order(
        methods.size(), settings_.jobs,
        [&](std::size_t i) { return stop_ ? std::nullopt : std::optional(observe(methods[i], segments, experiment)); },
        [&](std::size_t i, const std::optional<Observation>& seen) {
          if (seen) write(methods[i], trace_name, experiment, *seen);
        });
  }

  void write(const Plugin& method, const std::string& trace_name, const Experiment& experiment,
             const Observation& seen) {
    const std::vector<EventCount> rows = event_counts(method, trace_name, experiment, seen);
    rows_.insert(rows_.end(), rows.begin(), rows.end());
    files_.at("tables.csv").write(tables_csv(method.id(), trace_name, experiment, seen));
    if (settings_.squares) files_.at("squares.csv").write(squares_csv(method.id(), trace_name, experiment, seen));
    if (experiment.reuse) files_.at("mrc.csv").write(mrc_csv(method.id(), trace_name, seen));
  }

  const char* state() const { return settings_.cold ? "cold" : "warm"; }

  json record(const std::string& started, const std::vector<RunTrace>& traces,
              const std::vector<Plugin>& methods) const {
    json listed = json::array();
    for (const Plugin& method : methods) listed.push_back(describe_method(method));
    return {{"schema", 2},
            {"kind", "simulation"},
            {"complete", !stop_.load()},
            {"command", settings_.command_line},
            {"draws", settings_.draws},
            {"state", state()},
            {"segment_queries", settings_.segment_queries},
            {"touches", settings_.touches},
            {"started", started},
            {"finished", utc_now()},
            {"slidebench", project_version()},
            {"commit", git_commit()},
            {"dirty", git_dirty()},
            {"build", {{"compiler", compiler_name()}, {"type", build_type()}}},
            {"versions", json::parse(library_versions())},
            {"machine", describe_machine()},
            {"caches", caches_},
            {"pressures", pressures_},
            {"counters", {{"status", "simulated"}, {"reason", ""}}},
            {"traces", traces},
            {"methods", listed},
            {"skipped", skipped_}};
  }

  const SimulateSettings& settings_;
  const std::atomic<bool>& stop_;
  std::vector<CacheSystem> caches_;
  std::vector<Pressure> pressures_;
  std::vector<Skipped> skipped_;
  std::vector<EventCount> rows_;
  std::map<std::string, TextFile> files_;  ///< beside counters.csv, written row by row
};

}  // namespace

void simulate(const SimulateSettings& settings, const std::atomic<bool>& stop) { Simulation(settings, stop).run(); }

}  // namespace slidebench
