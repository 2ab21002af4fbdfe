// SPDX-License-Identifier: MIT
#include "harness/timing/launch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <random>

#include "harness/counters/hardware_counters.hpp"
#include "harness/timing/arm.hpp"
#include "harness/timing/slice.hpp"
#include "harness/trace/errors.hpp"
#include "harness/trace/reader.hpp"

namespace slidebench {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// A trace in use: its name, its windows, and what a pass over each must return.
struct LoadedTrace {
  std::string name;
  Trace trace;
  std::vector<Window> windows;
  std::map<std::pair<std::size_t, bool>, std::uint64_t> sums;  // by window, and whether for the null method

  std::uint64_t expected(std::size_t window, ArmRole role) {
    const std::pair key{window, role == ArmRole::null};
    const auto found = sums.find(key);
    if (found != sums.end()) return found->second;
    return sums[key] = expected_sum(role, windows[window]);
  }
};

/// A cell of the run: one workload on one trace, and how many passes make a slice for each arm.
struct Cell {
  const Workload* workload;
  LoadedTrace* trace;
  std::vector<std::uint64_t> passes;
};

class Launch {
 public:
  Launch(const LaunchPlan& plan, const LaunchSink& sink, const std::atomic<bool>& stop)
      : plan_(plan), sink_(sink), stop_(stop), random_(plan.seed * 1000 + plan.launch) {
    load_arms();
    load_traces();
    make_cells();
  }

  void run() {
    for (unsigned round = 0; round < plan_.rounds; ++round) {
      std::shuffle(cells_.begin(), cells_.end(), random_);
      for (const Cell& cell : cells_) {
        if (stop_) return;
        run_round(cell, round);
      }
    }
    if (plan_.count_events) count_events();
  }

 private:
  void load_arms() {
    for (const std::string& path : plan_.modules) {
      auto plugin = std::make_shared<Plugin>(Plugin::open(path));
      plugin->initialise();
      const ArmRole role = role_of(*plugin);
      arms_.push_back({plugin->id() + (role == ArmRole::twin ? ".twin" : ""), role, std::move(plugin)});
    }
    arms_.push_back({"clock", ArmRole::clock, nullptr});
  }

  void load_traces() {
    for (const NamedTrace& named : plan_.traces) {
      Trace trace = Trace::open(named.path);
      if (trace.queries() == 0) throw UserError(named.path + ": a trace without queries; nothing can be timed on it");
      std::vector<Window> windows = cut_windows(trace.blocks(), plan_.window_queries);
      traces_.push_back(
          std::make_unique<LoadedTrace>(LoadedTrace{named.name, std::move(trace), std::move(windows), {}}));
    }
  }

  void make_cells() {
    for (const std::string& name : plan_.workloads) {
      for (const auto& trace : traces_) {
        Cell cell{find_workload(name), trace.get(), {}};
        if (cell.workload == nullptr) throw UserError("unknown workload '" + name + "'");
        for (const Arm& arm : arms_) cell.passes.push_back(passes_for(arm, cell));
        cells_.push_back(std::move(cell));
      }
    }
  }

  /// One pass of an arm. The clock arm's pass is long enough for its loop to start and stop unnoticed.
  std::function<std::uint64_t()> pass_of(const Arm& arm, const Cell& cell, std::size_t window) const {
    if (arm.role == ArmRole::clock) return [] { return run_clock(clock_additions); };
    const ReplayKernel kernel = arm.plugin->descriptor().replay.*cell.workload->kernel;
    return [kernel, stretch = cell.trace->windows[window]] { return replay_window(kernel, stretch); };
  }

  /// Replays blocks untimed until at least one block and the warm-up time have passed.
  std::function<void()> warm_up_of(const Arm& arm, const Cell& cell, std::size_t window) const {
    if (arm.role == ArmRole::clock) return [] { run_clock(clock_additions); };
    const ReplayKernel kernel = arm.plugin->descriptor().replay.*cell.workload->kernel;
    return [kernel, stretch = cell.trace->windows[window], limit = plan_.warm_up_ms] {
      const Clock::time_point start = Clock::now();
      do {
        for (const TraceBlock& block : stretch) {
          kernel(block);
          if (milliseconds_since(start) >= limit) return;
        }
      } while (true);
    };
  }

  /// How many passes fill a slice, from the fastest of three.
  std::uint64_t passes_for(const Arm& arm, const Cell& cell) const {
    const auto pass = pass_of(arm, cell, 0);
    double best = INFINITY;
    for (int i = 0; i < 3; ++i) {
      const Clock::time_point start = Clock::now();
      pass();
      best = std::min(best, milliseconds_since(start));
    }
    return static_cast<std::uint64_t>(std::max(1.0, std::ceil(plan_.slice_ms / best)));
  }

  void run_round(const Cell& cell, unsigned round) {
    const std::size_t window = round % cell.trace->windows.size();
    std::vector<std::size_t> order(arms_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random_);

    std::vector<Slice> slices;
    for (const std::size_t i : order) {
      slices.push_back({warm_up_of(arms_[i], cell, window), pass_of(arms_[i], cell, window), cell.passes[i]});
    }
    const std::vector<SliceTime> times = time_slices(slices);
    if (stop_) return;
    std::vector<Sample> samples;
    for (std::size_t position = 0; position < order.size(); ++position) {
      samples.push_back(make_sample(cell, round, window, position, order[position], times[position]));
    }
    for (const Sample& sample : samples) sink_.sample(sample);
  }

  Sample make_sample(const Cell& cell, unsigned round, std::size_t window, std::size_t position, std::size_t index,
                     const SliceTime& time) {
    const Arm& arm = arms_[index];
    check_sum(arm, cell, window, cell.passes[index], time.checksum);
    const std::uint64_t a_pass = arm.role == ArmRole::clock ? clock_additions : queries_in(cell.trace->windows[window]);
    return {.launch = plan_.launch,
            .round = round,
            .position = static_cast<unsigned>(position),
            .arm = arm.name,
            .method = arm.method(),
            .level = arm.level(),
            .role = arm.role,
            .workload = std::string(cell.workload->name),
            .trace = cell.trace->name,
            .window = static_cast<unsigned>(window),
            .queries = cell.passes[index] * a_pass,
            .time_ns = time.time_ns,
            .checksum = time.checksum,
            .involuntary_switches = time.noise.involuntary_switches,
            .minor_faults = time.noise.minor_faults,
            .major_faults = time.noise.major_faults,
            .steal_ticks = time.steal_ticks};
  }

  void check_sum(const Arm& arm, const Cell& cell, std::size_t window, std::uint64_t passes, std::uint64_t sum) {
    const std::uint64_t a_pass = arm.role == ArmRole::clock ? clock_additions : cell.trace->expected(window, arm.role);
    if (sum == passes * a_pass) return;
    throw CheckFailed(arm.name + " gave wrong answers in " + std::string(cell.workload->name) + " on trace " +
                      cell.trace->name + ": its sum differs from the oracle's; see slidebench verify --method " +
                      arm.method());
  }

  /// One more pass of every arm in every cell for each group of events, outside the timed slices.
  void count_events() {
    EventCounters counters = open_hardware_counters();
    if (!counters.available()) return;
    for (const Cell& cell : cells_) {
      for (const Arm& arm : arms_) {
        if (stop_) return;
        if (arm.role == ArmRole::clock) continue;
        warm_up_of(arm, cell, 0)();
        const auto pass = pass_of(arm, cell, 0);
        for (const CounterReading& reading : counters.count([&pass] { pass(); })) {
          sink_.count({plan_.launch, arm.name, arm.role, arm.method(), arm.level(), std::string(cell.workload->name),
                       cell.trace->name, queries_in(cell.trace->windows[0]), reading});
        }
      }
    }
  }

  static constexpr std::uint64_t clock_additions = 16 * 65'536;

  const LaunchPlan& plan_;
  const LaunchSink& sink_;
  const std::atomic<bool>& stop_;
  std::mt19937_64 random_;
  std::vector<Arm> arms_;
  std::vector<std::unique_ptr<LoadedTrace>> traces_;
  std::vector<Cell> cells_;
};

}  // namespace

nlohmann::json to_json(const EventCount& c) {
  nlohmann::json json = {{"launch", c.launch},         {"arm", c.arm},
                         {"role", to_string(c.role)},  {"method", c.method},
                         {"level", c.level},           {"workload", c.workload},
                         {"trace", c.trace},           {"queries", c.queries},
                         {"metric", c.reading.metric}, {"event", c.reading.event},
                         {"source", c.reading.source}};
  if (c.reading.value) json["value"] = *c.reading.value;
  return json;
}

EventCount event_count_from_json(const nlohmann::json& json) {
  EventCount c;
  json.at("launch").get_to(c.launch);
  json.at("arm").get_to(c.arm);
  c.role = parse_role(json.at("role"));
  json.at("method").get_to(c.method);
  json.at("level").get_to(c.level);
  json.at("workload").get_to(c.workload);
  json.at("trace").get_to(c.trace);
  json.at("queries").get_to(c.queries);
  json.at("metric").get_to(c.reading.metric);
  json.at("event").get_to(c.reading.event);
  json.at("source").get_to(c.reading.source);
  if (json.contains("value")) c.reading.value = json.at("value").get<std::uint64_t>();
  return c;
}

nlohmann::json to_json(const LaunchPlan& plan) {
  nlohmann::json traces = nlohmann::json::array();
  for (const NamedTrace& trace : plan.traces) traces.push_back({{"name", trace.name}, {"path", trace.path}});
  return {{"launch", plan.launch},     {"rounds", plan.rounds},
          {"slice_ms", plan.slice_ms}, {"warm_up_ms", plan.warm_up_ms},
          {"seed", plan.seed},         {"window_queries", plan.window_queries},
          {"modules", plan.modules},   {"workloads", plan.workloads},
          {"traces", traces},          {"count_events", plan.count_events}};
}

LaunchPlan launch_plan_from_json(const nlohmann::json& json) {
  LaunchPlan plan;
  json.at("launch").get_to(plan.launch);
  json.at("rounds").get_to(plan.rounds);
  json.at("slice_ms").get_to(plan.slice_ms);
  json.at("warm_up_ms").get_to(plan.warm_up_ms);
  json.at("seed").get_to(plan.seed);
  json.at("window_queries").get_to(plan.window_queries);
  json.at("modules").get_to(plan.modules);
  json.at("workloads").get_to(plan.workloads);
  for (const auto& trace : json.at("traces")) plan.traces.push_back({trace.at("name"), trace.at("path")});
  json.at("count_events").get_to(plan.count_events);
  return plan;
}

void run_launch(const LaunchPlan& plan, const LaunchSink& sink, const std::atomic<bool>& stop) {
  Launch(plan, sink, stop).run();
}

}  // namespace slidebench
