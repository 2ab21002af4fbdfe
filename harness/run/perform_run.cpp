// SPDX-License-Identifier: MIT
#include "harness/run/perform_run.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <thread>

#include "harness/answer/answer.hpp"
#include "harness/answer/answer_text.hpp"
#include "harness/base/emulator.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/self_process.hpp"
#include "harness/base/suggestion.hpp"
#include "harness/base/terminal.hpp"
#include "harness/base/text_output.hpp"
#include "harness/base/version.hpp"
#include "harness/counters/calibration.hpp"
#include "harness/counters/hardware_counters.hpp"
#include "harness/measure/contender.hpp"
#include "harness/platform/cpu_binding.hpp"
#include "harness/platform/machine.hpp"
#include "harness/run/emulated_times.hpp"
#include "harness/run/event_rates.hpp"
#include "harness/run/joined_run.hpp"
#include "harness/run/plan.hpp"
#include "harness/run/process.hpp"
#include "harness/run/progress.hpp"
#include "harness/run/record.hpp"
#include "harness/run/simulation.hpp"
#include "harness/run/tables.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

void announce_step(unsigned number, const std::string& name, const std::string& what) {
  std::cout << output_ink().strong(fmt::format("Step {}/3", number)) << "  " << name << " " << what << std::endl;
}

void announce_measuring(const RunInputs& run, std::size_t methods, const std::vector<std::string>& warnings) {
  const RunSettings& settings = run.settings;
  const std::size_t cells = cells_of(settings, run.traces, circumstances_of(settings).front()).size();
  const std::string rounds = fmt::format("process runs of {} rounds", settings.profile.rounds);
  const std::string race = settings.race_seconds > 0 ? ", then those that may be the best" : "";
  const std::string how = settings.until_decided ? fmt::format("{} until all are decided, at most {}", rounds,
                                                               duration_text(settings.max_seconds))
                                                 : fmt::format("{} {}{}: about {}", process_runs_of(settings), rounds,
                                                               race, duration_text(expected_seconds(run)));
  announce_step(2, "measure", fmt::format("{} methods in {} cell{}, {}", methods, cells, cells == 1 ? "" : "s", how));
  if (!settings.methods.plugins.empty()) {  // others know how theirs were built; run.json has it of every run
    for (const std::string& note : warnings) std::cerr << "slidebench: " << note << "\n";
  }
}

/// Says what cannot be measured for want of sliders or pieces, and refuses a run that would do nothing else.
void check_cells(const RunInputs& run) {
  const RunSettings& settings = run.settings;
  const std::vector<LeftOut> left_out = left_out_cells(settings, run.traces);
  const auto text = [](const LeftOut& one) {
    return "no " + joined(one.workloads, ", ") + " on trace " + joined(one.traces, ", ") + ", which has no " + one.what;
  };
  if (cells_of(settings, run.traces, circumstances_of(settings).front()).empty()) {
    throw UserError("nothing to measure: " + joined(left_out, "; ", text) + "; add another workload or trace");
  }
  for (const LeftOut& one : left_out) std::cerr << "slidebench: " << text(one) << "\n";
}

RunIdentity identity_of(const RunInputs& run) {
  json traces = json::object();
  for (const RunTrace& trace : run.traces) traces[trace.named.name] = trace.description.at("xxh3");
  RunIdentity identity = identity_here(run.settings.command_line);
  identity.build["modules"] = module_digests(run.modules);
  identity.traces = traces;
  return identity;
}

/// What run.json says of the methods. Returns the ids of those that can be named.
std::vector<std::string> describe(const std::vector<Plugin>& contenders, RunFacts& facts) {
  std::vector<std::string> ids;
  for (const Plugin& contender : contenders) {
    if (contender.descriptor().role != ModuleRole::timed) continue;
    facts.methods.push_back(describe_method(contender));
    facts.method_by_id[contender.id()] = facts.methods.back();
    if (!is_baseline(contender)) ids.push_back(contender.id());
  }
  return ids;
}

/// Which of the events asked for, or of the usual ones, count here what they should; says why others do not.
Calibration calibrated_events(const RunSettings& settings) {
  Calibration found = calibrated(settings.events.empty() ? hardware_metrics() : settings.events);
  if (found.believed.empty()) std::cerr << "slidebench: no hardware counters: " << found.reason << "\n";
  for (const CalibrationFault& fault : found.faults) std::cerr << "slidebench: " << text_of(fault) << "\n";
  return found;
}

/// One report per contender and page mode: the worst of all process runs.
void keep_worst(std::vector<PageReport>& reports, const PageReport& report) {
  const bool large = report.pages == "2m";
  for (PageReport& known : reports) {
    if (known.contender != report.contender || known.pages != report.pages) continue;
    if ((report.tables.large_bytes < known.tables.large_bytes) == large) known = report;
    return;
  }
  reports.push_back(report);
}

/// Two process runs in a row that did not come back: the third will not either.
void check_alive(const std::vector<ProcessRunRecord>& done, const std::string& out) {
  if (done.size() < 2 || done.back().missing.empty() || done[done.size() - 2].missing.empty()) return;
  throw UserError(
      fmt::format("process runs {} and {} are missing: their processes {}; is there enough memory? {} run --resume {} "
                  "goes on with the others",
                  done.size() - 2, done.size() - 1, done.back().missing, typed_program(), out));
}

/// Writes the answer into the run's folder, and prints it.
void tell_answer(const fs::path& out) {
  const RunFolder run = read_run_folder(out);
  const std::string reference = usual_reference(run);
  write_file(out / "answer.json", answer_json(run, reference).dump(2) + "\n", Durability::synced);
  const std::string text = answer_text(run, {.reference = reference}, output_ink(), columns_of(STDOUT_FILENO));
  std::cout << fmt::format(
                   "\n{0}More: {1} show {2} --all; words: {1} help glossary\n"
                   "Page: {3}, by scripts/slidebench.py report {2}\n",
                   text, typed_program(), run.path, (out / "index.html").string())
            << std::flush;
}

/// Measures process run after process run, and has all that is known of them.
class MeasuredRun {
 public:
  /// @param resumed   the journal of the run to be continued; absent: a new one
  /// @param added_to  the run of which this becomes a part; absent: it stands alone
  MeasuredRun(const RunSettings& settings, std::optional<RunJournal> resumed, std::optional<fs::path> added_to,
              const std::atomic<bool>& stop)
      : out_(settings.out), added_to_(std::move(added_to)), journal_(std::move(resumed)), stop_(stop) {
    run_.settings = settings;
  }

  /// Everything before the first process run: what cannot be measured is refused here, before anything is written.
  void prepare() {
    const RunSettings& settings = run_.settings;
    const bool replays = replays_traces(settings);
    if (!journal_) check_folder(out_, "samples.csv");
    if (replays || !settings.traces.empty()) run_.traces = open_traces(settings.traces);
    check_cells(run_);
    if (added_to_) check_addable(*added_to_, all_cells(), identity_of(run_));
    const std::vector<Plugin> contenders =
        select_contenders(settings.methods, settings.profile.controls, facts_.skipped);
    const std::vector<std::string> methods = describe(contenders, facts_);
    check_reference(methods);
    const std::size_t skipped = facts_.skipped.size();
    const std::string others = skipped > 0 ? fmt::format("; {} cannot run on this CPU", skipped) : "";
    announce_step(1, "check", fmt::format("the answers of {} methods{}", methods.size(), others));
    check_methods(contenders);
    facts_.pinned = bind_elsewhere();  // until here nothing is timed, and all processors check
    if (!journal_) lock_ = prepare_folder(out_, "samples.csv");
    run_.modules = placed_modules(contenders, settings.profile.controls);
    facts_.layouts = run_.modules.front().placements.size();
    facts_.warnings = unlike_contenders(contenders, run_.modules);
    const std::string left_out = asks_for_engines(settings) ? left_out_of_searches(contenders) : "";
    if (!left_out.empty()) facts_.warnings.push_back(left_out);
    for (const std::string& note : emulator_notes()) facts_.warnings.push_back(note);
    begin_or_recover(identity_of(run_));
    facts_.counters = calibrated_events(settings);
    run_.events = facts_.counters.believed;
    announce_measuring(run_, methods.size(), facts_.warnings);
  }

  /// Process run after process run, until there is none left, or time is up, or somebody interrupts.
  void measure() {
    TextFile rows(out_ / "samples.csv", true);
    RunProgress progress;
    const double before = seconds_;
    const auto left = [&] { return run_.settings.max_seconds - (seconds_ - before); };
    if (run_.settings.until_decided) decide();
    const auto first = static_cast<unsigned>(journal_->process_runs().size());
    for (unsigned number = first; !stop_; ++number) {
      if (begins_final(number)) start_final();
      if (number != first && begins_session(number)) pause();
      if (stop_) break;
      const std::optional<ProcessRunPlan> plan = next_process_run(run_, number, decisions_, left(), final_);
      if (!plan) break;
      const ProcessRunRecord record = run_or_leave_out(*plan, rows, progress);
      if (stop_) break;  // this process run is to be measured again
      take(record);
      rows.sync();  // before the journal says that they are there
      journal_->append(record);
      check_alive(journal_->process_runs(), out_.string());
      if (!run_.settings.until_decided) continue;
      decide();
      progress.show_decisions(number, decisions_, record.seconds, left());
    }
    rows.close();
    facts_.complete = !stop_;
  }

  /// Writes what can be derived from the samples, and prints the answer.
  void report() {
    facts_.settings = run_.settings;
    facts_.parts = journal_->parts();
    facts_.traces = run_.traces;
    facts_.finished = utc_now();
    RunResults results = derive_results(samples_, protocol_of(run_.settings), facts_);
    simulate();
    add_l1d_misses(results.summary, counts_);
    write_tables(out_, results, facts_);
    write_file(out_ / "counters.csv", counters_csv(counts_, facts_.started));
    sync_files_in(out_);  // run.json says that they are whole
    facts_.measured_seconds = seconds_;
    const json record = run_json(facts_, samples_, results);
    write_file(out_ / "run.json", record.dump(2) + "\n", Durability::synced);
    if (!results.summary.empty() && !added_to_) tell_answer(out_);
    const bool open = run_.settings.until_decided && !decisions_.open_text(1).empty();
    if (facts_.complete && !open && !added_to_) journal_->finish();  // a part is finished when it is joined
  }

 private:
  /// What all are to be compared with must be measured.
  void check_reference(const std::vector<std::string>& names) const {
    const std::string& wanted = run_.settings.reference;
    if (wanted.empty() || std::find(names.begin(), names.end(), wanted) != names.end()) return;
    throw UserError("--reference " + wanted + ": not among the methods to be measured" + did_you_mean(wanted, names) +
                    "; name it with --method too");
  }

  void begin_or_recover(const RunIdentity& identity) {
    if (!journal_) {
      facts_.started = identity.started;
      journal_.emplace(out_, identity);
      write_file(out_ / "samples.csv", sample_csv_header() + "\n", Durability::synced);
      return;
    }
    journal_->check_same(identity);
    journal_->reopen();
    facts_.started = journal_->identity().started;
    samples_ = recover_samples(out_, *journal_);
    for (const ProcessRunRecord& record : journal_->process_runs()) take(record);
  }

  void take(const ProcessRunRecord& record) {
    seconds_ += record.seconds;
    counts_.insert(counts_.end(), record.counts.begin(), record.counts.end());
    for (const PageReport& report : record.pages) keep_worst(facts_.pages, report);
    if (record.missing.empty()) return;
    facts_.missing.push_back({record.process_run, record.missing});
    facts_.warnings.push_back(
        fmt::format("process run {} is missing: twice its process {}", record.process_run, record.missing));
  }

  /// Also of a run that was interrupted in its second stage, where the same samples let the same methods go on.
  bool begins_final(unsigned number) const {
    return run_.settings.race_seconds > 0 && final_.process_runs == 0 && number >= process_runs_of(run_.settings);
  }

  bool begins_session(unsigned number) const {
    const unsigned each = process_runs_a_session(run_.settings);
    return each > 0 && number % each == 0 && number < process_runs_of(run_.settings);
  }

  void pause() const {
    using Clock = std::chrono::steady_clock;
    const double seconds = run_.settings.profile.pause_seconds;
    std::cout << "          a pause of " << duration_text(seconds) << " before the next session" << std::endl;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    while (!stop_ && Clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }

  void start_final() {
    const std::vector<Sample> first = first_stage(samples_, process_runs_of(run_.settings));
    double spent = 0;
    for (const ProcessRunRecord& record : journal_->process_runs())
      if (record.process_run < process_runs_of(run_.settings)) spent += record.seconds;
    final_ = plan_final(run_, leave_race(sort_into_cells(first), facts_), spent);
    facts_.race = to_json(final_);
    const std::string note = race_note(final_.leavers, process_runs_of(run_.settings));
    if (!note.empty()) facts_.warnings.push_back(note);
  }

  /// The cells of all circumstances.
  std::vector<Cell> all_cells() const {
    std::vector<Cell> all;
    for (const Circumstances& circumstances : circumstances_of(run_.settings)) {
      for (Cell& cell : cells_of(run_.settings, run_.traces, circumstances)) all.push_back(std::move(cell));
    }
    return all;
  }

  void decide() {
    const Protocol protocol = protocol_of(run_.settings);
    const std::vector<Cell> own = all_cells();  // others were added, and stay as they are
    std::vector<CellSamples> cells = sort_into_cells(samples_, protocol);
    std::erase_if(cells,
                  [&own](const CellSamples& samples) { return std::ranges::find(own, samples.cell) == own.end(); });
    decisions_.update(cells, protocol);
  }

  /// A process run whose process dies, hangs or ends early is tried once more, and then left out: the record says so.
  /// What it had written is taken back.
  ProcessRunRecord run_or_leave_out(const ProcessRunPlan& plan, TextFile& rows, RunProgress& progress) {
    const double limit = time_limit(run_, plan);
    const unsigned process_runs = process_runs_of(run_.settings) + final_.process_runs;
    const std::size_t expected = expected_samples(run_, final_);
    const auto take_sample = [&](const Sample& sample, const std::string& row) {
      rows.write(row + "\n");
      samples_.push_back(sample);
      if (run_.settings.until_decided) return;
      progress.show_share(plan.process_run, process_runs, samples_.size(), expected);
    };
    for (bool again : {false, true}) {
      const auto samples = static_cast<std::ptrdiff_t>(samples_.size());
      const std::uintmax_t bytes = fs::file_size(out_ / "samples.csv");
      ProcessRunRecord record = run_process(plan, limit, take_sample, stop_);
      if (record.missing.empty() || stop_) return record;
      samples_.erase(samples_.begin() + samples, samples_.end());
      fs::resize_file(out_ / "samples.csv", bytes);
      std::cerr << "slidebench: the process of run " << plan.process_run << " " << record.missing
                << (again ? "; left out" : "; trying it once more") << std::endl;
      if (again) {
        ProcessRunRecord left_out{plan.process_run, 0, {}, {}, record.missing};
        RowDigest().close(left_out);
        return left_out;
      }
    }
    return {};
  }

  /// A run without simulated counts is a run: it says why there are none.
  void simulate() {
    if (stop_) {  // who interrupts a run does not want to wait for more
      facts_.not_simulated_reason = "the run was interrupted; --resume goes on";
      return;
    }
    try {
      const std::vector<Plugin> modules = modules_to_simulate(run_.settings.methods, facts_.not_simulated);
      const auto methods =
          std::count_if(modules.begin(), modules.end(), [](const Plugin& module) { return !is_baseline(module); });
      if (!run_.traces.empty()) {
        announce_step(3, "report", fmt::format("what the caches of this CPU do, simulated with {} methods", methods));
      }
      RunProgress progress;
      const auto show = [&progress](std::size_t done, std::size_t all) { progress.show("simulated", done, all); };
      const std::vector<EventCount> counts = simulate_counts(modules, run_.traces, show);
      counts_.insert(counts_.end(), counts.begin(), counts.end());
    } catch (const CannotWrite&) {
      throw;  // the journal stays, and --resume comes back to here
    } catch (const UserError& error) {
      facts_.not_simulated_reason = error.what();
      std::cerr << "slidebench: no simulated counts: " << error.what() << "\n";
    }
  }

  const fs::path out_;
  const std::optional<fs::path> added_to_;
  std::optional<FolderLock> lock_;     ///< of a new run's folder
  std::optional<RunJournal> journal_;  ///< there while anything is left to measure or to write
  const std::atomic<bool>& stop_;
  RunInputs run_;
  RunFacts facts_;
  std::vector<Sample> samples_;
  std::vector<EventCount> counts_;
  Decisions decisions_;
  Final final_;         ///< of a race, once its first stage is over
  double seconds_ = 0;  ///< of measuring, in all process runs
};

}  // namespace

void perform_run(RunSettings settings, std::optional<RunJournal> resumed) {
  const std::atomic<bool>& stop = stop_on_interrupt();
  const std::optional<fs::path> added_to = run_added_to(settings.out, resumed.has_value());
  if (added_to && !resumed) settings.out = part_folder(*added_to).string();
  MeasuredRun run(settings, std::move(resumed), added_to, stop);
  run.prepare();
  run.measure();
  lift_binding();
  run.report();
  if (stop) {
    throw UserError("interrupted; what was measured is in " + settings.out + ", marked incomplete; " + typed_program() +
                    " run --resume " + settings.out + " goes on");
  }
  if (!added_to) return;
  join_part(*added_to);
  tell_answer(*added_to);
}

}  // namespace slidebench
