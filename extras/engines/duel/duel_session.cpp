// SPDX-License-Identifier: MIT
#include "extras/engines/duel/duel_session.hpp"

#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

#include "extras/engines/duel/duel_process_run.hpp"
#include "extras/engines/duel/duel_record.hpp"
#include "extras/engines/duel/duel_text.hpp"
#include "extras/engines/duel/engine_builds.hpp"
#include "extras/engines/duel/tree_comparison.hpp"
#include "harness/answer/answer_text.hpp"
#include "harness/base/emulator.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/self_process.hpp"
#include "harness/base/suggestion.hpp"
#include "harness/base/terminal.hpp"
#include "harness/base/text.hpp"
#include "harness/base/text_output.hpp"
#include "harness/platform/cpu_binding.hpp"
#include "harness/run/decisions.hpp"
#include "harness/run/emulated_times.hpp"
#include "harness/run/inputs.hpp"
#include "harness/run/journal.hpp"
#include "harness/run/progress.hpp"
#include "harness/run/record.hpp"
#include "harness/run/tables.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Fit for a cell of samples.csv, which has no quotes.
std::string cell_name(const std::string& text) {
  std::string name = to_utf8(text);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ',' || c == '"' || static_cast<unsigned char>(c) < ' '; },
      ' ');
  return name;
}

/// The limit of a search, as a cell names it.
std::string limit_name(const DuelSettings& settings) {
  std::string name = to_string(settings.conditions.limit);
  std::erase(name, ' ');
  return name;
}

class DuelSession {
 public:
  DuelSession(const DuelSettings& settings, std::optional<RunJournal> resumed, const std::atomic<bool>& stop)
      : settings_(settings), stop_(stop), journal_(std::move(resumed)) {
    plan_.rounds = settings.rounds;
    plan_.seed = settings.seed;
    plan_.positions = settings.positions;
    plan_.conditions = settings.conditions;
    plan_.cell.what = DuelCell{limit_name(settings)};
    protocol_.margin = settings.margin;
    protocol_.inference = settings.until_decided ? Inference::sequential : Inference::fixed;
    protocol_.reference = settings.reference;
    protocol_.draws_builds = draws_builds(settings);
  }

  void run() {
    // Engines with several threads need several CPUs.
    if (settings_.conditions.threads == 1) facts_.pinned = bind_elsewhere();
    plan_.conditions.cpu = facts_.pinned.cpu;
    rehearse();
    begin_or_recover();
    announce();
    try {
      measure();
      facts_.complete = !stop_;
    } catch (const duel::Interrupted&) {
    } catch (const UserError& error) {
      failure_ = error.what();
    }
  }

  /// Writes what can be derived from the samples, and prints it. Throws UserError if the duel did not end as it should.
  void report() {
    if (!samples_.empty()) write_results();
    if (facts_.complete) journal_->finish();
    if (samples_.empty()) abandon();
    std::string kept = "nothing was measured";
    if (!samples_.empty()) kept = "what was measured is in " + settings_.out + ", marked incomplete";
    if (!samples_.empty() && settings_.goes_on.empty())
      kept += "; " + typed_program() + " duel --resume " + settings_.out + " goes on";
    if (!settings_.goes_on.empty()) kept += "; " + settings_.goes_on;
    if (!failure_.empty()) throw UserError(failure_ + "; " + kept);
    if (stop_) throw UserError("interrupted; " + kept);
  }

 private:
  /// One search by every engine: those that cannot take part are refused before anything is written.
  void rehearse() {
    std::set<std::string> names;
    for (const duel::EngineSpec& spec : settings_.engines) {
      const duel::Rehearsal rehearsal = duel::rehearse(spec, plan_.conditions, plan_.positions.front(), stop_);
      seconds_a_round_ += rehearsal.seconds * (names.empty() ? 2 : 1);
      const std::string wanted = cell_name(!spec.name.empty()       ? spec.name
                                           : rehearsal.name.empty() ? fs::path(spec.builds.front()).filename().string()
                                                                    : rehearsal.name);
      std::string name = wanted;
      for (int number = 2; !names.insert(name).second; ++number) name = wanted + " (" + std::to_string(number) + ")";
      add_contenders(name, spec, names.size() == 1);
      describe(name, spec, rehearsal);
    }
    if (settings_.reference.empty() || names.contains(settings_.reference)) return;
    const std::vector<std::string> there(names.begin(), names.end());
    throw UserError("--reference " + settings_.reference + ": no engine of this duel" +
                    did_you_mean(settings_.reference, there) + "; they are " + joined(there, ", "));
  }

  void add_contenders(const std::string& name, const duel::EngineSpec& spec, bool first) {
    plan_.contenders.push_back({name, name, first ? ContenderRole::reference : ContenderRole::method, spec});
    if (first) plan_.contenders.push_back({name + ".twin", name, ContenderRole::twin, spec});
  }

  /// An engine where run.json describes a run's methods; what only methods have is null.
  void describe(const std::string& name, const duel::EngineSpec& spec, const duel::Rehearsal& rehearsal) {
    for (const std::string& option : rehearsal.lacks)
      notes_.push_back(name + " has no option " + option + ": it uses what it uses");
    json options = json::object();
    for (const duel::OptionValue& option : spec.options) options[option.name] = option.value;
    json builds = json::array();
    for (std::size_t i = 0; i < spec.builds.size(); ++i)
      builds.push_back({{"file", to_utf8(spec.builds[i])}, {"sha256", rehearsal.digests.at(i)}});
    digests_[name] = builds;
    facts_.layouts = std::max(facts_.layouts, spec.builds.size());
    facts_.methods.push_back({{"id", name},
                              {"title", name},
                              {"family", "UCI engine"},
                              {"inventor", to_utf8(rehearsal.author)},
                              {"year", nullptr},
                              {"reference", ""},
                              {"isa", ""},
                              {"level", ""},
                              {"table_bytes", nullptr},
                              {"status", "ready"},
                              {"command", to_utf8(spec.command)},
                              {"options", options},
                              {"sha256", rehearsal.digests.front()},
                              {"builds", builds}});
    facts_.method_by_id[name] = facts_.methods.back();
  }

  /// A new duel's folder, or what there is of one that goes on with the same programs on the same machine.
  void begin_or_recover() {
    const fs::path out = settings_.out;
    RunIdentity identity = identity_here(settings_.command_line);
    identity.build["engines"] = digests_;
    if (!journal_) {
      lock_ = prepare_folder(out, "samples.csv");
      facts_.started = identity.started;
      journal_.emplace(out, identity);
      write_file(out / "samples.csv", sample_csv_header() + "\n", Durability::synced);
      return;
    }
    if (journal_->identity().build.value("engines", json()) != digests_)
      throw UserError("--resume " + settings_.out + ": an engine is another program than when the duel was begun; " +
                      "start a new one");
    journal_->check_same(identity);
    journal_->reopen();
    facts_.started = journal_->identity().started;
    samples_ = recover_samples(out, *journal_);
    for (const ProcessRunRecord& record : journal_->process_runs()) {
      seconds_ += record.seconds;
      add(record.turns);
    }
    plan_.process_run = static_cast<unsigned>(journal_->process_runs().size());
    if (settings_.until_decided) decisions_.update(sort_into_cells(samples_, protocol_), protocol_);
  }

  /// Nothing was measured: the folder is free again.
  void abandon() {
    std::error_code ignored;
    fs::remove(fs::path(settings_.out) / "samples.csv", ignored);
    journal_->abandon();
  }

  void add(const duel::DuelNotes& turns) {
    for (const auto& [what, by_contender] : turns) {
      for (const auto& [contender, count] : by_contender) turns_[what][contender] += count;
    }
  }

  void announce() const {
    std::cerr << "slidebench: " << plan_.contenders.size() << " processes (" << plan_.contenders.front().name
              << " twice), `go " << to_string(settings_.conditions.limit) << "` on " << plan_.positions.size()
              << " positions, ";
    if (settings_.for_seconds > 0) {
      std::cerr << "process runs of " << plan_.rounds << " rounds for " << std::lround(settings_.for_seconds) << " s\n";
    } else if (settings_.until_decided) {
      std::cerr << "process runs of " << plan_.rounds << " rounds until all are decided, at most "
                << std::lround(settings_.max_seconds) << " s\n";
    } else {
      std::cerr << settings_.process_runs << " process runs of " << plan_.rounds << " rounds; about "
                << std::lround(seconds_a_round_ * plan_.rounds * settings_.process_runs) << " s\n";
    }
    for (const std::string& note : notes_) std::cerr << "slidebench: " << note << "\n";
  }

  void measure() {
    TextFile rows(fs::path(settings_.out) / "samples.csv", true);
    RunProgress progress;
    const auto begin = duel::Clock::now();
    for (; !stop_ && is_to_go_on(duel::seconds_since(begin)); ++plan_.process_run) {
      const auto start = duel::Clock::now();
      RowDigest written;
      const auto take = [&](const Sample& sample) {
        const std::string row = to_csv(sample);
        rows.write(row + "\n");
        written.add(row);
        samples_.push_back(sample);
        if (settings_.for_seconds > 0) {
          progress.show("measured", static_cast<std::size_t>(std::lround(10 * duel::seconds_since(begin))),
                        static_cast<std::size_t>(std::lround(10 * settings_.for_seconds)));
        } else if (!settings_.until_decided) {
          const std::size_t all = plan_.contenders.size() * plan_.rounds * settings_.process_runs;
          progress.show_share(plan_.process_run, settings_.process_runs, samples_.size(), all);
        }
      };
      ProcessRunRecord record{plan_.process_run, 0, {}, {}, {}, {}};
      duel::run_duel_process_run(without_decided(), record.turns, take, stop_);
      record.seconds = duel::seconds_since(start);
      longest_process_run_ = std::max(longest_process_run_, record.seconds);
      written.close(record);
      seconds_ += record.seconds;
      add(record.turns);
      rows.sync();
      journal_->append(std::move(record));
      if (!settings_.until_decided) continue;
      decisions_.update(sort_into_cells(samples_, protocol_), protocol_);
      progress.show_decisions(plan_.process_run, decisions_, duel::seconds_since(start),
                              settings_.max_seconds - duel::seconds_since(begin));
    }
    rows.close();
  }

  bool is_to_go_on(double seconds) const {
    constexpr unsigned least = 4;
    if (settings_.for_seconds > 0)
      return plan_.process_run < least || seconds + longest_process_run_ < settings_.for_seconds;
    if (!settings_.until_decided) return plan_.process_run < settings_.process_runs;
    return seconds < settings_.max_seconds && decisions_.is_open(plan_.cell);
  }

  /// Engines that are judged leave; the first one and its twin stay for the others.
  duel::DuelPlan without_decided() const {
    duel::DuelPlan plan = plan_;
    const std::set<std::string> decided = decisions_.decided_in(plan.cell);
    std::erase_if(plan.contenders,
                  [&decided](const duel::DuelContender& contender) { return decided.contains(contender.name); });
    return plan;
  }

  void write_results() {
    const fs::path out = settings_.out;
    facts_.settings = settings_as_of_a_run(settings_);
    facts_.counters.reason = "a duel counts none: engines are other processes";
    const std::vector<duel::TreeComparison> trees = duel::compare_trees(samples_);
    facts_.warnings = settings_.notes;
    // Sides of a trial search one tree and count it alike, so that an old count is the same for all.
    if (settings_.for_seconds > 0) turns_.erase("short_of_nodes");
    for (const auto& more : {notes_, turn_notes(turns_), tree_notes(trees, reference())}) {
      facts_.warnings.insert(facts_.warnings.end(), more.begin(), more.end());
    }
    for (const std::string& note : emulator_notes()) facts_.warnings.push_back(note);
    if (!failure_.empty()) facts_.warnings.insert(facts_.warnings.begin(), "the duel was ended: " + failure_);
    facts_.duel = duel_json(settings_, trees);
    facts_.finished = utc_now();
    const RunResults results = derive_results(samples_, protocol_, facts_);
    write_tables(out, results, facts_);
    write_file(out / "counters.csv", counters_csv({}, facts_.started));
    sync_files_in(out);  // run.json says that they are whole
    facts_.measured_seconds = seconds_;
    write_file(out / "run.json", run_json(facts_, samples_, results).dump(2) + "\n", Durability::synced);
    tell();
  }

  /// Answer, table of speeds and notes, as `slidebench show` says them again; and answer.json.
  void tell() const {
    const fs::path out = settings_.out;
    const RunFolder run = read_run_folder(out);
    const std::string against = usual_reference(run);
    write_file(out / "answer.json", answer_json(run, against).dump(2) + "\n", Durability::synced);
    std::cout << told(run, against);
    for (const std::string& note : facts_.warnings) std::cout << "  note: " << note << "\n";
    std::cout << "\nResults: " << out.string() << "; again by " << typed_program() << " show " << out.string()
              << std::endl;
  }

  const std::string& reference() const { return plan_.contenders.front().name; }

  const DuelSettings& settings_;
  const std::atomic<bool>& stop_;
  duel::DuelPlan plan_;
  Protocol protocol_;
  std::optional<RunJournal> journal_;
  std::optional<FolderLock> lock_;  ///< of a new duel; who resumes one has it
  json digests_ = json::object();   ///< of the programs, by engine
  RunFacts facts_;
  duel::DuelNotes turns_;
  std::vector<std::string> notes_;
  std::vector<Sample> samples_;
  Decisions decisions_;
  double seconds_a_round_ = 0;
  double seconds_ = 0;  ///< of measuring
  double longest_process_run_ = 0;
  std::string failure_;
};

}  // namespace

void run_duel(const DuelSettings& settings, std::optional<RunJournal> resumed) {
  const std::atomic<bool>& stop = stop_on_interrupt();
  DuelSession session(settings, std::move(resumed), stop);
  session.run();
  lift_binding();
  session.report();
}

}  // namespace slidebench
