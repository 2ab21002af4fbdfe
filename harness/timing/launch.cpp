// SPDX-License-Identifier: MIT
#include "harness/timing/launch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>

#include "harness/counters/hardware_counters.hpp"
#include "harness/engine/fen.hpp"
#include "harness/timing/alternation.hpp"
#include "harness/timing/replay_work.hpp"
#include "harness/trace/errors.hpp"
#include "harness/trace/reader.hpp"

namespace slidebench {

// A launch's plan goes to its process as JSON; a position in it is its FEN.
namespace engine {
inline void to_json(nlohmann::json& json, const PositionState& position) { json = to_fen(position); }
inline void from_json(const nlohmann::json& json, PositionState& position) {
  position = parse_fen(json.get<std::string>());
}
}  // namespace engine
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EngineSettings, positions, nodes, hash_mib)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NamedTrace, name, path)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchPlan, launch, rounds, first_round, methods_a_round, slice_ms, warm_up_ms, seed,
                                   window_queries, modules, traces, cells, without, engine, count_events)

namespace {

using Clock = std::chrono::steady_clock;

std::atomic<const char*> arm_under_way_ = nullptr;

/// Only outside the timed parts. The name has to stay.
void note_arm(const Arm& arm) { arm_under_way_ = arm.name.c_str(); }

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// A cell that is ready to be measured.
struct PreparedCell {
  Cell name;
  std::shared_ptr<Work> work;
  bool alternating = false;           ///< the arms take turns within a slice
  std::vector<const Arm*> arms;       ///< those that take part
  std::vector<std::uint64_t> passes;  ///< a slice, for each of them
  std::vector<std::size_t> windows;   ///< all windows, in the order in which the rounds of the run take them
};

/// Indices of a cell's arms that share a round.
using Group = std::vector<std::size_t>;

/// The control's known cost is in the chain of dependent queries, and must not drown in touches.
bool takes_part(const Arm& arm, const Cell& cell, const Pressure& pressure) {
  return arm.role != ArmRole::control ||
         (cell.workload == "latency" && !pressure.touches() && pressure.instructions == 0);
}

class Launch {
 public:
  Launch(const LaunchPlan& plan, const LaunchSink& sink, const std::atomic<bool>& stop)
      : plan_(plan), sink_(sink), stop_(stop), random_(plan.seed * 1000 + plan.launch) {
    load_arms();
    for (const NamedTrace& named : plan_.traces) traces_.emplace(named.name, Trace::open(named.path));
    for (const Cell& cell : plan_.cells) {
      if (!stop_) cells_.push_back(prepare(cell));
    }
  }

  void run() {
    for (unsigned turn = 0; turn < plan_.rounds; ++turn) {
      std::shuffle(cells_.begin(), cells_.end(), random_);
      for (const PreparedCell& cell : cells_) {
        if (stop_) return;
        run_rounds(cell, turn);
      }
      for (const Sample& sample : samples_) sink_.sample(sample);
      samples_.clear();
    }
    if (plan_.count_events) count_events();
    check_traces();
  }

 private:
  bool large_pages() const { return !plan_.cells.empty() && plan_.cells.front().pages == "2m"; }

  /// In random order: a table's place in memory depends on what was loaded before it, and must favour no method.
  void load_arms() {
    std::vector<std::string> paths = plan_.modules;
    std::shuffle(paths.begin(), paths.end(), random_);
    for (const std::string& path : paths) {
      auto plugin = std::make_shared<Plugin>(Plugin::open(path, CodePages::own));
      advise_table_pages(*plugin, large_pages());
      const Arm& arm = arms_.emplace_back(std::move(plugin));
      note_arm(arm);
      arm.plugin->initialise();
      const TablePages pages = table_pages(*arm.plugin);
      if (pages.bytes > 0) sink_.pages({arm.name, large_pages() ? "2m" : "4k", pages});
    }
    arms_.push_back(Arm::clock());
  }

  PreparedCell prepare(const Cell& cell) {
    const Pressure pressure = parse_pressure(cell.pressure);
    PreparedCell prepared{cell, make_work(cell, pressure), pressure.chunk_queries > 0, {}, {}, {}};
    if (prepared.work->queries(0) == 0) {
      throw UserError("trace " + cell.trace + " asks nothing of kind '" + cell.kinds + "'; nothing can be timed on it");
    }
    prepared.windows = window_order(prepared.work->windows());
    for (unsigned turn = 0; turn < plan_.rounds; ++turn) {
      prepared.work->pieces(window_of(prepared, turn));  // what it takes is made now, and in no slice
    }
    const auto left_out = plan_.without.find(cell);
    for (const Arm& arm : arms_) {
      if (left_out != plan_.without.end() && left_out->second.contains(arm.name)) continue;
      if (arm.role != ArmRole::clock && !prepared.work->takes(arm)) continue;
      if (!takes_part(arm, cell, pressure)) continue;
      prepared.arms.push_back(&arm);
      prepared.passes.push_back(passes_for(arm, *prepared.work));
    }
    if (prepared.alternating) share_passes(prepared);
    return prepared;
  }

  /// The same for all launches of a run.
  std::vector<std::size_t> window_order(std::size_t windows) const {
    std::vector<std::size_t> order(windows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    Shuffler random(plan_.seed);
    std::shuffle(order.begin(), order.end(), random);
    return order;
  }

  std::shared_ptr<Work> make_work(const Cell& cell, const Pressure& pressure) {
    if (cell.workload == perft_workload) return std::make_shared<PerftWork>(plan_.engine);
    if (cell.workload == engine_workload) {
      return std::make_shared<SearchWork>(parse_engine_form(cell.trace), plan_.engine, large_pages());
    }
    const Workload* workload = find_workload(cell.workload);
    if (workload == nullptr) throw UserError("unknown workload '" + cell.workload + "'");
    return std::make_shared<ReplayWork>(*workload, selection_for(cell, *workload, pressure), block_for(pressure));
  }

  /// Cells that replay the same queries in the same pieces share them.
  std::shared_ptr<TraceSelection> selection_for(const Cell& cell, const Workload& workload, const Pressure& pressure) {
    SelectionOptions options;
    options.batches = workload.unit == Workload::Unit::slider;
    if (options.batches) {
      options.sliders = parse_sliders(cell.kinds);
    } else {
      options.kind = parse_kind(cell.kinds);
    }
    if (options.kind) options.kept = pressure_events(pressure);
    options.nodes_only = workload.unit != Workload::Unit::query;
    options.window_queries = plan_.window_queries;
    options.piece_queries = std::min(options.piece_queries, options.window_queries);
    if (pressure.chunk_queries > 0) options.piece_queries = pressure.chunk_queries;
    const auto key = std::tuple{cell.trace,         cell.kinds,      options.kept.bits,
                                options.nodes_only, options.batches, options.piece_queries};
    std::shared_ptr<TraceSelection>& shared = selections_[key];
    if (!shared) shared = std::make_shared<TraceSelection>(traces_.at(cell.trace), options);
    return shared;
  }

  std::shared_ptr<PressureBlock> block_for(const Pressure& pressure) {
    if (!pressure.touches() && pressure.instructions == 0) return nullptr;
    std::shared_ptr<PressureBlock>& shared = blocks_[pressure.name];
    if (!shared) shared = std::make_shared<PressureBlock>(pressure, plan_.seed, large_pages());
    return shared;
  }

  /// One pass of an arm. The clock arm's pass is long enough for its loop to start and stop unnoticed.
  static std::uint64_t pass(const Arm& arm, Work& work, std::size_t window) {
    return arm.role == ArmRole::clock ? run_clock(clock_additions) : work.pass(arm, window);
  }

  void warm_up(const Arm& arm, Work& work, std::size_t window) const {
    note_arm(arm);
    if (arm.role == ArmRole::clock) {
      run_clock(clock_additions);
    } else {
      work.prepare(arm, window, plan_.warm_up_ms);
    }
  }

  /// How many passes fill a slice, from the quicker of two, the first of which is cold; one, if a pass fills it.
  std::uint64_t passes_for(const Arm& arm, Work& work) const {
    if (arm.role != ArmRole::clock && !work.repeats()) return 1;
    note_arm(arm);
    double best = INFINITY;
    for (int i = 0; i < 2 && best > 0; ++i) {
      const Clock::time_point start = Clock::now();
      pass(arm, work, 0);
      best = std::min(best, milliseconds_since(start));
      if (best >= plan_.slice_ms) return 1;
    }
    return static_cast<std::uint64_t>(std::max(1.0, std::ceil(plan_.slice_ms / best)));
  }

  /// Arms that take turns make as many passes as the median one needs.
  static void share_passes(PreparedCell& cell) {
    std::vector<std::uint64_t> sorted = cell.passes;
    std::sort(sorted.begin(), sorted.end());
    std::fill(cell.passes.begin(), cell.passes.end(), sorted[sorted.size() / 2]);
  }

  /// Splits a cell's arms into groups, each with the reference and its twin, in random order and composition: one has
  /// what every cell has, the others up to methods_a_round methods each. Few methods, arms that take turns within a
  /// slice, and cells without a reference stay together.
  std::vector<Group> groups_of(const PreparedCell& cell) {
    Group all(cell.arms.size()), methods, always, others;
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (const std::size_t i : all) {
      const ArmRole role = cell.arms[i]->role;
      if (role == ArmRole::reference || role == ArmRole::twin) always.push_back(i);
      (role == ArmRole::method ? methods : others).push_back(i);
    }
    if (methods.size() <= plan_.methods_a_round || cell.alternating || always.empty()) return {all};
    std::shuffle(methods.begin(), methods.end(), random_);
    const std::size_t count = (methods.size() + plan_.methods_a_round - 1) / plan_.methods_a_round;
    std::vector<Group> groups(count, always);
    for (std::size_t i = 0; i < methods.size(); ++i) groups[i % count].push_back(methods[i]);
    groups.push_back(std::move(others));
    std::shuffle(groups.begin(), groups.end(), random_);
    return groups;
  }

  std::size_t window_of(const PreparedCell& cell, unsigned turn) const {
    return cell.windows[(plan_.first_round + turn) % cell.windows.size()];
  }

  /// Every arm once; each group in a round of its own.
  void run_rounds(const PreparedCell& cell, unsigned turn) {
    const std::size_t window = window_of(cell, turn);
    const std::vector<Group> groups = groups_of(cell);
    for (std::size_t g = 0; g < groups.size() && !stop_; ++g) {
      run_round(cell, groups[g], static_cast<unsigned>(turn * groups.size() + g), window);
    }
  }

  void run_round(const PreparedCell& cell, Group order, unsigned round, std::size_t window) {
    std::shuffle(order.begin(), order.end(), random_);
    const std::vector<SliceTime> times =
        cell.alternating ? time_turns(cell, order, window) : time_in_order(cell, order, window);
    if (stop_) return;
    for (std::size_t position = 0; position < order.size(); ++position) {
      check_sum(cell, order[position], window, times[position].checksum);
      samples_.push_back(make_sample(cell, round, window, position, order[position], times[position]));
    }
  }

  std::vector<SliceTime> time_turns(const PreparedCell& cell, const Group& order, std::size_t window) {
    std::vector<const Arm*> arms;
    for (const std::size_t i : order) arms.push_back(cell.arms[i]);
    return time_alternating(arms, *cell.work, window, cell.passes.front(), random_);
  }

  /// A slice an arm, one after the other.
  std::vector<SliceTime> time_in_order(const PreparedCell& cell, const Group& order, std::size_t window) {
    std::vector<Slice> slices;
    for (const std::size_t i : order) {
      const Arm& arm = *cell.arms[i];
      Work& work = *cell.work;
      slices.push_back({[this, &arm, &work, window] { warm_up(arm, work, window); },
                        [&arm, &work, window] { return pass(arm, work, window); }, cell.passes[i]});
    }
    return time_slices(slices);
  }

  static std::uint64_t clock_additions_in(const PreparedCell& cell, std::size_t window) {
    return cell.alternating ? clock_turn_additions * cell.work->pieces(window) : clock_additions;
  }

  Sample make_sample(const PreparedCell& cell, unsigned round, std::size_t window, std::size_t position,
                     std::size_t index, const SliceTime& time) const {
    const Arm& arm = *cell.arms[index];
    const std::uint64_t passes = cell.passes[index];
    const bool clock = arm.role == ArmRole::clock;
    return {.launch = plan_.launch,
            .round = round,
            .position = static_cast<unsigned>(position),
            .arm = arm.name,
            .method = arm.method(),
            .level = arm.level(),
            .role = arm.role,
            .layout = arm.layout(),
            .cell = cell.name,
            .window = static_cast<unsigned>(window),
            .queries = passes * (clock ? clock_additions_in(cell, window) : cell.work->queries(window)),
            .nodes = clock ? 0 : passes * cell.work->nodes(window),
            .time_ns = time.time_ns,
            .checksum = time.checksum,
            .involuntary_switches = time.disturbance.noise.involuntary_switches,
            .minor_faults = time.disturbance.noise.minor_faults,
            .major_faults = time.disturbance.noise.major_faults,
            .steal_ticks = time.disturbance.steal};
  }

  void check_traces() const {
    for (const auto& [name, trace] : traces_) trace.check_unchanged();
  }

  void check_sum(const PreparedCell& cell, std::size_t index, std::size_t window, std::uint64_t sum) const {
    const Arm& arm = *cell.arms[index];
    const std::uint64_t a_pass =
        arm.role == ArmRole::clock ? clock_additions_in(cell, window) : cell.work->expected(arm, window);
    if (sum == cell.passes[index] * a_pass) return;
    check_traces();
    throw CheckFailed(arm.name + " gave wrong answers in " + to_string(cell.name) +
                      ": its sum differs from the oracle's; see slidebench verify --method " + arm.method());
  }

  /// One more pass of every arm in every cell for each group of events, outside the timed slices.
  void count_events() {
    EventCounters counters = open_hardware_counters();
    if (!counters.available()) return;
    for (const PreparedCell& cell : cells_) {
      if (cell.name.kinds != "all" || cell.alternating) continue;
      for (const Arm* arm : cell.arms) {
        if (stop_) return;
        if (arm->role == ArmRole::clock) continue;
        warm_up(*arm, *cell.work, 0);
        for (const CounterReading& reading : counters.count([&] { pass(*arm, *cell.work, 0); })) {
          sink_.count({.launch = plan_.launch,
                       .arm = arm->name,
                       .role = arm->role,
                       .method = arm->method(),
                       .level = arm->level(),
                       .workload = cell.name.workload,
                       .trace = cell.name.trace,
                       .queries = cell.work->queries(0),
                       .reading = reading,
                       .pressure = cell.name.pressure,
                       .pages = cell.name.pages});
        }
      }
    }
  }

  static constexpr std::uint64_t clock_additions = 16 * 65'536;

  const LaunchPlan& plan_;
  const LaunchSink& sink_;
  const std::atomic<bool>& stop_;
  Shuffler random_;
  std::deque<Arm> arms_;  // cells point into it
  std::map<std::string, Trace> traces_;
  std::map<std::tuple<std::string, std::string, std::uint32_t, bool, bool, std::uint64_t>,
           std::shared_ptr<TraceSelection>>
      selections_;
  std::map<std::string, std::shared_ptr<PressureBlock>> blocks_;
  std::vector<PreparedCell> cells_;
  std::vector<Sample> samples_;  // of the round under way
};

}  // namespace

nlohmann::json to_json(const EventCount& c) {
  nlohmann::json json = {{"launch", c.launch},
                         {"arm", c.arm},
                         {"role", to_string(c.role)},
                         {"method", c.method},
                         {"level", c.level},
                         {"workload", c.workload},
                         {"trace", c.trace},
                         {"queries", c.queries},
                         {"metric", c.reading.metric},
                         {"event", c.reading.event},
                         {"source", c.reading.source},
                         {"pressure", c.pressure},
                         {"pages", c.pages}};
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
  json.at("pressure").get_to(c.pressure);
  json.at("pages").get_to(c.pages);
  if (json.contains("value")) c.reading.value = json.at("value").get<std::uint64_t>();
  return c;
}

nlohmann::json to_json(const PageReport& report) {
  return {{"arm", report.arm},
          {"pages", report.pages},
          {"bytes", report.tables.bytes},
          {"large_page_bytes", report.tables.large_bytes}};
}

PageReport page_report_from_json(const nlohmann::json& json) {
  return {json.at("arm"), json.at("pages"), {json.at("bytes"), json.at("large_page_bytes")}};
}

nlohmann::json to_json(const LaunchPlan& plan) { return plan; }
LaunchPlan launch_plan_from_json(const nlohmann::json& json) { return json; }

void run_launch(const LaunchPlan& plan, const LaunchSink& sink, const std::atomic<bool>& stop) {
  Launch(plan, sink, stop).run();
}

const char* arm_under_way() { return arm_under_way_; }

}  // namespace slidebench
