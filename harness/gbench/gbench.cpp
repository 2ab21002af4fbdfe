// SPDX-License-Identifier: MIT
//
// slidebench_gbench: the methods as benchmarks of Google Benchmark, named METHOD/WORKLOAD/TRACE/PRESSURE. One iteration
// replays a segment of the trace, the next one the next segment; an item is a query. What `slidebench run` has beyond
// it: layouts of a kernel, process runs, intervals.
#include <benchmark/benchmark.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/errors.hpp"
#include "harness/base/version.hpp"
#include "harness/counters/hardware_counters.hpp"
#include "harness/measure/replay_work.hpp"
#include "harness/measure/timed_loop.hpp"
#include "harness/plugin/cpu.hpp"
#include "harness/plugin/method_selection.hpp"
#include "harness/simulator/experiment.hpp"
#include "harness/simulator/host_system.hpp"
#include "harness/trace/reader.hpp"

namespace slidebench {
namespace {

/// Queries that the simulator replays: the first ones of a trace, as a whole search takes it minutes.
constexpr std::uint64_t simulated_queries = 1 << 18;

struct Settings {
  std::vector<std::string> traces;
  std::vector<std::string> workloads{"throughput", "latency"};
  std::vector<std::string> pressures{"isolated"};
  MethodOptions methods;
  bool simulate = false;
};

/// What the benchmarks of one workload, trace and pressure share.
struct Situation {
  std::string name;  ///< as in a benchmark's name, after the method's
  std::shared_ptr<TraceSelection> selection;
  std::shared_ptr<Work> work;
  Pressure pressure;
};

/// Misses of this machine's caches, as the simulator counts them, per query.
void add_simulated(benchmark::State& state, const Plugin& traced, const Situation& situation) {
  const Experiment experiment{.caches = {host_system()}, .pressure = situation.pressure};
  const Observation seen =
      observe(traced, first_segments(situation.selection->segments(), simulated_queries), experiment);
  const auto per_query = [&](Level level) {
    return static_cast<double>(seen.caches.front().counts.at(level).misses.of_method()) /
           static_cast<double>(seen.queries);
  };
  state.counters["simulated_l1d_misses"] = per_query(Level::l1);
  state.counters["simulated_l2_misses"] = per_query(Level::l2);
}

/// What the processor counts in one more pass over all segments, per query.
void add_counted(benchmark::State& state, const Contender& contender, Work& work) {
  EventCounters counters = open_hardware_counters();
  if (!counters.available()) return;
  std::uint64_t queries = 0;
  for (std::size_t i = 0; i < work.segments(); ++i) queries += work.size(i).queries;
  const std::vector<CounterReading> readings = counters.count([&] {
    for (std::size_t i = 0; i < work.segments(); ++i) pass(contender, work, i);
  });
  for (const CounterReading& reading : readings) {
    if (reading.value)
      state.counters[reading.metric] = static_cast<double>(*reading.value) / static_cast<double>(queries);
  }
}

/// The timed loop. The sum of the answers must be the oracle's, or the benchmark ends with an error.
void replay(benchmark::State& state, const Contender& contender, const Plugin* traced, const Situation& situation) {
  Work& work = *situation.work;
  const std::size_t segments = work.segments();
  for (std::size_t i = 0; i < segments; ++i) warm_up(contender, work, i, 0);
  std::uint64_t sum = 0;
  std::size_t segment = 0, passes = 0;
  for (auto _ : state) {
    sum += pass(contender, work, segment);
    segment = segment + 1 == segments ? 0 : segment + 1;
    ++passes;
  }
  std::uint64_t expected = 0, queries = 0;
  for (std::size_t i = 0; i < segments; ++i) {
    const std::size_t times = passes / segments + (i < passes % segments ? 1 : 0);
    expected += times * work.expected(contender, i);
    queries += times * work.size(i).queries;
  }
  if (sum != expected) return state.SkipWithError("the answers are wrong; slidebench verify says which");
  state.SetItemsProcessed(static_cast<std::int64_t>(queries));
  state.counters["per_query"] =
      benchmark::Counter(static_cast<double>(queries), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  add_counted(state, contender, work);
  if (traced != nullptr) add_simulated(state, *traced, situation);
}

std::vector<Situation> make_situations(const Settings& settings, std::vector<Trace>& traces) {
  std::vector<Situation> situations;
  for (const std::string& path : settings.traces) traces.push_back(Trace::open(path));
  for (std::size_t t = 0; t < traces.size(); ++t) {
    auto selection = std::make_shared<TraceSelection>(traces[t], SelectionOptions{});
    const std::string stem = std::filesystem::path(settings.traces[t]).stem().string();
    benchmark::AddCustomContext("trace_" + stem, traces[t].digest_hex());
    for (const std::string& text : settings.pressures) {
      const Pressure pressure = parse_pressure(text);
      if (pressure.chunk_queries > 0)
        throw UserError("--pressure " + text + ": methods take no turns here; use slidebench run");
      std::shared_ptr<PressureBlock> block;
      if (!pressure.isolated()) block = std::make_shared<PressureBlock>(pressure, 1, false);
      for (const std::string& name : settings.workloads) {
        const Workload* workload = find_workload(name);
        if (workload == nullptr || workload->unit != Workload::Unit::query) {
          throw UserError("--workload " + name + ": use throughput or latency");
        }
        situations.push_back({name + "/" + stem + "/" + pressure.name, selection,
                              std::make_shared<ReplayWork>(*workload, selection, block), pressure});
      }
    }
  }
  return situations;
}

void run_benchmarks(const Settings& settings) {
  std::vector<Trace> traces;
  traces.reserve(settings.traces.size());  // selections are views of them
  const std::vector<Situation> situations = make_situations(settings, traces);
  std::map<std::string, Plugin> twins;
  if (settings.simulate) {
    for (Plugin& twin : load_folder(plugin_folder(), ModuleRole::traced, host_isa())) {
      if (twin.runs_on(host_isa())) twins.emplace(twin.id(), std::move(twin));
    }
    for (auto& [id, twin] : twins) twin.initialise();
  }
  std::vector<std::unique_ptr<Contender>> contenders;
  for (Plugin& plugin : select_methods(settings.methods).methods) {
    const Contender& contender =
        *contenders.emplace_back(std::make_unique<Contender>(std::make_shared<Plugin>(std::move(plugin))));
    const auto twin = twins.find(contender.method());
    const Plugin* traced = twin == twins.end() ? nullptr : &twin->second;
    for (const Situation& situation : situations) {
      if (!situation.work->takes(contender)) continue;
      benchmark::RegisterBenchmark(
          (contender.name + "/" + situation.name).c_str(),
          [&contender, traced, &situation](benchmark::State& state) { replay(state, contender, traced, situation); });
    }
  }
  const EventCounters counters = open_hardware_counters();
  benchmark::AddCustomContext("compiler", compiler_name());
  benchmark::AddCustomContext("commit", git_commit());
  benchmark::AddCustomContext("counters", counters.available() ? "measured" : counters.reason());
  benchmark::RunSpecifiedBenchmarks();
}

}  // namespace
}  // namespace slidebench

int main(int argc, char** argv) {
  using namespace slidebench;
  Settings settings;
  CLI::App app{
      "The methods as benchmarks of Google Benchmark, METHOD/WORKLOAD/TRACE/PRESSURE; its own options "
      "(--benchmark_filter=REGEX, --benchmark_format=json, ...) go with these."};
  app.add_option("--trace", settings.traces, "Traces to replay, made by slidebench trace build")->required();
  app.add_option("--method", settings.methods.methods, "Ids, families or groups, as of slidebench run; default core");
  app.add_option("--plugin", settings.methods.plugins, "Modules from elsewhere");
  app.add_option("--workload", settings.workloads, "throughput, latency")->capture_default_str();
  app.add_option("--pressure", settings.pressures, "As of slidebench run: isolated, net0, net1024, ...")
      ->capture_default_str();
  app.add_flag("--simulate", settings.simulate, "Also misses of this machine's caches, simulated");
  benchmark::Initialize(&argc, argv);
  try {
    app.parse(argc, argv);
    run_benchmarks(settings);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const UserError& error) {
    std::cerr << "slidebench_gbench: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
