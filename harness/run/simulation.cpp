// SPDX-License-Identifier: MIT
#include "harness/run/simulation.hpp"

#include <algorithm>
#include <array>

#include "harness/measure/contender.hpp"
#include "harness/plugin/cpu.hpp"

namespace slidebench {
namespace {

const char* pages_text(const Experiment& experiment) { return experiment.large_pages ? "2m" : "4k"; }

/// The counts of one simulated cache in the order of published_counts.
PublishedValues values_of(const MissCounts& counts) {
  const auto number = [](std::uint64_t n) { return static_cast<long long>(n); };
  return {number(counts.at(Level::l1).accesses.of_method()), number(counts.at(Level::l1).misses.of_method()),
          number(counts.at(Level::l2).misses.of_method()),   number(counts.at(Level::l3).misses.of_method()),
          number(counts.at(Level::dtlb).misses.of_method()), number(counts.at(Level::stlb).misses.of_method())};
}

/// True if the simulated machine has what a published count is about.
bool has_level(const CacheSystem& system, std::size_t published) {
  const std::array present{
      true, true, system.l2.exists(), system.l3.exists(), system.dtlb.exists(), system.stlb.exists()};
  return present.at(published);
}

/// What PAPI reads of the counts; the simulator's own numbers in a build without PAPI.
std::vector<CounterReading> read_published(EventCounters& published, const PublishedValues& values) {
  if (published.available()) {
    return published.count([&values] {
      for (std::size_t i = 0; i < values.size(); ++i) published_values()[i] += values[i];
    });
  }
  std::vector<CounterReading> readings;
  for (std::size_t i = 0; i < values.size(); ++i) {
    readings.push_back({published_counts[i].metric, count_name(published_counts[i].event), "simulated",
                        static_cast<std::uint64_t>(values[i])});
  }
  return readings;
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
                                     const Observation& seen, EventCounters& published) {
  std::vector<EventCount> rows;
  for (const SimulatedCache& cache : seen.caches) {
    const CacheSystem& system = experiment.caches[cache.system];
    EventCount row{.contender = method.id(),
                   .role = role_of(method),
                   .method = method.id(),
                   .level = method.level(),
                   .workload = "replay",
                   .trace = trace,
                   .queries = seen.queries,
                   .pressure = experiment.pressure.name,
                   .cache = system.name,
                   .pages = pages_text(experiment),
                   .draw = cache.draw};
    const std::vector<CounterReading> readings = read_published(published, values_of(cache.counts));
    for (std::size_t i = 0; i < readings.size(); ++i) {
      if (!has_level(system, i)) continue;
      row.reading = readings[i];
      rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace slidebench
