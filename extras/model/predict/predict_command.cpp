// SPDX-License-Identifier: MIT
//
// slidebench predict: the time model from the command line.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <tuple>

#include "extras/model/commands.hpp"
#include "extras/model/ladder/core_costs.hpp"
#include "extras/model/predict/prediction.hpp"
#include "harness/base/csv.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/text_output.hpp"
#include "harness/cli/extra_command.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/cli/shared_options.hpp"
#include "harness/counters/instruction_mix.hpp"
#include "harness/plugin/cpu.hpp"
#include "harness/plugin/method_selection.hpp"
#include "harness/plugin/workload.hpp"
#include "harness/run/emulated_times.hpp"
#include "harness/run/inputs.hpp"
#include "harness/run/simulation.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;

struct PredictSettings {
  MethodOptions methods;
  std::vector<std::string> traces;
  std::vector<std::string> pressures{"isolated"};
  std::vector<std::string> pages{"4k"};
  std::string ladder;
  std::string computed;
  std::string loops;
  std::uint64_t seed = 1;
  std::string out;
};

constexpr const char* predicted_workloads[] = {"throughput", "latency"};

/// The columns of predicted.csv. Times are in ns per query: ahead_ns is of reads that do not wait for the occupancy,
/// chain_ns of those that do, and computed_ns was measured with everything in the first level; low and high are by the
/// ladder's quartiles.
constexpr const char* columns =
    "method,trace,workload,kinds,pressure,pages,corunners,predicted_ns,predicted_low,predicted_high,ahead_ns,chain_ns,"
    "missing_reads,computed_ns,instructions_per_query,mispredicted_per_query,misprediction_ns,reads_in_flight,"
    "window_instructions\n";

/// The times of a run. Of one with --segment-queries 256: what is computed, with all tables in the first level.
class RunTimes {
 public:
  explicit RunTimes(const std::string& folder) : path_((fs::path(folder) / "summary.csv").string()) {
    try {
      CsvReader<6> csv(path_);
      csv.read_header(io::ignore_extra_column, "contender", "workload", "kinds", "trace", "pressure", "ns_per_query");
      std::string contender, workload, kinds, trace, pressure, ns;
      while (csv.read_row(contender, workload, kinds, trace, pressure, ns)) {
        if (kinds == "all" && !ns.empty()) times_[{contender, workload, trace, pressure}] = std::stod(ns);
      }
    } catch (const std::exception& error) {
      throw UserError(path_ + ": no summary of a run: " + error.what());
    }
  }

  double of(const std::string& contender, const std::string& workload, const std::string& trace,
            const std::string& pressure) const {
    const auto found = times_.find({contender, workload, trace, pressure});
    if (found != times_.end()) return found->second;
    throw UserError(path_ + ": lacks " + workload + " of " + contender + " on trace " + trace + " under " + pressure +
                    "; measure it with slidebench run --segment-queries 256");
  }

 private:
  std::string path_;
  std::map<std::tuple<std::string, std::string, std::string, std::string>, double> times_;
};

/// The other work of a pressure without its touches, as a pressure's specification.
std::string work_alone(const Pressure& pressure) {
  return pressure.instructions == 0 ? "isolated" : std::to_string(pressure.instructions) + "/query";
}

/// The first nodes of a trace.
TraceBlock beginning_of(const Trace& trace, std::uint32_t nodes) {
  TraceBlock block = trace.blocks().front();
  block.nodes = std::min(block.nodes, nodes);
  block.queries = 0;
  for (std::uint32_t node = 0; node < block.nodes; ++node) block.queries += queries_in(block.runs[node]);
  return block;
}

InstructionMix executed_on(const Plugin& timed, const TraceBlock& block) {
  const ReplayKernel kernel = timed.descriptor().replay.throughput.alone;
  return instruction_mix([&] {
    const std::uint64_t sum = kernel(block);
    asm volatile("" : : "r"(sum));
  });
}

/// In the throughput kernel, a query.
struct Executed {
  double instructions = 0;  ///< the loop's own with them
  double mispredicted = 0;  ///< without the loop's own
};

/// What methods execute on one trace. Only a method with branches beyond those of the empty loop can have any
/// mispredicted, and only then is it stepped through far enough for the simulated predictor to learn them.
class ExecutedOn {
 public:
  ExecutedOn(const Trace& trace, const Plugin& empty)
      : few_(beginning_of(trace, 200)),
        learning_(beginning_of(trace, 1'000)),
        learnt_(beginning_of(trace, 2'000)),
        empty_(empty),
        loop_branches_(executed_on(empty, few_).branches) {}

  Executed of(const Plugin& timed) {
    const InstructionMix mix = executed_on(timed, few_);
    Executed executed{static_cast<double>(mix.instructions) / std::max(1u, few_.queries), 0};
    if (mix.branches <= loop_branches_ + few_.queries / 100) return executed;
    if (!loop_mispredicted_) loop_mispredicted_ = mispredicted_once_learnt(empty_);
    executed.mispredicted = std::max(0.0, mispredicted_once_learnt(timed) - *loop_mispredicted_);
    return executed;
  }

 private:
  /// A query, in the nodes behind those from which the predictor has learnt.
  double mispredicted_once_learnt(const Plugin& method) const {
    const double queries = std::max(1u, learnt_.queries - learning_.queries);
    return static_cast<double>(executed_on(method, learnt_).mispredicted -
                               executed_on(method, learning_).mispredicted) /
           queries;
  }

  TraceBlock few_, learning_, learnt_;
  const Plugin& empty_;
  std::uint64_t loop_branches_;
  std::optional<double> loop_mispredicted_;
};

CostBand read_costs(const std::string& path) {
  const LadderBand ladder = read_ladder(path);
  return {ReadCosts(ladder.low), ReadCosts(ladder.median), ReadCosts(ladder.high)};
}

/// Some segments, evenly spread.
std::vector<Segment> some_of(std::span<const Segment> segments) {
  constexpr std::size_t most = 4;
  std::vector<Segment> some;
  const std::size_t taken = std::min(most, segments.size());
  for (std::size_t i = 0; i < taken; ++i) some.push_back(segments[i * segments.size() / taken]);
  return some;
}

class Predictions {
 public:
  explicit Predictions(const PredictSettings& settings)
      : settings_(settings), computed_(settings.computed), costs_(read_costs(settings.ladder)) {
    if (!settings.loops.empty()) loops_.emplace(settings.loops);
    for (const std::string& text : settings.pressures) {
      pressures_.push_back(parse_pressure(text));
      if (pressures_.back().chunk_queries > 0) {
        throw UserError("pressure '" + text + "' lets methods cool each other's tables; the model is of one method");
      }
    }
  }

  void run() {
    const fs::path out = settings_.out;
    traced_ = traced_twins(settings_.methods, skipped_);
    timed_ = methods_named(load_all_methods(settings_.methods), ids());
    for (Plugin& method : timed_) method.initialise();
    MethodOptions loop;
    loop.methods = {"empty"};
    empty_ = std::move(select_methods(loop).methods);
    const std::vector<RunTrace> traces = open_traces(settings_.traces);
    const FolderLock lock = prepare_folder(out, "predicted.csv");
    const MemoryOverlap overlap = measure_overlap(settings_.seed);
    bounds_ = {.window_instructions = overlap.instructions, .reads_in_flight = overlap.reads};
    misprediction_ns_ = measure_misprediction_ns(settings_.seed);
    std::fprintf(stderr, "slidebench: %.1f reads in flight, %.0f instructions, %.1f ns a misprediction\n",
                 bounds_.reads_in_flight, bounds_.window_instructions, misprediction_ns_);
    for (const RunTrace& named : traces) predict_on(named.named.name, Trace::open(named.named.path));
    write_file(out / "predicted.csv", table_);
    for (const Skipped& skipped : skipped_)
      std::cerr << "slidebench: skipped " << skipped.id << ": it " << skipped.why << "\n";
    std::cout << "Predicted, not measured: " << (out / "predicted.csv").string() << std::endl;
  }

 private:
  std::vector<std::string> ids() const {
    std::vector<std::string> ids;
    for (const Plugin& method : traced_) ids.push_back(method.id());
    return ids;
  }

  void predict_on(const std::string& name, const Trace& trace) {
    TraceSelection selection(trace, {});
    ExecutedOn counted(trace, empty_.front());
    for (const Plugin& traced : traced_) {
      const Plugin& timed =
          *std::find_if(timed_.begin(), timed_.end(), [&](const Plugin& method) { return method.id() == traced.id(); });
      const Executed executed = counted.of(timed);
      for (const std::string& pages : settings_.pages) {
        const ProfiledSegments segments = profile(traced, some_of(selection.segments()), pages == "2m");
        for (const Pressure& pressure : pressures_) {
          const PressedQueries queries(segments, pressure, costs_);
          for (const char* workload : predicted_workloads) {
            add_row(traced.id(), name, workload, pressure, pages, queries, executed);
          }
        }
      }
    }
  }

  Computation computation(const std::string& id, const std::string& trace, const Pressure& pressure,
                          const Executed& executed) const {
    const std::string work = work_alone(pressure);
    const bool also_chained = pressure.instructions == 0;
    const double mispredicted_ns = executed.mispredicted * misprediction_ns_;
    return {.throughput_ns = computed_.of(id, "throughput", trace, work) + mispredicted_ns,
            .latency_ns = also_chained ? computed_.of(id, "latency", trace, work) + mispredicted_ns : 0,
            .instructions = executed.instructions + pressure.instructions};
  }

  /// What the touches of a pressure take a query: all that the empty loop takes longer.
  std::optional<double> touches_ns(const std::string& workload, const std::string& trace,
                                   const Pressure& pressure) const {
    if (!loops_ || !pressure.touches()) return std::nullopt;
    return loops_->of("empty", workload, trace, pressure.name) -
           computed_.of("empty", workload, trace, work_alone(pressure));
  }

  void add_row(const std::string& id, const std::string& trace, const std::string& workload, const Pressure& pressure,
               const std::string& pages, const PressedQueries& queries, const Executed& executed) {
    const bool chained = workload == "latency";
    if (chained && pressure.instructions != 0) return;  // other work belongs to queries that do not wait
    const Computation own = computation(id, trace, pressure, executed);
    const PredictedTime time = queries.time(own, chained, bounds_, touches_ns(workload, trace, pressure));
    const MeanCost waits = queries.mean_cost();
    const std::array<std::string, 7> cell{id, trace, workload, "all", pressure.name, pages, "0"};
    const std::array figures{time.median,
                             time.low,
                             time.high,
                             waits.ahead_ns,
                             waits.chain_ns,
                             waits.missing_reads,
                             chained ? own.latency_ns : own.throughput_ns,
                             executed.instructions,
                             executed.mispredicted,
                             misprediction_ns_,
                             bounds_.reads_in_flight,
                             bounds_.window_instructions};
    table_ += joined(cell, ",", csv_cell) + "," + joined(figures, ",", significant) + "\n";
  }

  const PredictSettings& settings_;
  RunTimes computed_;
  std::optional<RunTimes> loops_;
  CostBand costs_;
  std::vector<Pressure> pressures_;
  std::vector<Skipped> skipped_;
  std::vector<Plugin> traced_, timed_, empty_;
  OverlapBounds bounds_;
  double misprediction_ns_ = 0;
  std::string table_ = columns;  ///< predicted.csv
};

}  // namespace

void add_predict_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("predict", extra_description("predict"));
  auto settings = std::make_shared<PredictSettings>();
  command->add_option("--trace", settings->traces, "A trace to replay; may be repeated")->type_name("FILE")->required();
  add_method_options(*command, settings->methods);
  command->add_option("--ladder", settings->ladder, "What slidebench ladder --format csv wrote")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--computed", settings->computed,
                   "A run with --segment-queries 256: what the methods take with everything in the first level")
      ->type_name("DIR")
      ->required();
  command
      ->add_option("--loops", settings->loops,
                   "A run of the same traces and pressures: how long its empty loop takes says how long touches take")
      ->type_name("DIR");
  command->add_option("--pressure", settings->pressures, "What the engine touches in between; may be repeated")
      ->type_name("PRESSURE");
  command->add_option("--pages", settings->pages, "Pages of the large tables: 4k or 2m; may be repeated")
      ->check(CLI::IsMember({"4k", "2m"}));
  seeds(command->add_option("--seed", settings->seed, "Seed of the chases"))->capture_default_str();
  command->add_option("--out", settings->out, "Folder for predicted.csv; must not hold one yet")
      ->type_name("DIR")
      ->required();
  command->footer(
      "Nothing is fitted to any method: extras/README.md states the model.\n\n"
      "Example:\n  slidebench ladder --pages 4k --pages 2m --format csv --out ladder.csv\n"
      "  slidebench run --trace search.trace --segment-queries 256 --workload throughput\n"
      "    --workload latency --pressure isolated --out computed\n"
      "  slidebench predict --trace search.trace --ladder ladder.csv --computed computed --pressure isolated\n"
      "    --pressure nnue --out predicted");
  command->callback([settings] {
    check_processor();
    Predictions(*settings).run();
  });
}

}  // namespace slidebench
