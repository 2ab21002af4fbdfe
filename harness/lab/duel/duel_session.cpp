// SPDX-License-Identifier: MIT
#include "harness/lab/duel/duel_session.hpp"

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

#include "harness/answer/answer_text.hpp"
#include "harness/answer/duel_text.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/self_process.hpp"
#include "harness/base/sha256.hpp"
#include "harness/base/suggestion.hpp"
#include "harness/base/terminal.hpp"
#include "harness/base/text.hpp"
#include "harness/base/text_output.hpp"
#include "harness/lab/duel/duel_process_run.hpp"
#include "harness/lab/duel/tree_comparison.hpp"
#include "harness/platform/cpu_binding.hpp"
#include "harness/run/decisions.hpp"
#include "harness/run/emulated_times.hpp"
#include "harness/run/inputs.hpp"
#include "harness/run/progress.hpp"
#include "harness/run/record.hpp"
#include "harness/run/tables.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

double elapsed_since(duel::Clock::time_point start) {
  return std::chrono::duration<double>(duel::Clock::now() - start).count();
}

/// Fit for a cell of samples.csv, which has no quotes.
std::string cell_name(const std::string& text) {
  std::string name = to_utf8(text);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ',' || c == '"' || static_cast<unsigned char>(c) < ' '; },
      ' ');
  return name;
}

/// What runs: of a script its interpreter.
std::string program_digest(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/exe", std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  Sha256 digest;
  digest.add(content.data(), content.size());
  return content.empty() ? "" : digest.hex();
}

/// The limit of a search, as a cell names it.
std::string limit_name(const DuelSettings& settings) {
  std::string name = to_string(settings.conditions.limit);
  std::erase(name, ' ');
  return name;
}

RunSettings settings_as_of_a_run(const DuelSettings& settings) {
  RunSettings run;
  run.engine = {settings.positions, settings.conditions.limit.nodes, settings.conditions.hash_mib};
  run.profile = {"duel", settings.process_runs, settings.rounds, 0, 0};
  run.margin = settings.margin;
  run.reference = settings.reference;
  run.until_decided = settings.until_decided;
  run.max_seconds = settings.max_seconds;
  run.seed = settings.seed;
  run.out = settings.out;
  run.command_line = settings.command_line;
  return run;
}

/// What run.json says of the duel.
json duel_json(const DuelSettings& settings, const std::vector<duel::TreeComparison>& trees) {
  json list = json::array();
  for (const duel::TreeComparison& tree : trees) {
    list.push_back({{"contender", tree.contender},
                    {"searches", tree.searches},
                    {"same_nodes", tree.same_nodes},
                    {"same_course", tree.same_course},
                    {"same_tree", tree.same_tree()},
                    {"repeats", tree.repeats}});
  }
  return {{"go", to_string(settings.conditions.limit)},
          {"hash_mib", settings.conditions.hash_mib},
          {"threads", settings.conditions.threads},
          {"time", "CPU time of the engine's process, all threads"},
          {"trees", list}};
}

/// What engines did in their own turns and in those of others that a reader of times has to know.
std::vector<std::string> turn_notes(const duel::DuelNotes& seen) {
  std::vector<std::string> notes;
  for (const auto& [contender, turns] : seen.busy_while_idle) {
    notes.push_back(contender + " used CPU time in " + std::to_string(turns) +
                    " turns of others: it does not wait quietly, and disturbs them");
  }
  for (const auto& [contender, turns] : seen.short_of_nodes) {
    notes.push_back(contender + " told of less than nine tenths of the nodes asked for in " + std::to_string(turns) +
                    " of " + std::to_string(seen.turns.at(contender)) +
                    " searches: it ends early, or its last count is an old one and its time per node too long");
  }
  for (const auto& [contender, turns] : seen.ended_threads) {
    notes.push_back(contender + " ends threads after a search (seen in " + std::to_string(turns) + " of " +
                    std::to_string(seen.turns.at(contender)) +
                    "): the kernel may lose up to a millisecond of their CPU time each; let searches be long");
  }
  return notes;
}

/// Engines that did not search the same tree as the first one, or not the same every time.
std::vector<std::string> tree_notes(const std::vector<duel::TreeComparison>& trees, const std::string& reference) {
  std::vector<std::string> notes;
  for (const duel::TreeComparison& tree : trees) {
    if (!tree.repeats)
      notes.push_back(tree.contender + " does not search the same position in the same way every time");
    if (tree.role != ContenderRole::reference && !tree.same_tree()) {
      notes.push_back(duel::to_sentence(tree, reference));
    }
  }
  return notes;
}

class DuelSession {
 public:
  DuelSession(const DuelSettings& settings, const std::atomic<bool>& stop) : settings_(settings), stop_(stop) {
    facts_.started = utc_now();
    plan_.rounds = settings.rounds;
    plan_.seed = settings.seed;
    plan_.positions = settings.positions;
    plan_.conditions = settings.conditions;
    plan_.cell = {.workload = duel::duel_workload, .trace = limit_name(settings)};
    protocol_.margin = settings.margin;
    protocol_.inference = settings.until_decided ? Inference::sequential : Inference::fixed;
    protocol_.reference = settings.reference;
  }

  void run() {
    // Engines with several threads need several CPUs.
    if (settings_.conditions.threads == 1) facts_.pinned = bind_elsewhere();
    plan_.conditions.cpu = facts_.pinned.cpu;
    rehearse();
    lock_ = prepare_folder(settings_.out, "samples.csv");
    write_file(fs::path(settings_.out) / "samples.csv", sample_csv_header() + "\n");
    announce();
    try {
      measure();
      facts_.complete = !stop_;
    } catch (const duel::Interrupted&) {
    } catch (const UserError& error) {
      failure_ = error.what();
    }
    if (samples_.empty()) fs::remove(fs::path(settings_.out) / "samples.csv");
  }

  /// Writes what can be derived from the samples, and prints it. Throws UserError if the duel did not end as it should.
  void report() {
    if (!samples_.empty()) write_results();
    const std::string kept =
        samples_.empty() ? "nothing was measured" : "what was measured is in " + settings_.out + ", marked incomplete";
    if (!failure_.empty()) throw UserError(failure_ + "; " + kept);
    if (stop_) throw UserError("interrupted; " + kept);
  }

 private:
  /// One search by every engine: those that cannot take part are refused before anything is written.
  void rehearse() {
    std::set<std::string> names;
    for (std::size_t i = 0; i < settings_.engines.size(); ++i) {
      const duel::EngineSpec& spec = settings_.engines[i];
      duel::UciEngine engine(spec, plan_.conditions, "", stop_);
      const auto start = duel::Clock::now();
      engine.rehearse(plan_.positions.front());
      seconds_a_round_ += elapsed_since(start) * (i == 0 ? 2 : 1);
      const std::string program = fs::path(spec.words.front()).filename().string();
      const std::string wanted = cell_name(i < settings_.names.size() ? settings_.names[i]
                                           : engine.name().empty()    ? program
                                                                      : engine.name());
      std::string name = wanted;
      for (int number = 2; !names.insert(name).second; ++number) name = wanted + " (" + std::to_string(number) + ")";
      add_contenders(name, spec, i == 0);
      describe(name, spec, engine);
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
  void describe(const std::string& name, const duel::EngineSpec& spec, const duel::UciEngine& engine) {
    for (const char* option : {"Hash", "Threads"}) {
      if (!engine.has_option(option)) notes_.push_back(name + " has no option " + option + ": it uses what it uses");
    }
    json options = json::object();
    for (const duel::OptionValue& option : spec.options) options[option.name] = option.value;
    facts_.methods.push_back({{"id", name},
                              {"title", name},
                              {"family", "UCI engine"},
                              {"inventor", to_utf8(engine.author())},
                              {"year", nullptr},
                              {"reference", ""},
                              {"isa", ""},
                              {"level", ""},
                              {"table_bytes", nullptr},
                              {"status", "ready"},
                              {"command", to_utf8(spec.command)},
                              {"options", options},
                              {"sha256", program_digest(engine.process().id())}});
    facts_.method_by_id[name] = facts_.methods.back();
  }

  void announce() const {
    std::cerr << "slidebench: " << plan_.contenders.size() << " processes (" << plan_.contenders.front().name
              << " twice), `go " << to_string(settings_.conditions.limit) << "` on " << plan_.positions.size()
              << " positions, ";
    if (settings_.until_decided) {
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
    for (plan_.process_run = 0; !stop_ && is_to_go_on(elapsed_since(begin)); ++plan_.process_run) {
      const auto start = duel::Clock::now();
      const auto take = [&](const Sample& sample) {
        rows.write(to_csv(sample) + "\n");
        samples_.push_back(sample);
        if (!settings_.until_decided) {
          const std::size_t all = plan_.contenders.size() * plan_.rounds * settings_.process_runs;
          progress.show_share(plan_.process_run, settings_.process_runs, samples_.size(), all);
        }
      };
      duel::run_duel_process_run(without_decided(), turns_, take, stop_);
      if (!settings_.until_decided) continue;
      decisions_.update(sort_into_cells(samples_), protocol_);
      progress.show_decisions(plan_.process_run, decisions_, elapsed_since(start),
                              settings_.max_seconds - elapsed_since(begin));
    }
    seconds_ = elapsed_since(begin);
    rows.close();
  }

  bool is_to_go_on(double seconds) const {
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
    facts_.counters_reason = "a duel counts none: engines are other processes";
    const std::vector<duel::TreeComparison> trees = duel::compare_trees(samples_);
    facts_.warnings = notes_;
    for (const auto& more : {turn_notes(turns_), tree_notes(trees, reference())}) {
      facts_.warnings.insert(facts_.warnings.end(), more.begin(), more.end());
    }
    for (const std::string& note : emulator_notes()) facts_.warnings.push_back(note);
    if (!failure_.empty()) facts_.warnings.insert(facts_.warnings.begin(), "the duel was ended: " + failure_);
    facts_.duel = duel_json(settings_, trees);
    facts_.finished = utc_now();
    const RunResults results = derive_results(samples_, protocol_, facts_);
    write_tables(out, results, facts_);
    write_file(out / "counters.csv", counters_csv({}));
    sync_files_in(out);  // run.json says that they are whole
    facts_.measured_seconds = seconds_;
    write_file(out / "run.json", run_json(facts_, samples_, results).dump(2) + "\n", Durability::synced);
    tell();
  }

  /// Answer, table of speeds and notes, as `slidebench show` says them again; answer.json and references.csv.
  void tell() const {
    const fs::path out = settings_.out;
    const RunViews views = RunViews::read(out);
    const std::string against = views.usual_reference();
    write_file(out / "references.csv", views.references_csv(), Durability::synced);
    write_file(out / "answer.json", answer_json(views, against).dump(2) + "\n", Durability::synced);
    std::cout << duel_text(views, against, output_ink(), columns_of(STDOUT_FILENO));
    for (const std::string& note : facts_.warnings) std::cout << "  note: " << note << "\n";
    std::cout << "\nResults: " << out.string() << "; again by slidebench show " << out.string() << std::endl;
  }

  const std::string& reference() const { return plan_.contenders.front().name; }

  const DuelSettings& settings_;
  const std::atomic<bool>& stop_;
  duel::DuelPlan plan_;
  Protocol protocol_;
  std::optional<FolderLock> lock_;
  RunFacts facts_;
  duel::DuelNotes turns_;
  std::vector<std::string> notes_;
  std::vector<Sample> samples_;
  Decisions decisions_;
  double seconds_a_round_ = 0;
  double seconds_ = 0;  ///< of measuring
  std::string failure_;
};

}  // namespace

void run_duel(const DuelSettings& settings) {
  const std::atomic<bool>& stop = stop_on_interrupt();
  DuelSession session(settings, stop);
  session.run();
  lift_binding();
  session.report();
}

}  // namespace slidebench
