// SPDX-License-Identifier: MIT
#include "harness/run/simulation.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "harness/base/text_output.hpp"
#include "harness/measure/contender.hpp"
#include "harness/plugin/cpu.hpp"

namespace slidebench {
namespace {

constexpr std::array kind_names{"bishop", "rook", "queen", "both"};

const char* pages_text(const Experiment& experiment) { return experiment.large_pages ? "2m" : "4k"; }

/// The columns method,trace,pressure,cache,pages, with a comma behind.
std::string first_columns(const std::string& method, const std::string& trace, const Experiment& experiment,
                          const SimulatedCache& cache) {
  return method + ',' + csv_cell(trace) + ',' + experiment.pressure.name + ',' +
         csv_cell(experiment.caches[cache.system].name) + ',' + pages_text(experiment) + ',';
}

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

std::string mrc_csv_header() {
  return "method,trace,granularity_bytes,cache_lines,lines_per_evaluation,block_lines,accesses,queries,misses\n";
}

std::string mrc_csv(const std::string& method, const std::string& trace, const Observation& seen) {
  // Pressure as in the preset `nnue`: rows of an 8 MiB block, at each evaluation.
  constexpr std::array<double, 8> loads{0, 32, 64, 128, 256, 512, 768, 1536};
  constexpr double block_bytes = 8 << 20;
  std::ostringstream csv;
  for (const std::optional<ReuseAnalyser>* analyser : {&seen.lines, &seen.pages}) {
    if (!*analyser) continue;
    const ReuseAnalyser& reuse = **analyser;
    const double units_per_line = static_cast<double>(cache_line_bytes) / reuse.granularity_bytes();
    for (std::uint64_t size = 4; size <= 65'536; size += std::max<std::uint64_t>(1, std::bit_floor(size) / 4)) {
      for (const double lines : loads) {
        const Load load{.lines_per_event = lines * units_per_line,
                        .block_lines = block_bytes / reuse.granularity_bytes()};
        const double misses =
            lines == 0 ? static_cast<double>(reuse.misses(size)) : reuse.misses(static_cast<double>(size), load);
        csv << method << ',' << csv_cell(trace) << ',' << reuse.granularity_bytes() << ',' << size << ',' << lines
            << ',' << load.block_lines << ',' << reuse.accesses() << ',' << reuse.queries() << ',' << misses << '\n';
      }
    }
  }
  return csv.str();
}

std::string squares_csv_header() {
  return "method,trace,pressure,cache,pages,kind,square,queries,distinct_lines,l1d_misses,l2d_misses\n";
}

std::string squares_csv(const std::string& method, const std::string& trace, const Experiment& experiment,
                        const Observation& seen) {
  std::ostringstream csv;
  for (const SimulatedCache& cache : seen.caches) {
    if (cache.draw != 0) continue;
    for (Owner owner = 0; owner < query_owners; ++owner) {
      const auto code = static_cast<QueryCode>(owner);
      if (cache.counts.queries_by_code[code] == 0) continue;
      const Square s = query_square(code);
      csv << first_columns(method, trace, experiment, cache)
          << kind_names.at(static_cast<std::size_t>(query_kind(code))) << ',' << static_cast<char>('a' + file_of(s))
          << static_cast<char>('1' + rank_of(s)) << ',' << cache.counts.queries_by_code[code] << ','
          << seen.coverage->lines_of_owner(owner) << ',' << cache.counts.at(Level::l1).misses.of_owner(owner) << ','
          << cache.counts.at(Level::l2).misses.of_owner(owner) << '\n';
    }
  }
  return csv.str();
}

std::string tables_csv_header() {
  return "method,trace,pressure,cache,pages,draw,table,table_bytes,queries,distinct_lines,level,accesses,misses,"
         "compulsory,capacity,conflict,cold_compulsory\n";
}

std::string tables_csv(const std::string& method, const std::string& trace, const Experiment& experiment,
                       const Observation& seen) {
  std::ostringstream csv;
  for (const SimulatedCache& cache : seen.caches) {
    const auto start = [&](const std::string& table, std::uint64_t bytes, std::uint64_t lines, Level level) {
      csv << first_columns(method, trace, experiment, cache) << cache.draw << ',' << table << ',' << bytes << ','
          << seen.queries << ',' << lines << ',' << level_names[static_cast<std::size_t>(level)] << ',';
    };
    for (unsigned i = 0; i < level_count; ++i) {
      const auto level = static_cast<Level>(i);
      const LevelCounts& counts = cache.counts.at(level);
      if (counts.accesses.total() + cache.warm_up.at(level).accesses.total() == 0) continue;
      for (std::uint16_t table = 0; table < seen.space->table_count(); ++table) {
        const Region& region = seen.space->regions()[table];
        start(region.name, region.bytes, seen.coverage->lines_of_region(table), level);
        csv << counts.accesses.of_region(table) << ',' << counts.misses.of_region(table) << ",,,,"
            << counts.compulsory.of_region(table) + cache.warm_up.at(level).compulsory.of_region(table) << '\n';
      }
      // Why they missed is known for all accesses together, and so for the method only where nothing else accesses.
      start("all", 0, seen.coverage->lines(), level);
      csv << counts.accesses.of_method() << ',' << counts.misses.of_method();
      if (cache.draw == 0 && !experiment.pressure.touches()) {
        const ThreeCs why = counts.three_cs();
        csv << ',' << why.compulsory << ',' << why.capacity << ',' << why.conflict;
      } else {
        csv << ",,,";
      }
      csv << ',' << cache.cold_compulsory(level) << '\n';
    }
  }
  return csv.str();
}

std::string prefetches_csv_header() {
  return "method,trace,pressure,cache,pages,draw,queries,prefetched,useful,pressure_prefetched,pressure_useful\n";
}

std::string prefetches_csv(const std::string& method, const std::string& trace, const Experiment& experiment,
                           const Observation& seen) {
  std::ostringstream csv;
  for (const SimulatedCache& cache : seen.caches) {
    if (experiment.caches[cache.system].prefetch == Prefetch::none) continue;
    csv << first_columns(method, trace, experiment, cache) << cache.draw << ',' << seen.queries << ','
        << cache.counts.prefetched.of_method() << ',' << cache.counts.useful_prefetches.of_method() << ','
        << cache.counts.prefetched.of_owner(pressure_owner) << ','
        << cache.counts.useful_prefetches.of_owner(pressure_owner) << '\n';
  }
  return csv.str();
}

}  // namespace slidebench
