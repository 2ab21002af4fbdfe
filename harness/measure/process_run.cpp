// SPDX-License-Identifier: MIT
#include "harness/measure/process_run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>

#include "harness/base/errors.hpp"
#include "harness/counters/hardware_counters.hpp"
#include "harness/engine/fen.hpp"
#include "harness/measure/alternation.hpp"
#include "harness/measure/replay_work.hpp"
#include "harness/trace/reader.hpp"

namespace slidebench {

// A process run's plan goes to its process as JSON; a position in it is its FEN.
namespace engine {
inline void to_json(nlohmann::json& json, const PositionState& position) { json = to_fen(position); }
inline void from_json(const nlohmann::json& json, PositionState& position) {
  position = parse_fen(json.get<std::string>());
}
}  // namespace engine
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EngineSettings, positions, nodes, hash_mib)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NamedTrace, name, path)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProcessRunPlan, process_run, rounds, first_round, methods_a_round, slice_ms,
                                   warm_up_ms, seed, segment_queries, modules, traces, cells, without, engine,
                                   count_events)

namespace {

using Clock = std::chrono::steady_clock;

std::atomic<const char*> contender_under_way_ = nullptr;

/// Only outside the timed parts. The name has to stay.
void note_contender(const Contender& contender) { contender_under_way_ = contender.name.c_str(); }

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// A cell that is ready to be measured.
struct PreparedCell {
  Cell name;
  std::shared_ptr<Work> work;
  bool alternating = false;                  ///< the contenders take turns within a slice
  std::vector<const Contender*> contenders;  ///< those that take part
  std::vector<std::uint64_t> passes;         ///< a slice, for each of them
  std::vector<std::size_t> segments;         ///< all segments, in the order in which the rounds of the run take them
};

/// Indices of a cell's contenders that share a round.
using Group = std::vector<std::size_t>;

/// The control's known cost is in the chain of dependent queries, and must not drown in touches.
bool takes_part(const Contender& contender, const Cell& cell, const Pressure& pressure) {
  return contender.role != ContenderRole::control ||
         (cell.workload == "latency" && !pressure.touches() && pressure.instructions == 0);
}

class ProcessRun {
 public:
  ProcessRun(const ProcessRunPlan& plan, const ProcessRunSink& sink, const std::atomic<bool>& stop)
      : plan_(plan), sink_(sink), stop_(stop), random_(plan.seed * 1000 + plan.process_run) {
    load_contenders();
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
  void load_contenders() {
    std::vector<std::string> paths = plan_.modules;
    std::shuffle(paths.begin(), paths.end(), random_);
    for (const std::string& path : paths) {
      auto plugin = std::make_shared<Plugin>(Plugin::open(path, CodePages::own));
      advise_table_pages(*plugin, large_pages());
      const Contender& contender = contenders_.emplace_back(std::move(plugin));
      note_contender(contender);
      contender.plugin->initialise();
      const TablePages pages = table_pages(*contender.plugin);
      if (pages.bytes > 0) sink_.pages({contender.name, large_pages() ? "2m" : "4k", pages});
    }
    contenders_.push_back(Contender::clock());
  }

  PreparedCell prepare(const Cell& cell) {
    const Pressure pressure = parse_pressure(cell.pressure);
    PreparedCell prepared{cell, make_work(cell, pressure), pressure.chunk_queries > 0, {}, {}, {}};
    if (prepared.work->queries(0) == 0) {
      throw UserError("trace " + cell.trace + " asks nothing of kind '" + cell.kinds + "'; nothing can be timed on it");
    }
    prepared.segments = segment_order(prepared.work->segments());
    for (unsigned turn = 0; turn < plan_.rounds; ++turn) {
      prepared.work->pieces(segment_of(prepared, turn));  // what it takes is made now, and in no slice
    }
    const auto left_out = plan_.without.find(cell);
    for (const Contender& contender : contenders_) {
      if (left_out != plan_.without.end() && left_out->second.contains(contender.name)) continue;
      if (contender.role != ContenderRole::clock && !prepared.work->takes(contender)) continue;
      if (!takes_part(contender, cell, pressure)) continue;
      prepared.contenders.push_back(&contender);
      prepared.passes.push_back(passes_for(contender, *prepared.work));
    }
    if (prepared.alternating) share_passes(prepared);
    return prepared;
  }

  /// The same for all process runs of a run.
  std::vector<std::size_t> segment_order(std::size_t segments) const {
    std::vector<std::size_t> order(segments);
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
    options.segment_queries = plan_.segment_queries;
    options.piece_queries = std::min(options.piece_queries, options.segment_queries);
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

  /// One pass of a contender. The clock contender's pass is long enough for its loop to start and stop unnoticed.
  static std::uint64_t pass(const Contender& contender, Work& work, std::size_t segment) {
    return contender.role == ContenderRole::clock ? run_clock(clock_additions) : work.pass(contender, segment);
  }

  void warm_up(const Contender& contender, Work& work, std::size_t segment) const {
    note_contender(contender);
    if (contender.role == ContenderRole::clock) {
      run_clock(clock_additions);
    } else {
      work.prepare(contender, segment, plan_.warm_up_ms);
    }
  }

  /// How many passes fill a slice, from the quicker of two, the first of which is cold; one, if a pass fills it.
  std::uint64_t passes_for(const Contender& contender, Work& work) const {
    if (contender.role != ContenderRole::clock && !work.repeats()) return 1;
    note_contender(contender);
    double best = INFINITY;
    for (int i = 0; i < 2 && best > 0; ++i) {
      const Clock::time_point start = Clock::now();
      pass(contender, work, 0);
      best = std::min(best, milliseconds_since(start));
      if (best >= plan_.slice_ms) return 1;
    }
    return static_cast<std::uint64_t>(std::max(1.0, std::ceil(plan_.slice_ms / best)));
  }

  /// Contenders that take turns make as many passes as the median one needs.
  static void share_passes(PreparedCell& cell) {
    std::vector<std::uint64_t> sorted = cell.passes;
    std::sort(sorted.begin(), sorted.end());
    std::fill(cell.passes.begin(), cell.passes.end(), sorted[sorted.size() / 2]);
  }

  /// Splits a cell's contenders into groups, each with the reference and its twin, in random order and composition: one
  /// has what every cell has, the others up to methods_a_round methods each. Few methods, contenders that take turns
  /// within a slice, and cells without a reference stay together.
  std::vector<Group> groups_of(const PreparedCell& cell) {
    Group all(cell.contenders.size()), methods, always, others;
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (const std::size_t i : all) {
      const ContenderRole role = cell.contenders[i]->role;
      if (role == ContenderRole::reference || role == ContenderRole::twin) always.push_back(i);
      (role == ContenderRole::method ? methods : others).push_back(i);
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

  std::size_t segment_of(const PreparedCell& cell, unsigned turn) const {
    return cell.segments[(plan_.first_round + turn) % cell.segments.size()];
  }

  /// Every contender once; each group in a round of its own.
  void run_rounds(const PreparedCell& cell, unsigned turn) {
    const std::size_t segment = segment_of(cell, turn);
    const std::vector<Group> groups = groups_of(cell);
    for (std::size_t g = 0; g < groups.size() && !stop_; ++g) {
      run_round(cell, groups[g], static_cast<unsigned>(turn * groups.size() + g), segment);
    }
  }

  void run_round(const PreparedCell& cell, Group order, unsigned round, std::size_t segment) {
    std::shuffle(order.begin(), order.end(), random_);
    const std::vector<SliceTime> times =
        cell.alternating ? time_turns(cell, order, segment) : time_in_order(cell, order, segment);
    if (stop_) return;
    for (std::size_t position = 0; position < order.size(); ++position) {
      check_sum(cell, order[position], segment, times[position].checksum);
      samples_.push_back(make_sample(cell, round, segment, position, order[position], times[position]));
    }
  }

  std::vector<SliceTime> time_turns(const PreparedCell& cell, const Group& order, std::size_t segment) {
    std::vector<const Contender*> contenders;
    for (const std::size_t i : order) contenders.push_back(cell.contenders[i]);
    return time_alternating(contenders, *cell.work, segment, cell.passes.front(), random_);
  }

  /// A slice per contender, one after the other.
  std::vector<SliceTime> time_in_order(const PreparedCell& cell, const Group& order, std::size_t segment) {
    std::vector<Slice> slices;
    for (const std::size_t i : order) {
      const Contender& contender = *cell.contenders[i];
      Work& work = *cell.work;
      slices.push_back({[this, &contender, &work, segment] { warm_up(contender, work, segment); },
                        [&contender, &work, segment] { return pass(contender, work, segment); }, cell.passes[i]});
    }
    return time_slices(slices);
  }

  static std::uint64_t clock_additions_in(const PreparedCell& cell, std::size_t segment) {
    return cell.alternating ? clock_turn_additions * cell.work->pieces(segment) : clock_additions;
  }

  Sample make_sample(const PreparedCell& cell, unsigned round, std::size_t segment, std::size_t position,
                     std::size_t index, const SliceTime& time) const {
    const Contender& contender = *cell.contenders[index];
    const std::uint64_t passes = cell.passes[index];
    const bool clock = contender.role == ContenderRole::clock;
    return {.process_run = plan_.process_run,
            .round = round,
            .position = static_cast<unsigned>(position),
            .contender = contender.name,
            .method = contender.method(),
            .level = contender.level(),
            .role = contender.role,
            .placement = contender.placement(),
            .cell = cell.name,
            .segment = static_cast<unsigned>(segment),
            .queries = passes * (clock ? clock_additions_in(cell, segment) : cell.work->queries(segment)),
            .nodes = clock ? 0 : passes * cell.work->nodes(segment),
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

  void check_sum(const PreparedCell& cell, std::size_t index, std::size_t segment, std::uint64_t sum) const {
    const Contender& contender = *cell.contenders[index];
    const std::uint64_t a_pass = contender.role == ContenderRole::clock ? clock_additions_in(cell, segment)
                                                                        : cell.work->expected(contender, segment);
    if (sum == cell.passes[index] * a_pass) return;
    check_traces();
    throw CheckFailed(contender.name + " gave wrong answers in " + to_string(cell.name) +
                      ": its sum differs from the oracle's; see slidebench verify --method " + contender.method());
  }

  /// One more pass of every contender in every cell for each group of events, outside the timed slices.
  void count_events() {
    EventCounters counters = open_hardware_counters();
    if (!counters.available()) return;
    for (const PreparedCell& cell : cells_) {
      if (cell.name.kinds != "all" || cell.alternating) continue;
      for (const Contender* contender : cell.contenders) {
        if (stop_) return;
        if (contender->role == ContenderRole::clock) continue;
        warm_up(*contender, *cell.work, 0);
        for (const CounterReading& reading : counters.count([&] { pass(*contender, *cell.work, 0); })) {
          sink_.count({.process_run = plan_.process_run,
                       .contender = contender->name,
                       .role = contender->role,
                       .method = contender->method(),
                       .level = contender->level(),
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

  const ProcessRunPlan& plan_;
  const ProcessRunSink& sink_;
  const std::atomic<bool>& stop_;
  Shuffler random_;
  std::deque<Contender> contenders_;  // cells point into it
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
  nlohmann::json json = {{"process_run", c.process_run},
                         {"contender", c.contender},
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
  json.at("process_run").get_to(c.process_run);
  json.at("contender").get_to(c.contender);
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
  return {{"contender", report.contender},
          {"pages", report.pages},
          {"bytes", report.tables.bytes},
          {"large_page_bytes", report.tables.large_bytes}};
}

PageReport page_report_from_json(const nlohmann::json& json) {
  return {json.at("contender"), json.at("pages"), {json.at("bytes"), json.at("large_page_bytes")}};
}

nlohmann::json to_json(const ProcessRunPlan& plan) { return plan; }
ProcessRunPlan process_run_plan_from_json(const nlohmann::json& json) { return json; }

void run_process_run(const ProcessRunPlan& plan, const ProcessRunSink& sink, const std::atomic<bool>& stop) {
  ProcessRun(plan, sink, stop).run();
}

const char* contender_under_way() { return contender_under_way_; }

}  // namespace slidebench
