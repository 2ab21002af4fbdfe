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
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::vector<CacheSystem> parse_caches(const std::vector<std::string>& texts) {
  std::vector<CacheSystem> systems;
  for (const std::string& text : texts) systems.push_back(parse_cache_system(text));
  return systems;
}

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

json describe_caches(const std::vector<CacheSystem>& systems) {
  json list = json::array();
  for (const CacheSystem& system : systems) {
    list.push_back({{"name", system.name}, {"specification", specification(system)}, {"notes", system.notes}});
  }
  return list;
}

json describe_pressures(const std::vector<Pressure>& pressures) {
  json list = json::array();
  for (const Pressure& p : pressures) {
    json parts = json::array();
    for (const Touching& part : p.parts) parts.push_back({{"lines", part.lines}, {"block", block_text(part)}});
    list.push_back({{"name", p.name}, {"block_bytes", p.block_bytes()}, {"parts", std::move(parts)}});
  }
  return list;
}

const char* name_of(TouchOrder wanted) {
  for (const auto& [name, order] : touch_orders) {
    if (order == wanted) return name;
  }
  return "";
}

/// The files of a simulation, written row by row.
struct SimulationFiles {
  SimulationFiles(const fs::path& out, const SimulateSettings& asked) {
    const auto begin = [&out](std::optional<TextFile>& file, const char* name) {
      file.emplace(out / name).write(simulation_header(name));
    };
    begin(tables, "tables.csv");
    if (asked.reuse) begin(mrc, "mrc.csv");
    if (asked.squares) begin(squares, "squares.csv");
  }

  void close() {
    for (std::optional<TextFile>* const file : {&mrc, &squares, &tables})
      if (*file) (*file)->close();
  }

  std::optional<TextFile> mrc, squares, tables;
};

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
      : settings_(settings),
        stop_(stop),
        caches_(parse_caches(settings.caches)),
        pressures_(parse_pressures(settings.pressures)) {}

  void run() {
    const fs::path out = settings_.out;
    const std::string started = utc_now();
    const std::vector<Plugin> methods = traced_twins(settings_.methods, skipped_);
    for (const Skipped& method : skipped_) {
      const std::vector<std::string>& named = settings_.methods.methods;
      if (std::find(named.begin(), named.end(), method.id) == named.end()) continue;
      throw UserError("cannot simulate method " + method.id + ": it " + method.why);
    }
    const TraceChoice choice{settings_.traces, settings_.random_trace, settings_.seed};
    std::vector<RunTrace> traces = open_traces(choice);
    const FolderLock lock = prepare_folder(out, "run.json");
    add_random_trace(choice, out, traces);
    SimulationFiles files(out, settings_);
    for (const RunTrace& trace : traces) simulate(trace, methods, files);
    files.close();
    write_file(out / "counters.csv", counters_csv(rows_));
    sync_files_in(out);  // run.json says that they are whole
    write_file(out / "run.json", record(started, traces, methods).dump(2) + "\n", Durability::synced);
    print_summary(rows_, caches_.front().name, pressures_.front().name, state());
    std::cout << "\nResults: " << out.string() << std::endl;
  }

 private:
  void simulate(const RunTrace& named, const std::vector<Plugin>& methods, SimulationFiles& files) {
    const Trace trace = Trace::open(named.named.path);
    TraceSelection selection(
        trace, {.pieces = trace.has_pieces(),
                .segment_queries = settings_.segment_queries == 0 ? trace.queries() : settings_.segment_queries});
    for (const Pressure& pressure : pressures_) {
      for (const std::string& pages : settings_.pages) {
        const bool first = &pressure == &pressures_.front() && &pages == &settings_.pages.front();
        const Experiment experiment{.caches = caches_,
                                    .pressure = pressure,
                                    .touches = settings_.touches,
                                    .cold = settings_.cold,
                                    .large_pages = pages == "2m",
                                    .draws = settings_.draws,
                                    // Reuse distances are the method's own: once a trace is enough.
                                    .reuse = settings_.reuse && first};
        if (stop_) return;
        std::cerr << "slidebench: simulating " << methods.size() << " methods on " << caches_.size()
                  << " cache systems: trace " << named.named.name << ", pressure " << pressure.name << ", pages "
                  << pages << std::endl;
        observe_all(methods, named.named.name, selection.segments(), experiment, files);
      }
    }
    trace.check_unchanged();
  }

  /// The methods side by side: each has a module of its own, and nothing of one changes what another one counts.
  void observe_all(const std::vector<Plugin>& methods, const std::string& trace_name, std::span<const Segment> segments,
                   const Experiment& experiment, SimulationFiles& files) {
    in_order(
        methods.size(), settings_.jobs,
        [&](std::size_t i) {
          std::optional<Observation> seen;
          if (!stop_) seen = observe(methods[i], segments, experiment);
          return seen;
        },
        [&](std::size_t i, const std::optional<Observation>& seen) {
          if (seen) write(methods[i], trace_name, experiment, *seen, files);
        });
  }

  void write(const Plugin& method, const std::string& trace_name, const Experiment& experiment, const Observation& seen,
             SimulationFiles& files) {
    const std::vector<EventCount> rows = event_counts(method, trace_name, experiment, seen);
    rows_.insert(rows_.end(), rows.begin(), rows.end());
    files.tables->write(tables_csv(method.id(), trace_name, experiment, seen));
    if (files.squares) files.squares->write(squares_csv(method.id(), trace_name, experiment, seen));
    if (experiment.reuse) files.mrc->write(mrc_csv(method.id(), trace_name, seen));
  }

  const char* state() const { return settings_.cold ? "cold" : "warm"; }

  json record(const std::string& started, const std::vector<RunTrace>& traces,
              const std::vector<Plugin>& methods) const {
    json described = json::array();
    for (const RunTrace& t : traces) described.push_back(t.description);
    json listed = json::array();
    for (const Plugin& method : methods) listed.push_back(describe_method(method));
    return {{"schema", 2},
            {"kind", "simulation"},
            {"complete", !stop_.load()},
            {"command", settings_.command_line},
            {"seed", settings_.seed},
            {"draws", settings_.draws},
            {"state", state()},
            {"segment_queries", settings_.segment_queries},
            {"touches", name_of(settings_.touches)},
            {"started", started},
            {"finished", utc_now()},
            {"slidebench", project_version()},
            {"commit", git_commit()},
            {"dirty", git_dirty()},
            {"build", {{"compiler", compiler_name()}, {"type", build_type()}}},
            {"versions", json::parse(library_versions())},
            {"machine", describe_machine()},
            {"caches", describe_caches(caches_)},
            {"pressures", describe_pressures(pressures_)},
            {"counters", {{"status", "simulated"}, {"reason", ""}}},
            {"traces", described},
            {"methods", listed},
            {"skipped", skipped_}};
  }

  const SimulateSettings& settings_;
  const std::atomic<bool>& stop_;
  std::vector<CacheSystem> caches_;
  std::vector<Pressure> pressures_;
  std::vector<Skipped> skipped_;
  std::vector<EventCount> rows_;
};

}  // namespace

void simulate(const SimulateSettings& settings, const std::atomic<bool>& stop) { Simulation(settings, stop).run(); }

}  // namespace slidebench
