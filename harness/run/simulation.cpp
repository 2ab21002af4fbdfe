// SPDX-License-Identifier: MIT
#include "harness/run/simulation.hpp"

#include <algorithm>
#include <array>

#include "harness/base/ordered_jobs.hpp"
#include "harness/measure/contender.hpp"
#include "harness/measure/trace_selection.hpp"
#include "harness/plugin/cpu.hpp"
#include "harness/plugin/known_methods.hpp"
#include "harness/simulator/cache_spec.hpp"
#include "harness/trace/reader.hpp"

namespace slidebench {
namespace {

const char* pages_text(const Experiment& experiment) { return experiment.large_pages ? "2m" : "4k"; }

/// A count of one simulated cache, and how counters.csv calls it.
struct SimulatedCount {
  const char* metric;
  const char* event;
  std::uint64_t value;
  bool exists;  ///< whether the simulated machine has what is counted
};

std::array<SimulatedCount, 6> counts_of(const MissCounts& counts, const CacheSystem& system) {
  const auto misses = [&counts](Level level) { return counts.at(level).misses.of_method(); };
  return {{{"accesses", "slidebench::ACCESSES", counts.at(Level::l1).accesses.of_method(), true},
           {"l1d_misses", "slidebench::L1D_MISS", misses(Level::l1), true},
           {"l2d_misses", "slidebench::L2_MISS", misses(Level::l2), system.l2.exists()},
           {"l3_misses", "slidebench::L3_MISS", misses(Level::l3), system.l3.exists()},
           {"dtlb_misses", "slidebench::DTLB_MISS", misses(Level::dtlb), system.dtlb.exists()},
           {"stlb_misses", "slidebench::STLB_MISS", misses(Level::stlb), system.stlb.exists()}}};
}

}  // namespace

std::vector<Plugin> traced_twins(const MethodOptions& options, std::vector<Skipped>& skipped) {
  MethodOptions quiet = options;
  quiet.skip_unrunnable = true;
  MethodSelection selection = select_methods(quiet);
  skipped = std::move(selection.skipped);
  const Isa host = host_isa();
  std::vector<Plugin> all = load_folder(plugin_folder(), ModuleRole::traced, host);
  std::vector<std::string> ids{"empty"};  // what the others' counts are compared with
  for (const Plugin& method : selection.methods) {
    if (method.id() != "empty") ids.push_back(method.id());
  }
  std::vector<Plugin> twins;
  for (const std::string& id : ids) {
    const auto twin = std::find_if(all.begin(), all.end(), [&](const Plugin& p) { return p.id() == id; });
    if (twin == all.end() || !twin->runs_on(host)) {
      skipped.push_back({id, "has no traced module; build it with add_method()"});
      continue;
    }
    twin->initialise();
    twins.push_back(std::move(*twin));
    all.erase(twin);
  }
  return twins;
}

std::vector<EventCount> event_counts(const Plugin& method, const std::string& trace, const Experiment& experiment,
                                     const Observation& seen) {
  std::vector<EventCount> rows;
  for (const SimulatedCache& cache : seen.caches) {
    const CacheSystem& system = experiment.caches[cache.system];
    EventCount row{.contender = method.id(),
                   .role = role_of(method),
                   .method = method.id(),
                   .level = method.level(),
                   .cell = {.workload = "replay",
                            .trace = trace,
                            .pressure = experiment.pressure.name,
                            .pages = pages_text(experiment)},
                   .queries = seen.queries,
                   .cache = system.name,
                   .draw = cache.draw};
    for (const SimulatedCount& count : counts_of(cache.counts, system)) {
      if (!count.exists) continue;
      row.reading = {count.metric, count.event, "simulated", count.value};
      rows.push_back(row);
    }
  }
  return rows;
}

std::vector<Plugin> modules_to_simulate(MethodOptions methods, std::vector<Skipped>& skipped) {
  if (!methods.methods.empty()) methods.methods.emplace_back(reference_method);
  return traced_twins(methods, skipped);
}

std::vector<EventCount> simulate_counts(const std::vector<Plugin>& modules, const std::vector<RunTrace>& traces,
                                        const std::function<void(std::size_t, std::size_t)>& on_progress) {
  constexpr std::uint64_t enough_queries = 2'000'000;
  std::vector<EventCount> counts;
  std::size_t done = 0;
  const Experiment experiment{.caches = {parse_cache_system("host")}, .pressure = {}};
  for (const RunTrace& named : traces) {
    const Trace trace = Trace::open(named.named.path);
    TraceSelection selection(trace, {.pieces = trace.has_pieces()});
    const std::span<const Segment> segments = first_segments(selection.segments(), enough_queries);
    in_order(
        modules.size(), all_processors(), [&](std::size_t i) { return observe(modules[i], segments, experiment); },
        [&](std::size_t i, const Observation& seen) {
          on_progress(++done, modules.size() * traces.size());
          const std::vector<EventCount> rows = event_counts(modules[i], named.named.name, experiment, seen);
          counts.insert(counts.end(), rows.begin(), rows.end());
        });
    trace.check_unchanged();
  }
  return counts;
}

}  // namespace slidebench
