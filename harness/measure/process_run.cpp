// SPDX-License-Identifier: MIT
#include "harness/measure/process_run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <numeric>
#include <tuple>
#include <variant>

#include "harness/base/errors.hpp"
#include "harness/counters/hardware_counters.hpp"
#include "harness/measure/replay_work.hpp"
#include "harness/measure/round.hpp"
#include "harness/trace/reader.hpp"

namespace slidebench {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Who asks twice bounds what work costs that runs beside other work, which a chain is not. The control replays again
/// what single queries are in large pieces, or searches on.
bool takes_part(const Contender& contender, const Cell& cell) {
  const ReplayCell* replay = cell.replay();
  const bool latency = replay != nullptr && replay->workload->name == "latency";
  if (contender.role == ContenderRole::twice) return !latency;
  if (contender.role != ContenderRole::control) return true;
  if (replay == nullptr) return cell.search() != nullptr;
  return replay->workload->unit == Workload::Unit::query && replay->pressure.chunk_queries == 0;
}

bool large_pages(const ProcessRunPlan& plan) { return !plan.cells.empty() && plan.cells.front().pages == "2m"; }

/// The segments of a cell in the order in which the rounds take them: the same for all process runs of a run.
std::vector<std::size_t> segment_order(std::size_t segments, std::uint64_t seed) {
  std::vector<std::size_t> order(segments);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Shuffler random(seed);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

/// The work of cells. Cells that replay the same queries in the same pieces share them, and cells of one pressure share
/// its memory, as an engine has one hash table.
class WorkMaker {
 public:
  explicit WorkMaker(const ProcessRunPlan& plan) : plan_(plan) {
    for (const NamedTrace& named : plan_.traces) traces_.emplace(named.name, Trace::open(named.path));
  }

  std::shared_ptr<Work> make(const Cell& cell) {
    return std::visit([this](const auto& what) -> std::shared_ptr<Work> { return this->work_of(what); }, cell.what);
  }

  /// Throws UserError if a trace's file was changed meanwhile.
  void check_traces() const {
    for (const auto& [name, trace] : traces_) trace.check_unchanged();
  }

 private:
  std::shared_ptr<Work> work_of(const PerftCell& cell) const {
    return std::make_shared<PerftWork>(plan_.engine, cell.cold);
  }

  static std::shared_ptr<Work> work_of(const DuelCell&) { throw UserError("a duel is no work of this process"); }

  std::shared_ptr<Work> work_of(const SearchCell& cell) const {
    return std::make_shared<SearchWork>(cell.form, plan_.engine, large_pages(plan_));
  }

  std::shared_ptr<Work> work_of(const ReplayCell& cell) {
    return std::make_shared<ReplayWork>(*cell.workload, selection_for(cell), block_for(cell.pressure));
  }

  std::shared_ptr<TraceSelection> selection_for(const ReplayCell& cell) {
    SelectionOptions options;
    options.batches = cell.workload->unit == Workload::Unit::slider;
    options.sliders = cell.sliders;
    options.kind = cell.kind;
    if (options.kind) options.kept = pressure_events(cell.pressure);
    options.pieces = cell.workload->needs_pieces;
    options.nodes_only = cell.workload->needs_sliders();
    options.segment_queries = plan_.segment_queries;
    options.piece_queries = std::min(options.piece_queries, options.segment_queries);
    if (cell.pressure.chunk_queries > 0) options.piece_queries = cell.pressure.chunk_queries;
    std::shared_ptr<TraceSelection>& shared =
        selections_[{cell.trace, cell.kind, cell.sliders, options.kept.bits, options.nodes_only, options.batches,
                     options.pieces, options.piece_queries}];
    if (!shared) shared = std::make_shared<TraceSelection>(traces_.at(cell.trace), options);
    return shared;
  }

  std::shared_ptr<PressureBlock> block_for(const Pressure& pressure) {
    if (!pressure.touches() && pressure.instructions == 0) return nullptr;
    std::shared_ptr<PressureBlock>& shared = blocks_[pressure.name];
    if (!shared) shared = std::make_shared<PressureBlock>(pressure, plan_.seed, large_pages(plan_));
    return shared;
  }

  const ProcessRunPlan& plan_;
  std::map<std::string, Trace> traces_;
  std::map<std::tuple<std::string, std::optional<QueryKind>, unsigned, std::uint64_t, bool, bool, bool, std::uint64_t>,
           std::shared_ptr<TraceSelection>>
      selections_;
  std::map<std::string, std::shared_ptr<PressureBlock>> blocks_;
};

/// The contenders of a process run, loaded in random order: a table's place in memory depends on what was loaded before
/// it, and must favour no method. They stay where they are.
std::deque<Contender> load_contenders(const ProcessRunPlan& plan, const ProcessRunSink& sink, Shuffler& random) {
  std::deque<Contender> contenders;
  std::vector<RunModule> modules = plan.modules;
  std::shuffle(modules.begin(), modules.end(), random);
  for (const RunModule& module : modules) {
    auto plugin = std::make_shared<Plugin>(Plugin::open(module.path, CodePages::own));
    advise_table_pages(*plugin, large_pages(plan));
    const Contender& contender = contenders.emplace_back(std::move(plugin), module.role);
    note_contender(contender);
    contender.plugin->initialise();
  }
  const std::string smaps = smaps_of_this_process();
  for (const Contender& contender : contenders) {
    const TablePages pages = table_pages(*contender.plugin, smaps);
    if (pages.bytes > 0) sink.pages({contender.name, large_pages(plan) ? "2m" : "4k", pages});
  }
  contenders.push_back(Contender::clock());
  return contenders;
}

/// How many passes fill a sample, from the quicker of two, the first of which is cold; one, if a pass fills it.
std::uint64_t passes_for(const Contender& contender, Work& work, double sample_ms) {
  if (contender.role != ContenderRole::clock && !work.repeats()) return 1;
  note_contender(contender);
  double best = INFINITY;
  for (int i = 0; i < 2 && best > 0; ++i) {
    const Clock::time_point start = Clock::now();
    pass(contender, work, 0);
    best = std::min(best, milliseconds_since(start));
    if (best >= sample_ms) return 1;
  }
  return static_cast<std::uint64_t>(std::max(1.0, std::ceil(sample_ms / best)));
}

/// Contenders that take turns make as many passes as the median one needs.
void share_passes(std::vector<Task>& tasks) {
  std::vector<std::uint64_t> sorted;
  for (const Task& task : tasks) sorted.push_back(task.passes);
  std::sort(sorted.begin(), sorted.end());
  for (Task& task : tasks) task.passes = sorted[sorted.size() / 2];
}

class ProcessRun {
 public:
  ProcessRun(const ProcessRunPlan& plan, const ProcessRunSink& sink, const std::atomic<bool>& stop)
      : plan_(plan),
        sink_(sink),
        stop_(stop),
        random_(plan.seed * 1000 + plan.process_run),
        contenders_(load_contenders(plan, sink, random_)),
        works_(plan),
        counters_(plan.events.empty() ? EventCounters() : open_hardware_counters(plan.events)) {
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
    for (const auto& [key, count] : counts_) sink_.count(count);
    works_.check_traces();
  }

 private:
  PreparedCell prepare(const Cell& cell) {
    const ReplayCell* replay = cell.replay();
    PreparedCell prepared{cell, works_.make(cell), replay != nullptr && replay->pressure.chunk_queries > 0, {}, {}};
    Work& work = *prepared.work;
    if (work.size(0).queries == 0) {
      const CellText names = names_of(cell);
      throw UserError("trace " + names.trace + " asks nothing of kind '" + names.kinds +
                      "'; nothing can be timed on it");
    }
    prepared.segments = segment_order(work.segments(), plan_.seed);
    const auto left_out = plan_.without.find(cell);
    for (const Contender& contender : contenders_) {
      if (left_out != plan_.without.end() && left_out->second.contains(contender.name)) continue;
      if (contender.role != ContenderRole::clock && !work.takes(contender)) continue;
      if (!takes_part(contender, cell)) continue;
      prepared.tasks.push_back({&contender, passes_for(contender, work, plan_.sample_ms)});
    }
    if (prepared.in_turns) share_passes(prepared.tasks);
    make_pieces(prepared);
    return prepared;
  }

  /// Each round of a run has the next segment. On one for all groups of a turn, the reference and its twin would meet
  /// again what the methods see for the first time, and be faster for it.
  std::size_t segment_of(const PreparedCell& cell, unsigned turn, std::size_t group, std::size_t groups) const {
    const std::size_t place = (std::size_t{plan_.first_round} + turn) * groups + group;
    return cell.segments[place % cell.segments.size()];
  }

  /// Makes what the rounds will take, so that none of them has to.
  void make_pieces(const PreparedCell& cell) const {
    Shuffler any;
    const std::size_t groups = groups_of(cell, plan_.methods_per_round, any).size();
    for (unsigned turn = 0; turn < plan_.rounds; ++turn) {
      for (std::size_t g = 0; g < groups; ++g) cell.work->pieces(segment_of(cell, turn, g, groups));
    }
  }

  /// Every contender once; each group in a round of its own.
  void run_rounds(const PreparedCell& cell, unsigned turn) {
    const std::vector<Group> groups = groups_of(cell, plan_.methods_per_round, random_);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const auto number = static_cast<unsigned>(turn * groups.size() + g);
      const RoundOfRun round{plan_.process_run, number, segment_of(cell, turn, g, groups.size()), plan_.warm_up_ms,
                             counting_in(number)};
      const std::vector<CountedSample> samples = measured(cell, groups[g], round);
      if (stop_) return;
      for (const CountedSample& sample : samples) {
        samples_.push_back(sample.sample);
        take_counts(sample);
      }
    }
  }

  /// The events take turns by rounds, where the PMU has no room for all.
  Counting counting_in(unsigned round) {
    if (!counters_.available()) return {};
    return {&counters_, round % counters_.passes()};
  }

  /// Wrong answers may come of a trace that was written into meanwhile; then that is what is told.
  std::vector<CountedSample> measured(const PreparedCell& cell, const Group& group, const RoundOfRun& round) {
    try {
      return measure_round(cell, group, round, random_);
    } catch (const CheckFailed&) {
      works_.check_traces();
      throw;
    }
  }

  /// Adds what was counted in a sample to the sums of its contender in its cell. The clock runs no method.
  void take_counts(const CountedSample& measured) {
    const Sample& sample = measured.sample;
    if (sample.role == ContenderRole::clock) return;
    for (const CounterReading& reading : measured.counts) {
      if (!reading.value) continue;
      EventCount& count = counts_[{sample.cell, sample.contender, reading.metric}];
      const auto [queries, nodes] = std::pair(count.queries + sample.queries, count.nodes + sample.nodes);
      const std::uint64_t value = count.reading.value.value_or(0) + *reading.value;
      count = {.process_run = plan_.process_run,
               .contender = sample.contender,
               .role = sample.role,
               .method = sample.method,
               .level = sample.level,
               .cell = names_of(sample.cell),
               .queries = queries,
               .nodes = nodes,
               .reading = reading};
      count.reading.value = value;
    }
  }

  const ProcessRunPlan& plan_;
  const ProcessRunSink& sink_;
  const std::atomic<bool>& stop_;
  Shuffler random_;
  const std::deque<Contender> contenders_;  // cells point into it
  WorkMaker works_;
  std::vector<PreparedCell> cells_;
  std::vector<Sample> samples_;  // of the turn under way
  EventCounters counters_;
  std::map<std::tuple<Cell, std::string, std::string>, EventCount> counts_;  // by cell, contender, metric
};

}  // namespace

void measure_process_run(const ProcessRunPlan& plan, const ProcessRunSink& sink, const std::atomic<bool>& stop) {
  ProcessRun(plan, sink, stop).run();
}

}  // namespace slidebench
