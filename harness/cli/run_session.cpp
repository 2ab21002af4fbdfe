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
#include "harness/cli/corunner.hpp"
#include "harness/cli/ranking.hpp"
#include "harness/cli/run_cells.hpp"
#include "harness/cli/run_record.hpp"
#include "harness/cli/run_traces.hpp"
#include "harness/cli/self_process.hpp"
#include "harness/cli/simulation.hpp"
#include "harness/cli/text_output.hpp"
#include "harness/counters/hardware_counters.hpp"
#include "harness/plugin/cpu.hpp"
#include "harness/plugin/gate.hpp"
#include "harness/timing/arm.hpp"
#include "harness/timing/cpu_binding.hpp"
#include "harness/timing/launch.hpp"
#include "harness/trace/errors.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The methods asked for, and the arms that every run has: null, the reference, its twin and its control.
std::vector<Plugin> select_arms(const MethodOptions& options, std::vector<Skipped>& skipped) {
  MethodSelection selection = select_methods(options);
  skipped = std::move(selection.skipped);
  std::vector<Plugin> arms = std::move(selection.methods);
  std::set<std::string> present;
  for (const Plugin& arm : arms) present.insert(arm.id());

  const Isa host = host_isa();
  for (Plugin& plugin : load_folder(plugin_folder(), ModuleRole::timed, host)) {
    const bool always = plugin.id() == "empty" || plugin.id() == reference_method;
    if (always && !present.contains(plugin.id()) && plugin.runs_on(host)) arms.push_back(std::move(plugin));
  }
  for (const ModuleRole role : {ModuleRole::twin, ModuleRole::control}) {
    for (Plugin& plugin : load_folder(plugin_folder(), role, host)) {
      if (plugin.runs_on(host)) arms.push_back(std::move(plugin));
    }
  }
  return arms;
}

/// An arm's builds at other addresses, the plain one first.
using Layouts = std::vector<std::string>;

Layouts layouts_of(const Plugin& arm) {
  Layouts paths{arm.path().string()};
  const auto level = arm.descriptor().level;
  for (std::uint32_t layout = 1;; ++layout) {
    std::vector<Plugin> others = load_folder(arm.path().parent_path(), arm.descriptor().role, host_isa(), layout);
    if (others.empty()) return paths;
    for (const Plugin& other : others) {
      if (other.id() == arm.id() && other.descriptor().level == level) paths.push_back(other.path().string());
    }
  }
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
    const bool replays = replays_traces(settings_);
    if (replays || !settings_.traces.empty()) {
      facts_.traces = open_traces({settings_.traces, settings_.random_trace && replays, settings_.seed}, out);
    }
    describe(arms);
    find_modules(arms);
    announce();

    TextFile rows(out / "samples.csv");
    rows.write(sample_csv_header() + "\n");
    const std::vector<LaunchCircumstances> circumstances = circumstances_of(settings_);
    Progress progress(launches(), expected_slices());
    for (unsigned launch = 0; launch < launches() && !stop_; ++launch) {
      // Circumstances take turns too, so that what drifts drifts through all of them.
      run_one(launch, circumstances[launch % circumstances.size()], rows, progress);
    }
    rows.close();
    facts_.complete = !stop_;
  }

  /// Writes what can be derived from the samples, and prints the ranking.
  void report() {
    const fs::path out = settings_.out;
    facts_.finished = utc_now();
    const RunResults results = derive_results(samples_);
    write_file(out / "summary.csv", summary_csv(results.summary, facts_));
    write_file(out / "correlations.csv", correlations_csv(results));
    write_file(out / "crossings.csv", crossings_csv(results));
    if (!facts_.counters_available) {
      try {
        simulate_counts();
      } catch (const UserError& error) {
        facts_.not_simulated_reason = error.what();
        std::cerr << "slidebench: no simulated counts either: " << error.what() << "\n";
      }
    }
    write_file(out / "counters.csv", counters_csv(counts_));
    write_file(out / "run.json", run_json(facts_, samples_, results).dump(2) + "\n");
    std::cout << ranking_text(results.summary) << correlations_text(results.correlations, results.reliabilities)
              << checks_text(results.checks) << "\nResults: " << out.string() << std::endl;
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

  unsigned launches() const {
    return settings_.profile.launches * static_cast<unsigned>(circumstances_of(settings_).size());
  }

  /// The clock arm comes on top of the modules.
  std::size_t arms() const { return modules_.size() + 1; }

  /// Slices of the whole run; a few less where the control takes no part.
  std::size_t expected_slices() const {
    const std::size_t cells = cells_of(settings_, facts_.traces, circumstances_of(settings_).front()).size();
    return arms() * cells * settings_.profile.rounds * launches();
  }

  /// About how long the run takes, with a fifth for starting, and without the evaluation at its end.
  double expected_seconds() const {
    double seconds = 0;
    for (const LaunchCircumstances& circumstances : circumstances_of(settings_)) {
      for (const Cell& cell : cells_of(settings_, facts_.traces, circumstances)) {
        seconds += slice_seconds(cell, settings_);
      }
    }
    return 1.2 * seconds * static_cast<double>(arms()) * settings_.profile.rounds * settings_.profile.launches;
  }

  void announce() const {
    const std::size_t cells = cells_of(settings_, facts_.traces, circumstances_of(settings_).front()).size();
    std::cerr << "slidebench: " << arms() << " arms in " << cells << " cells, " << launches() << " launches of "
              << settings_.profile.rounds << " rounds; about " << std::lround(expected_seconds()) << " s\n";
    for (const Skipped& s : facts_.skipped) std::cerr << "slidebench: skipped " << s.id << ": " << s.why << "\n";
    if (!facts_.counters_available) {
      std::cerr << "slidebench: no hardware counters: " << facts_.counters_reason << "\n";
    }
    if (settings_.profile.vary_layout && modules_.front().size() == 1) {
      std::cerr << "slidebench: this build has one code layout; configure with -DSLIDEBENCH_LAYOUTS=4 to vary it\n";
    }
  }

  void find_modules(const std::vector<Plugin>& arms) {
    for (const Plugin& arm : arms) {
      modules_.push_back(settings_.profile.vary_layout ? layouts_of(arm) : Layouts{arm.path().string()});
    }
  }

  LaunchPlan plan_for(unsigned launch, const LaunchCircumstances& circumstances) const {
    LaunchPlan plan;
    plan.launch = launch;
    plan.rounds = settings_.profile.rounds;
    plan.slice_ms = settings_.profile.slice_ms;
    plan.warm_up_ms = settings_.profile.warm_up_ms;
    plan.seed = settings_.seed;
    plan.cells = cells_of(settings_, facts_.traces, circumstances);
    plan.engine = settings_.engine;
    plan.count_events = facts_.counters_available;
    std::mt19937_64 random(plan.seed * 131 + launch);
    for (const Layouts& layouts : modules_) plan.modules.push_back(layouts[draw(random, layouts.size())]);
    for (const RunTrace& trace : facts_.traces) plan.traces.push_back(trace.named);
    return plan;
  }

  /// A process of its own for every launch: fresh addresses, and an environment of another size, because both move
  /// the stack and the tables, and moving them alone changes times.
  void run_one(unsigned launch, const LaunchCircumstances& circumstances, TextFile& rows, Progress& progress) {
    const LaunchPlan plan = plan_for(launch, circumstances);
    const Corunners beside(circumstances.corunners);
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
      } else if (kind == "pages") {
        keep(page_report_from_json(json::parse(rest)));
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

  /// One report an arm and page mode: the worst of all launches.
  void keep(const PageReport& report) {
    const bool large = report.pages == "2m";
    for (PageReport& known : facts_.pages) {
      if (known.arm != report.arm || known.pages != report.pages) continue;
      if ((report.tables.large_bytes < known.tables.large_bytes) == large) known = report;
      return;
    }
    facts_.pages.push_back(report);
  }

  const RunSettings& settings_;
  const std::atomic<bool>& stop_;
  RunFacts facts_;
  std::vector<Layouts> modules_;  ///< one entry an arm
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
  bind_to_measuring_cpu();
  const std::atomic<bool>& stop = stop_on_interrupt();
  const std::string input{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  const LaunchSink sink{
      .sample = [](const Sample& sample) { std::cout << "sample " << to_csv(sample) << std::endl; },
      .count = [](const EventCount& count) { std::cout << "count " << to_json(count).dump() << std::endl; },
      .pages = [](const PageReport& report) { std::cout << "pages " << to_json(report).dump() << std::endl; }};
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
