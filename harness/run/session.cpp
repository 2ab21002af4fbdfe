// SPDX-License-Identifier: MIT
#include "harness/run/session.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <random>

#include "harness/answer/answer.hpp"
#include "harness/answer/answer_text.hpp"
#include "harness/answer/run_folder.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/ordered_jobs.hpp"
#include "harness/base/self_process.hpp"
#include "harness/base/terminal.hpp"
#include "harness/base/text_output.hpp"
#include "harness/base/version.hpp"
#include "harness/counters/hardware_counters.hpp"
#include "harness/measure/process_run.hpp"
#include "harness/measure/trace_selection.hpp"
#include "harness/platform/cpu_binding.hpp"
#include "harness/platform/machine.hpp"
#include "harness/plugin/crash_report.hpp"
#include "harness/run/cells.hpp"
#include "harness/run/contenders.hpp"
#include "harness/run/corunner.hpp"
#include "harness/run/decisions.hpp"
#include "harness/run/emulated_times.hpp"
#include "harness/run/inputs.hpp"
#include "harness/run/progress.hpp"
#include "harness/run/record.hpp"
#include "harness/run/simulation.hpp"
#include "harness/simulator/cache_spec.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Steps of a script that come before those of the run, which says so in SLIDEBENCH_STEPS_BEFORE; 0 without a script.
int steps_before() {
  const char* const said = std::getenv("SLIDEBENCH_STEPS_BEFORE");
  return said == nullptr ? 0 : std::max(0, std::atoi(said));
}

/// Process runs the measuring processes and gathers what they print.
class Session {
 public:
  /// @param resumed  the journal of the run to be continued; absent: a new one
  Session(const RunSettings& settings, std::optional<RunJournal> resumed, const std::atomic<bool>& stop)
      : settings_(settings), journal_(std::move(resumed)), stop_(stop) {}

  void run() {
    const fs::path out = settings_.out;
    facts_.settings = settings_;
    const bool replays = replays_traces(settings_);
    const TraceChoice choice{settings_.traces, settings_.random_trace && replays, settings_.seed};
    if (!journal_) check_folder(out, "samples.csv");
    if (replays || !settings_.traces.empty()) facts_.traces = open_traces(choice);
    check_cells(choice.random);
    facts_.pinned = bind_elsewhere();
    std::vector<Plugin> contenders = select_contenders(settings_.methods, facts_.skipped);
    methods_ =
        static_cast<std::size_t>(std::count_if(contenders.begin(), contenders.end(), [](const Plugin& contender) {
          return !is_baseline(contender) && contender.descriptor().role == ModuleRole::timed;
        }));
    announce_check();
    check_methods(contenders);
    if (!journal_) lock_ = prepare_folder(out, "samples.csv");
    add_random_trace(choice, out, facts_.traces);
    describe(contenders);
    find_modules(contenders);
    facts_.warnings = unlike_contenders(contenders, modules_);
    for (const std::string& note : emulator_notes()) facts_.warnings.push_back(note);
    const RunIdentity identity = identify();
    if (journal_) {
      journal_->check_same(identity);
      recover(*journal_);
    } else {
      facts_.started = identity.started;
      journal_.emplace(out, identity);
      write_file(out / "samples.csv", sample_csv_header() + "\n", Durability::synced);
    }
    announce();
    measure();
  }

  /// Writes what can be derived from the samples, and prints the answer.
  void report() {
    const fs::path out = settings_.out;
    facts_.finished = utc_now();
    const RunResults results = derive_results(samples_, protocol_of(settings_), facts_);
    write_tables(out, results, facts_);
    try {
      simulate_counts();
    } catch (const CannotWrite&) {
      throw;  // the journal stays, and --resume comes back to here
    } catch (const UserError& error) {
      facts_.not_simulated_reason = error.what();
      std::cerr << "slidebench: no simulated counts: " << error.what() << "\n";
    }
    write_file(out / "counters.csv", counters_csv(counts_));
    sync_files_in(out);  // run.json says that they are whole
    write_file(out / "run.json", run_json(facts_, samples_, results).dump(2) + "\n", Durability::synced);
    if (!results.summary.empty()) answer();
    if (facts_.complete && nothing_left()) journal_->remove();
  }

 private:
  RunIdentity identify() const {
    json traces = json::object();
    for (const RunTrace& trace : facts_.traces) traces[trace.named.name] = trace.description.at("xxh3");
    const json machine = describe_machine();
    json same = json::object();  // the kernel or the load may have changed
    for (const char* key : {"cpu", "family", "model", "stepping", "cores", "caches", "memory_bytes"}) {
      same[key] = machine.at(key);
    }
    return {.command = settings_.command_line,
            .folder = fs::current_path().string(),
            .started = utc_now(),
            .build = {{"commit", git_commit()}, {"compiler", compiler_name()}, {"modules", module_digests(modules_)}},
            .machine = same,
            .traces = traces};
  }

  /// From the files, so that `slidebench show` says the same.
  void answer() const {
    const fs::path out = settings_.out;
    const RunFolder written = read_run_folder(out);
    const Answer answer = make_answer(written.rows, written.record);
    write_file(out / "answer.json", answer_json(written, answer).dump(2) + "\n", Durability::synced);
    if (steps_before() > 0) return;  // the script has more to do, and prints the answer at its end
    std::cout << "\n"
              << answer_text(written, answer, output_ink(), columns_of(STDOUT_FILENO)) << "More: slidebench show "
              << out.string() << " --all; words: slidebench help glossary\n"
              << "Page: " << (out / "index.html").string() << ", by scripts/report.py " << out.string() << std::endl;
  }

  void recover(const RunJournal& journal) {
    facts_.started = journal.identity().started;
    samples_ = recover_samples(settings_.out, journal);
    for (const ProcessRunRecord& record : journal.process_runs()) take(record);
  }

  void take(const ProcessRunRecord& record) {
    seconds_ += record.seconds;
    counts_.insert(counts_.end(), record.counts.begin(), record.counts.end());
    for (const PageReport& report : record.pages) keep(report);
    if (record.missing.empty()) return;
    facts_.missing.push_back({record.process_run, record.missing});
    facts_.warnings.push_back("process run " + std::to_string(record.process_run) + " is missing: twice its process " +
                              record.missing);
  }

  void measure() {
    TextFile rows(fs::path(settings_.out) / "samples.csv", true);
    RunProgress progress;
    const double before = seconds_;
    if (settings_.until_decided) decide();
    for (auto process_run = static_cast<unsigned>(journal_->process_runs().size()); !stop_; ++process_run) {
      const std::optional<ProcessRunPlan> plan = next_plan(process_run, settings_.max_seconds - (seconds_ - before));
      if (!plan) break;
      const auto start = std::chrono::steady_clock::now();
      ProcessRunRecord record = run_or_leave_out(*plan, rows, progress);
      record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (stop_) break;  // this process run is to be measured again
      take(record);
      rows.sync();  // before the journal says that they are there
      journal_->append(record);
      check_alive();
      if (!settings_.until_decided) continue;
      decide();
      progress.show_decisions(process_run, decisions_, record.seconds, settings_.max_seconds - (seconds_ - before));
    }
    rows.close();
    facts_.complete = !stop_;
  }

  /// Two process runs in a row that did not come back: the third will not either.
  void check_alive() const {
    const std::vector<ProcessRunRecord>& done = journal_->process_runs();
    if (done.size() < 2 || done.back().missing.empty() || done[done.size() - 2].missing.empty()) return;
    throw UserError("process runs " + std::to_string(done.size() - 2) + " and " + std::to_string(done.size() - 1) +
                    " are missing: their processes " + done.back().missing +
                    "; is there enough memory? slidebench run --resume " + settings_.out + " goes on with the others");
  }

  void decide() { decisions_.update(sort_into_cells(samples_), protocol_of(settings_)); }

  bool nothing_left() const { return !settings_.until_decided || decisions_.open_text(1).empty(); }

  /// What is to be measured next; nothing if the run is done.
  std::optional<ProcessRunPlan> next_plan(unsigned process_run, double seconds_left) const {
    const std::vector<ProcessRunCircumstances> all = circumstances_of(settings_);
    if (!settings_.until_decided) {
      if (process_run >= process_runs()) return std::nullopt;
      return plan_for(process_run, all[process_run % all.size()]);
    }
    if (seconds_left <= 0) return std::nullopt;
    for (std::size_t i = 0; i < all.size(); ++i) {
      ProcessRunPlan plan = plan_for(process_run, all[(process_run + i) % all.size()]);
      std::erase_if(plan.cells, [this](const Cell& cell) { return !decisions_.is_open(cell); });
      for (const Cell& cell : plan.cells) plan.without[cell] = decisions_.decided_in(cell);
      if (!plan.cells.empty()) return plan;
    }
    return std::nullopt;
  }

  /// What the caches of this machine would do, by simulation, and said to be so in every row: beside what the hardware
  /// counted, or in its place. Also misses for every cache size (mrc.csv), and by square.
  void simulate_counts() {
    constexpr std::uint64_t enough_queries = 2'000'000;
    const fs::path out = settings_.out;
    MethodOptions methods = settings_.methods;
    if (!methods.methods.empty()) methods.methods.emplace_back(reference_method);  // every run has it
    const std::vector<Plugin> twins = traced_twins(methods, facts_.not_simulated);
    const auto methods_there =
        std::count_if(twins.begin(), twins.end(), [](const Plugin& p) { return !is_baseline(p); });
    if (!facts_.traces.empty()) {
      announce_step(3, "report",
                    "what the caches of this CPU do, simulated with " + std::to_string(methods_there) + " methods");
    }
    RunProgress progress;
    std::size_t done = 0;
    Experiment experiment{.caches = {parse_cache_system("host")}, .pressure = {}};
    EventCounters published = open_simulated_counters();
    TextFile mrc(out / "mrc.csv"), squares(out / "squares.csv");
    mrc.write(mrc_csv_header());
    squares.write(squares_csv_header());
    for (const RunTrace& named : facts_.traces) {
      const Trace trace = Trace::open(named.named.path);
      experiment.reuse = !named.is_random;  // its curves would tell nothing of a game
      TraceSelection selection(trace, {});
      const std::span<const Segment> segments = first_segments(selection.segments(), enough_queries);
      in_order(
          twins.size(), all_processors(), [&](std::size_t i) { return observe(twins[i], segments, experiment); },
          [&](std::size_t i, const Observation& seen) {
            progress.show("simulated", ++done, twins.size() * facts_.traces.size());
            const std::vector<EventCount> rows = event_counts(twins[i], named.named.name, experiment, seen, published);
            counts_.insert(counts_.end(), rows.begin(), rows.end());
            if (!experiment.reuse) return;
            mrc.write(mrc_csv(twins[i].id(), named.named.name, seen));
            squares.write(squares_csv(twins[i].id(), named.named.name, experiment, seen));
          });
      trace.check_unchanged();
    }
    mrc.close(), squares.close();
  }

  /// Without sliders there are no sets and no batches: says so, and refuses a run that would do nothing else.
  /// @param random  whether a random trace, which has sliders, will be added
  void check_cells(bool random) const {
    const std::string without = left_out_without_sliders(settings_, facts_.traces);
    if (!random && cells_of(settings_, facts_.traces, circumstances_of(settings_).front()).empty()) {
      throw UserError("nothing to measure: no " + without + ", which has no sliders; add another workload or trace");
    }
    if (!without.empty()) {
      std::cerr << "slidebench: no " << without << ": no sliders in it, as in every imported log\n";
    }
  }

  void describe(const std::vector<Plugin>& contenders) {
    for (const Plugin& contender : contenders) {
      if (contender.descriptor().role == ModuleRole::twin) continue;
      facts_.methods.push_back(describe_method(contender));
      facts_.method_by_id[contender.id()] = facts_.methods.back();
    }
    const EventCounters counters = open_hardware_counters();
    facts_.counters_available = counters.available();
    facts_.counters_reason = counters.reason();
  }

  unsigned process_runs() const {
    return settings_.profile.process_runs * static_cast<unsigned>(circumstances_of(settings_).size());
  }

  /// The clock contender comes on top of the modules.
  std::size_t contenders() const { return modules_.size() + 1; }

  /// Slices in which every contender of a cell is timed once; the reference and its twin join every group of methods.
  std::size_t slices_in(const Cell& cell) const {
    constexpr std::size_t always = 4, with_state = 4;
    if (!cell_is_judged(cell)) return with_state;
    const std::size_t methods = contenders() - std::min(contenders(), always);
    const std::size_t most = settings_.methods_a_round;
    const std::size_t groups = methods <= most ? 0 : (methods + most - 1) / most;
    return contenders() + 2 * groups;
  }

  /// Slices of the whole run; a few less where the control takes no part.
  std::size_t expected_slices() const {
    std::size_t slices = 0;
    for (const ProcessRunCircumstances& circumstances : circumstances_of(settings_)) {
      for (const Cell& cell : cells_of(settings_, facts_.traces, circumstances)) slices += slices_in(cell);
    }
    return slices * settings_.profile.rounds * settings_.profile.process_runs;
  }

  /// About how long the run takes, without the evaluation at its end: to load the modules and find out how many passes
  /// fill a slice takes a process run as long as half a round.
  double expected_seconds() const {
    double seconds = 0;
    for (const ProcessRunCircumstances& circumstances : circumstances_of(settings_)) {
      for (const Cell& cell : cells_of(settings_, facts_.traces, circumstances)) {
        seconds += slice_seconds(cell, settings_) * static_cast<double>(slices_in(cell));
      }
    }
    return seconds * (settings_.profile.rounds + 0.5) * settings_.profile.process_runs;
  }

  static void announce_step(int number, const std::string& name, const std::string& what) {
    const int before = steps_before();
    const std::string step = "Step " + std::to_string(before + number) + "/" + std::to_string(before + 3);
    std::cout << output_ink().strong(step) << "  " << name << " " << what << std::endl;
  }

  void announce_check() const {
    const std::size_t skipped = facts_.skipped.size();
    announce_step(1, "check",
                  "the answers of " + std::to_string(methods_) + " methods" +
                      (skipped > 0 ? "; " + std::to_string(skipped) + " cannot run on this CPU" : ""));
  }

  void announce() const {
    const std::size_t cells = cells_of(settings_, facts_.traces, circumstances_of(settings_).front()).size();
    std::string what = std::to_string(methods_) + " methods in " + std::to_string(cells) + " situations, ";
    const std::string rounds = std::to_string(settings_.profile.rounds) + " rounds";
    if (settings_.until_decided) {
      what += "process runs of " + rounds + " until all are decided, at most " + duration_text(settings_.max_seconds);
    } else {
      what += std::to_string(process_runs()) + " process runs of " + rounds + ": about " +
              duration_text(expected_seconds());
    }
    announce_step(2, "measure", what);
    if (!settings_.methods.plugins.empty()) {  // others know how theirs were built; run.json has it of every run
      for (const std::string& note : facts_.warnings) std::cerr << "slidebench: " << note << "\n";
    }
    if (settings_.profile.vary_placement && modules_.front().size() == 1) {
      std::cerr
          << "slidebench: this build has one code placement; configure with -DSLIDEBENCH_PLACEMENTS=4 to vary it\n";
    }
  }

  void find_modules(const std::vector<Plugin>& contenders) {
    for (const Plugin& contender : contenders) {
      modules_.push_back(settings_.profile.vary_placement ? placements_of(contender)
                                                          : Placements{contender.path().string()});
    }
  }

  ProcessRunPlan plan_for(unsigned process_run, const ProcessRunCircumstances& circumstances) const {
    ProcessRunPlan plan;
    plan.process_run = process_run;
    plan.rounds = settings_.profile.rounds;
    // Circumstances take turns, so that what drifts drifts through all of them.
    plan.first_round = std::uint64_t{process_run} / circumstances_of(settings_).size() * plan.rounds;
    plan.methods_a_round = settings_.methods_a_round;
    plan.segment_queries = settings_.segment_queries;
    plan.slice_ms = settings_.profile.slice_ms;
    plan.warm_up_ms = settings_.profile.warm_up_ms;
    plan.seed = settings_.seed;
    plan.cells = cells_of(settings_, facts_.traces, circumstances);
    plan.engine = settings_.engine;
    plan.count_events = facts_.counters_available;
    std::mt19937_64 random(plan.seed * 131 + process_run);
    for (const Placements& placements : modules_) plan.modules.push_back(placements[draw(random, placements.size())]);
    for (const RunTrace& trace : facts_.traces) plan.traces.push_back(trace.named);
    return plan;
  }

  /// A process run whose process dies or hangs is tried once more, and then left out: the record says so. What it had
  /// written is taken back.
  ProcessRunRecord run_or_leave_out(const ProcessRunPlan& plan, TextFile& rows, RunProgress& progress) {
    const fs::path path = fs::path(settings_.out) / "samples.csv";
    for (bool again : {false, true}) {
      const auto samples = static_cast<std::ptrdiff_t>(samples_.size());
      const std::uintmax_t bytes = fs::file_size(path);
      ProcessRunRecord record = run_one(plan, rows, progress);
      if (record.missing.empty() || stop_) return record;
      samples_.erase(samples_.begin() + samples, samples_.end());
      fs::resize_file(path, bytes);
      std::cerr << "slidebench: the process of run " << plan.process_run << " " << record.missing
                << (again ? "; left out" : "; trying it once more") << std::endl;
      if (again) return {plan.process_run, 0, {}, {}, record.missing};
    }
    return {};
  }

  /// After so long a process run hangs: many times what it should take, and time to load large traces.
  double process_run_limit(const ProcessRunPlan& plan) const {
    constexpr double seconds_to_load = 600, times_expected = 10;
    if (settings_.process_run_seconds > 0) return settings_.process_run_seconds;
    double seconds = 0;
    for (const Cell& cell : plan.cells) {
      seconds += slice_seconds(cell, settings_) * static_cast<double>(slices_in(cell)) * (plan.rounds + 0.5);
    }
    return seconds_to_load + times_expected * seconds;
  }

  /// A process of its own for every process run: fresh addresses, and an environment of another size, because both move
  /// the stack and the tables, and moving them alone changes times.
  ProcessRunRecord run_one(const ProcessRunPlan& plan, TextFile& rows, RunProgress& progress) {
    ProcessRunRecord record{plan.process_run, 0, {}, {}, {}};
    const Corunners beside(plan.cells.front().corunners);
    std::mt19937_64 random(plan.seed * 77 + plan.process_run);
    const std::string padding = "SLIDEBENCH_PADDING=" + std::string(random() % 4096, 'x');
    std::string failure;
    int failure_status = 0;
    bool done = false;
    const auto take_line = [&](const std::string& line) {
      const std::size_t space = line.find(' ');
      const std::string kind = line.substr(0, space);
      const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
      if (kind == "sample") {
        rows.write(rest + "\n");
        samples_.push_back(parse_sample(rest));
        if (!settings_.until_decided) {
          progress.show_share(plan.process_run, process_runs(), samples_.size(), expected_slices());
        }
      } else if (kind == "count") {
        record.counts.push_back(event_count_from_json(json::parse(rest)));
      } else if (kind == "pages") {
        record.pages.push_back(page_report_from_json(json::parse(rest)));
      } else if (kind == "failed") {
        failure_status = rest[0] - '0';
        failure = rest.substr(2);
      } else if (kind == "done") {
        done = true;
      }
    };
    const double limit = process_run_limit(plan);
    const ChildEnd end = run_self({"run-process_run"}, padding, to_json(plan).dump(), take_line, stop_, limit);
    if (failure_status == 1) throw CheckFailed(failure);
    if (failure_status != 0) throw UserError(failure);
    if (end.status != 0 || !done) record.missing = describe_end(end, limit);
    return record;
  }

  /// One report a contender and page mode: the worst of all process runs.
  void keep(const PageReport& report) {
    const bool large = report.pages == "2m";
    for (PageReport& known : facts_.pages) {
      if (known.contender != report.contender || known.pages != report.pages) continue;
      if ((report.tables.large_bytes < known.tables.large_bytes) == large) known = report;
      return;
    }
    facts_.pages.push_back(report);
  }

  const RunSettings& settings_;
  std::optional<FolderLock> lock_;     ///< of a new run's folder
  std::optional<RunJournal> journal_;  ///< there while anything is left to measure or to write
  const std::atomic<bool>& stop_;
  RunFacts facts_;
  std::vector<Placements> modules_;  ///< one entry a contender
  std::vector<Sample> samples_;
  std::vector<EventCount> counts_;
  Decisions decisions_;
  std::size_t methods_ = 0;  ///< without the empty loop and the controls
  double seconds_ = 0;       ///< of measuring, in all process runs
};

}  // namespace

void run_session(const RunSettings& settings, std::optional<RunJournal> resumed) {
  const std::atomic<bool>& stop = stop_on_interrupt();
  Session session(settings, std::move(resumed), stop);
  session.run();
  lift_binding();
  session.report();
  if (stop) {
    throw UserError("interrupted; what was measured is in " + settings.out +
                    ", marked incomplete; slidebench run --resume " + settings.out + " goes on");
  }
}

namespace {

/// The last line of a measuring process that crashed. Calls nothing that a signal handler must not call.
void report_crash(int signal, siginfo_t* info, void*) {
  if (const char* file = cut_off_file(signal, info)) {
    write_parts(STDOUT_FILENO, {"failed 2 trace ", file, cut_off_text, "\n"});
    _exit(2);
  }
  const char* contender = contender_under_way();
  const char* name = sigdescr_np(signal);
  write_parts(STDOUT_FILENO, {"failed 1 ", contender != nullptr ? contender : "the measuring process",
                              " crashed while it was measured: ", name != nullptr ? name : "signal", "\n"});
  _exit(1);
}

}  // namespace

void serve_process_run() {
  bind_to_measuring_cpu();
  on_crash(report_crash);
  limit_loading(0);  // a process run has a limit of its own
  const std::atomic<bool>& stop = stop_on_interrupt();
  const std::string input{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  const ProcessRunSink sink{
      .sample = [](const Sample& sample) { std::cout << "sample " << to_csv(sample) << std::endl; },
      .count = [](const EventCount& count) { std::cout << "count " << to_json(count).dump() << std::endl; },
      .pages = [](const PageReport& report) { std::cout << "pages " << to_json(report).dump() << std::endl; }};
  const auto fail = [](int status, std::string what) {
    std::replace(what.begin(), what.end(), '\n', ' ');
    std::cout << "failed " << status << ' ' << what << std::endl;
  };
  try {
    run_process_run(process_run_plan_from_json(json::parse(input)), sink, stop);
    std::cout << "done" << std::endl;  // a method may have ended the process by exit()
  } catch (const CheckFailed& error) {
    fail(1, error.what());
  } catch (const std::exception& error) {
    fail(2, error.what());
  }
}

}  // namespace slidebench
