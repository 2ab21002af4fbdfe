// SPDX-License-Identifier: MIT
#include "harness/cli/run_session.hpp"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <random>
#include <set>

#include "harness/cachelab/cache_spec.hpp"
#include "harness/cli/ranking.hpp"
#include "harness/cli/run_record.hpp"
#include "harness/cli/run_traces.hpp"
#include "harness/cli/self_process.hpp"
#include "harness/cli/simulation.hpp"
#include "harness/cli/text_output.hpp"
#include "harness/counters/hardware_counters.hpp"
#include "harness/plugin/cpu.hpp"
#include "harness/plugin/gate.hpp"
#include "harness/timing/arm.hpp"
#include "harness/timing/launch.hpp"
#include "harness/trace/errors.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The methods asked for, and the arms that every run has: null, the reference and its twin.
std::vector<Plugin> select_arms(const MethodOptions& options, std::vector<Skipped>& skipped) {
  MethodSelection selection = select_methods(options);
  skipped = std::move(selection.skipped);
  std::vector<Plugin> arms = std::move(selection.methods);
  std::set<std::string> present;
  for (const Plugin& arm : arms) present.insert(arm.id());

  const Isa host = host_isa();
  for (Plugin& plugin : load_folder(plugin_folder(), ModuleRole::timed, host)) {
    const bool always = plugin.id() == "null" || plugin.id() == reference_method;
    if (always && !present.contains(plugin.id()) && plugin.runs_on(host)) arms.push_back(std::move(plugin));
  }
  for (Plugin& plugin : load_folder(plugin_folder(), ModuleRole::twin, host)) {
    if (plugin.runs_on(host)) arms.push_back(std::move(plugin));
  }
  return arms;
}

/// No method is timed before it has passed the gate (with fewer random boards than `slidebench verify`).
void check_methods(std::vector<Plugin>& arms) {
  for (Plugin& arm : arms) {
    if (is_baseline(arm)) continue;
    arm.initialise();
    const GateResult result = verify_method(arm, {.seed = 1, .random_boards = 10'000});
    if (result.counter_example) throw CheckFailed(*result.counter_example);
  }
}

/// Shows on a terminal how far the run is; says nothing elsewhere.
class Progress {
 public:
  Progress(unsigned launches, std::size_t samples) : launches_(launches), total_(samples), visible_(isatty(2) != 0) {}
  ~Progress() {
    if (visible_) std::fprintf(stderr, "\r%*s\r", 60, "");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(unsigned launch, std::size_t done) {
    const auto now = std::chrono::steady_clock::now();
    if (!visible_ || now - shown_ < std::chrono::milliseconds(200)) return;
    shown_ = now;
    const double share = static_cast<double>(done) / static_cast<double>(total_);
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    std::fprintf(stderr, "\rlaunch %u of %u, %3.0f %%, about %.0f s left   ", launch + 1, launches_, 100 * share,
                 share > 0 ? elapsed / share - elapsed : 0.0);
  }

 private:
  unsigned launches_;
  std::size_t total_;
  bool visible_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point shown_;
};

/// Launches the measuring processes and gathers what they print.
class Session {
 public:
  Session(const RunSettings& settings, const std::atomic<bool>& stop) : settings_(settings), stop_(stop) {}

  void run() {
    const fs::path out = settings_.out;
    facts_.settings = settings_;
    facts_.started = utc_now();
    std::vector<Plugin> arms = select_arms(settings_.methods, facts_.skipped);
    check_methods(arms);
    prepare_folder(out, "samples.csv");
    facts_.traces = open_traces({settings_.traces, settings_.random_trace, settings_.seed}, out);
    describe(arms);
    announce(arms.size());

    TextFile rows(out / "samples.csv");
    rows.write(sample_csv_header() + "\n");
    Progress progress(settings_.profile.launches, expected_samples(arms.size()));
    for (unsigned launch = 0; launch < settings_.profile.launches && !stop_; ++launch) {
      run_one(plan_for(launch, arms), rows, progress);
    }
    rows.close();
    facts_.complete = !stop_;
  }

  /// Writes what can be derived from the samples, and prints the ranking.
  void report() {
    const fs::path out = settings_.out;
    facts_.finished = utc_now();
    const std::vector<SummaryRow> summary = summarise(samples_);
    write_file(out / "summary.csv", summary_csv(summary, facts_));
    if (!facts_.counters_available) {
      try {
        simulate_counts();
      } catch (const UserError& error) {
        facts_.not_simulated_reason = error.what();
        std::cerr << "slidebench: no simulated counts either: " << error.what() << "\n";
      }
    }
    write_file(out / "counters.csv", counters_csv(counts_));
    write_file(out / "run.json", run_json(facts_, samples_, summary).dump(2) + "\n");
    std::cout << ranking_text(summary) << "\nResults: " << out.string() << std::endl;
  }

 private:
  /// Without a PMU: what the caches of this machine would do, by simulation, and said to be so in every row.
  void simulate_counts() {
    constexpr std::uint64_t enough_queries = 2'000'000;
    const std::vector<Plugin> twins = traced_twins(settings_.methods, facts_.not_simulated);
    const Experiment experiment{.caches = {parse_cache_system("host")}, .pressure = {}, .max_queries = enough_queries};
    EventCounters published = open_simulated_counters();
    for (const RunTrace& named : facts_.traces) {
      const Trace trace = Trace::open(named.named.path);
      for (const Plugin& twin : twins) {
        const Observation seen = observe(twin, trace, experiment);
        const std::vector<EventCount> rows = event_counts(twin, named.named.name, experiment, seen, published);
        counts_.insert(counts_.end(), rows.begin(), rows.end());
      }
    }
  }

  void describe(const std::vector<Plugin>& arms) {
    for (const Plugin& arm : arms) {
      if (arm.descriptor().role == ModuleRole::twin) continue;
      facts_.methods.push_back(describe_method(arm));
      facts_.method_by_id[arm.id()] = facts_.methods.back();
    }
    const EventCounters counters = open_hardware_counters();
    facts_.counters_available = counters.available();
    facts_.counters_reason = counters.reason();
  }

  std::size_t cells() const { return settings_.workloads.size() * facts_.traces.size(); }

  /// The clock arm comes on top of the modules.
  std::size_t expected_samples(std::size_t modules) const {
    return (modules + 1) * cells() * settings_.profile.rounds * settings_.profile.launches;
  }

  void announce(std::size_t modules) const {
    const double slice_s = (settings_.profile.slice_ms + settings_.profile.warm_up_ms) / 1000;
    std::cerr << "slidebench: " << modules + 1 << " arms in " << cells() << " cells, " << settings_.profile.launches
              << " launches of " << settings_.profile.rounds << " rounds; about "
              << std::lround(static_cast<double>(expected_samples(modules)) * slice_s * 1.2) << " s\n";
    for (const Skipped& s : facts_.skipped) std::cerr << "slidebench: skipped " << s.id << ": " << s.why << "\n";
    if (!facts_.counters_available) {
      std::cerr << "slidebench: no hardware counters: " << facts_.counters_reason << "\n";
    }
  }

  LaunchPlan plan_for(unsigned launch, const std::vector<Plugin>& arms) const {
    LaunchPlan plan;
    plan.launch = launch;
    plan.rounds = settings_.profile.rounds;
    plan.slice_ms = settings_.profile.slice_ms;
    plan.warm_up_ms = settings_.profile.warm_up_ms;
    plan.seed = settings_.seed;
    plan.workloads = settings_.workloads;
    plan.count_events = facts_.counters_available;
    for (const Plugin& arm : arms) plan.modules.push_back(arm.path().string());
    for (const RunTrace& trace : facts_.traces) plan.traces.push_back(trace.named);
    return plan;
  }

  /// A process of its own for every launch: fresh addresses, and an environment of another size, because both move
  /// the stack and the tables, and moving them alone changes times.
  void run_one(const LaunchPlan& plan, TextFile& rows, Progress& progress) {
    std::mt19937_64 random(plan.seed * 77 + plan.launch);
    const std::string padding = "SLIDEBENCH_PADDING=" + std::string(random() % 4096, 'x');
    std::string failure;
    int failure_status = 0;
    const auto take = [&](const std::string& line) {
      const std::size_t space = line.find(' ');
      const std::string kind = line.substr(0, space);
      const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
      if (kind == "sample") {
        rows.write(rest + "\n");
        samples_.push_back(parse_sample(rest));
        progress.show(plan.launch, samples_.size());
      } else if (kind == "count") {
        counts_.push_back(event_count_from_json(json::parse(rest)));
      } else if (kind == "failed") {
        failure_status = rest[0] - '0';
        failure = rest.substr(2);
      }
    };
    const int status = run_self({"run-launch"}, padding, to_json(plan).dump(), take, stop_);
    if (failure_status == 1) throw CheckFailed(failure);
    if (failure_status != 0) throw UserError(failure);
    if (status != 0 && !stop_) throw UserError("a measuring process ended with status " + std::to_string(status));
  }

  const RunSettings& settings_;
  const std::atomic<bool>& stop_;
  RunFacts facts_;
  std::vector<Sample> samples_;
  std::vector<EventCount> counts_;
};

}  // namespace

void run_session(const RunSettings& settings) {
  const std::atomic<bool>& stop = stop_on_interrupt();
  Session session(settings, stop);
  session.run();
  session.report();
  if (stop) throw UserError("interrupted; what was measured is in " + settings.out + ", marked incomplete");
}

void serve_launch() {
  const std::atomic<bool>& stop = stop_on_interrupt();
  const std::string input{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  const LaunchSink sink{
      .sample = [](const Sample& sample) { std::cout << "sample " << to_csv(sample) << std::endl; },
      .count = [](const EventCount& count) { std::cout << "count " << to_json(count).dump() << std::endl; }};
  const auto fail = [](int status, std::string what) {
    std::replace(what.begin(), what.end(), '\n', ' ');
    std::cout << "failed " << status << ' ' << what << std::endl;
  };
  try {
    run_launch(launch_plan_from_json(json::parse(input)), sink, stop);
  } catch (const CheckFailed& error) {
    fail(1, error.what());
  } catch (const std::exception& error) {
    fail(2, error.what());
  }
}

}  // namespace slidebench
