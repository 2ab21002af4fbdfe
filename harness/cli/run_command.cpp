// SPDX-License-Identifier: MIT
//
// slidebench run: the options of a measurement.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "harness/base/errors.hpp"
#include "harness/base/text_output.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/cli/resumed_command.hpp"
#include "harness/cli/shared_options.hpp"
#include "harness/engine/default_positions.hpp"
#include "harness/import/position_sample.hpp"
#include "harness/measure/table_pages.hpp"
#include "harness/measure/trace_selection.hpp"
#include "harness/plugin/workload.hpp"
#include "harness/pressure/pressure.hpp"
#include "harness/run/cells.hpp"
#include "harness/run/corunner.hpp"
#include "harness/run/emulated_times.hpp"
#include "harness/run/inputs.hpp"
#include "harness/run/process.hpp"
#include "harness/run/protocol_options.hpp"
#include "harness/run/session.hpp"

namespace slidebench {
namespace {

std::string names_of(const auto& list) {
  return joined(list, ", ", [](const auto& item) { return item.name; });
}

Profile profile_named(const std::string& name) {
  for (const Profile& profile : profiles) {
    if (profile.name == name) return profile;
  }
  throw UserError("unknown profile '" + name + "'; the profiles are " + names_of(profiles));
}

std::string all_workloads() {
  return names_of(workloads) + ", " + std::string(engine_workload) + ", " + std::string(perft_workload) + ", " +
         std::string(usual_selection) + ", " + std::string(answer_selection);
}

/// Other work follows single queries.
void check_work(const Pressure& pressure, const std::vector<std::string>& asked) {
  if (pressure.instructions == 0) return;
  for (const std::string& name : asked) {
    const Workload* workload = find_workload(name);
    if (workload == nullptr || workload->unit == Workload::Unit::query || workload->needs_pieces()) continue;
    throw UserError("workload " + name + " has no single queries, so none that the instructions of pressure '" +
                    pressure.name + "' could follow; measure it in a run of its own");
  }
}

/// A part of a run has two process runs at least, so that its own scatter is known.
void set_sittings(RunSettings& settings, const std::optional<unsigned>& asked, const std::string& pause) {
  Profile& profile = settings.profile;
  if (!pause.empty()) profile.pause_seconds = parse_duration("--pause", pause);
  const bool in_parts = !settings.until_decided && settings.race_seconds == 0;
  const unsigned most = in_parts ? profile.process_runs / 2 : 1;
  if (asked && !in_parts && *asked > 1) throw UserError("--sessions goes with neither --until-decided nor --race");
  if (asked && *asked > most) {
    throw UserError("--sessions " + std::to_string(*asked) + ": 1 to " + std::to_string(most) + " of " +
                    std::to_string(profile.process_runs) + " process runs");
  }
  profile.sittings = std::min(asked.value_or(profile.sittings), most);
  if (!pause.empty() && profile.sittings == 1) throw UserError("--pause goes with --sessions");
}

/// Refuses what no process run could do, before anything is measured.
void check(const RunSettings& settings) {
  for (const std::string& name : settings.workloads) {
    const bool known = find_workload(name) != nullptr || name == engine_workload || name == perft_workload ||
                       name == usual_selection || name == answer_selection;
    if (!known) {
      throw UserError("unknown workload '" + name + "'; the workloads are " + all_workloads());
    }
  }
  for (const std::string& kinds : settings.kinds) parse_kind(kinds);
  const bool asks_batches =
      std::find(settings.workloads.begin(), settings.workloads.end(), "batch") != settings.workloads.end();
  if (!settings.sliders.empty() && !asks_batches) throw UserError("--sliders goes with --workload batch");
  for (const std::string& pressure : settings.pressures) check_work(parse_pressure(pressure), settings.workloads);
  for (const std::string& pages : settings.pages) {
    if (pages != "4k" && pages != "2m") throw UserError("--pages " + pages + ": the pages are 4k and 2m");
    const std::string refused = pages == "2m" ? large_pages_refused() : "";
    if (!refused.empty()) throw UserError("--pages 2m: " + refused);
  }
  for (const EngineForm& form : engine_forms(settings)) parse_engine_form(to_string(form));
  check_engine_settings(settings.engine);
}

}  // namespace

namespace {

/// What the workloads engine and perft are told.
void add_engine_options(CLI::App& command, RunSettings& settings, std::string& positions) {
  counts(command.add_option("--net", settings.nets,
                            "Workload engine: a network's width, 0 for the classical evaluation; may be "
                            "repeated (default: 0, 256, 1024)"),
         0, widest_network);
  command.add_flag("--threats", settings.threats, "Workload engine: also each network with threat features");
  command.add_flag("--batch", settings.batch,
                   "Workload engine: also each form with all sliders asked about at once, where the method can");
  counts(command.add_option("--hash", settings.engine.hash_mib, "Workload engine: MiB of the hash table"), 1,
         most_hash_mib)
      ->capture_default_str();
  counts(command.add_option("--nodes", settings.engine.nodes, "Workload engine: nodes of a search"))
      ->capture_default_str();
  command
      .add_option("--positions", positions, "Workloads engine, perft: FENs, one a line (default: 64 from real games)")
      ->type_name("FILE");
}

}  // namespace

namespace {

/// The options as they stand on the command line, before they are checked.
struct RunOptions {
  RunSettings settings;
  std::string profile = RunSettings{}.profile.name;
  bool no_random = false;
  std::string positions;
  std::string margin = "1%";
  std::string max_time;
  std::string race;
  std::string process_run_limit;
  std::string resume;
  std::string pause;
  std::optional<unsigned> process_runs, rounds, sittings;
  std::optional<double> sample_ms, warm_up_ms;
  bool emulator_allowed = false;

  void add_to(CLI::App& command);

  /// What they ask for. Throws UserError.
  RunSettings checked() const;
};

void add_protocol_options(CLI::App& command, RunOptions& options) {
  command.add_option("--profile", options.profile, "How much to measure: " + names_of(profiles))->capture_default_str();
  counts(command.add_option("--process-runs", options.process_runs,
                            "Process runs, instead of the profile's: with one, nothing can be said of their spread"),
         2, most_process_runs);
  counts(command.add_option("--rounds", options.rounds, "Rounds a process run, instead of the profile's"), 1,
         most_rounds);
  counts(command.add_option(
             "--sessions", options.sittings,
             "So many parts with pauses between them, instead of the profile's: intervals then hold for other hours"),
         1, most_process_runs / 2);
  durations(command.add_option("--pause", options.pause, "Between two sessions, instead of the profile's"));
  counts(command.add_option("--methods-per-round", options.settings.methods_per_round,
                            "More methods are split into several rounds"),
         1, 10'000)
      ->capture_default_str();
  counts(command.add_option(
             "--segment-queries", options.settings.segment_queries,
             "A sample replays one stretch of so many queries; with 256, all tables stay in the first level"),
         16, std::uint64_t{1} << 24)
      ->capture_default_str();
  milliseconds(command.add_option("--sample-ms", options.sample_ms, "Timed part of a sample, instead of the profile's"),
               0.1, 10'000);
  milliseconds(
      command.add_option("--warm-up-ms", options.warm_up_ms, "Untimed part before it, instead of the profile's"), 0,
      10'000);
  command
      .add_option(
          "--reference", options.settings.reference,
          "The method that answers and decisions are against (default: magic_fancy, which is measured in any case)")
      ->type_name("ID");
  margins(
      command.add_option("--margin", options.margin, "Times that differ by no more count as equal; fixed beforehand"))
      ->capture_default_str();
  command.add_flag("--until-decided", options.settings.until_decided,
                   "Process run after process run until every method is faster, slower or equivalent");
  durations(
      command.add_option("--max-time", options.max_time, "With --until-decided, stop after so long (default: 30m)"));
  durations(command.add_option(
      "--race", options.race,
      "After the profile's process runs, so long with those alone that may be the best, and the eight"));
  durations(command.add_option(
      "--process-run-limit", options.process_run_limit,
      "A process run that takes longer is ended, tried once more, and then left out (default: ten times "
      "what it should take, and ten minutes)"));
  command
      .add_option("--resume", options.resume,
                  "Go on with the run in this folder, with --until-decided beyond its end; all else is as it was begun")
      ->type_name("DIR");
}

void RunOptions::add_to(CLI::App& command) {
  command.add_option("--trace", settings.traces, "A trace to replay; may be repeated")->type_name("FILE");
  command.add_flag("--no-random", no_random, "Leave the random trace, the usual unrealistic contrast, out");
  add_method_options(command, settings.methods);
  command.add_option("--workload", settings.workloads, "A workload: " + all_workloads() + "; may be repeated")
      ->type_name("NAME");
  command.add_option("--kinds", settings.kinds, "Queries: all, bishop, rook, queen or both; may be repeated")
      ->type_name("KIND");
  counts(command.add_option("--sliders", settings.sliders,
                            "Workload batch: so many of a node's pieces instead of all its sliders; may be repeated"),
         1, SliderBatch::capacity);
  command
      .add_option("--pressure", settings.pressures,
                  "What an engine touches in between: " + names_of(pressure_presets) +
                      ", or LINES@BLOCK/node|eval[/random|rows]; may be repeated, and a series of LINES is a sweep")
      ->type_name("PRESSURE");
  command.add_option("--pages", settings.pages, "Pages of large tables: 4k (default) or 2m; may be repeated")
      ->type_name("PAGES");
  add_engine_options(command, settings, positions);
  counts(command.add_option("--corunner", settings.corunners,
                            "Processes that keep the shared cache busy; may be repeated"),
         0, 1024);
  add_protocol_options(command, *this);
  add_emulator_option(command, emulator_allowed);
  seeds(command.add_option("--seed", settings.seed, "Seed of the orders and of the random trace"))
      ->capture_default_str();
  counts(command.add_option(
             "--steps-before", settings.steps_before,
             "For a script: its own steps before those of the run, which leaves the answer to slidebench show"),
         0, 1000);
  command.add_option("--out", settings.out, "Folder for the results; must not hold a run yet")->type_name("DIR");
}

RunSettings RunOptions::checked() const {
  check_processor(emulator_allowed);
  RunSettings checked = settings;
  if (checked.out.empty()) throw UserError("--out is required: a folder for the results");
  checked.profile = profile_named(profile);
  checked.profile.process_runs = process_runs.value_or(checked.profile.process_runs);
  checked.profile.rounds = rounds.value_or(checked.profile.rounds);
  checked.profile.sample_ms = sample_ms.value_or(checked.profile.sample_ms);
  checked.profile.warm_up_ms = warm_up_ms.value_or(checked.profile.warm_up_ms);
  checked.margin = parse_margin(margin);
  if (!max_time.empty() && !checked.until_decided) throw UserError("--max-time goes with --until-decided");
  if (!max_time.empty()) checked.max_seconds = parse_duration("--max-time", max_time);
  if (!race.empty() && checked.until_decided) throw UserError("--race does not go with --until-decided");
  if (!race.empty()) checked.race_seconds = parse_duration("--race", race);
  set_sittings(checked, sittings, pause);
  if (!process_run_limit.empty())
    checked.process_run_seconds = parse_duration("--process-run-limit", process_run_limit);
  checked.methods.stores = std::any_of(checked.workloads.begin(), checked.workloads.end(), [](const std::string& name) {
    const Workload* workload = find_workload(name);
    return workload != nullptr && workload->needs_pieces();
  });
  checked.random_trace = !no_random;
  checked.engine.positions = positions.empty() ? engine::default_positions() : engine::read_fens(positions);
  check(checked);
  return checked;
}

/// Goes on with a run: its own command is read again, from the folder in which it was given.
void resume(const RunOptions& now) {
  const std::string out = std::filesystem::absolute(now.resume).string();
  const FolderLock lock(out);
  RunJournal journal = RunJournal::open(out, "run", now.settings.until_decided);
  RunOptions begun;
  CLI::App command;
  begun.add_to(command);
  parse_as_begun(command, journal, now.resume);
  const bool goes_on = journal.until_decided();
  if (now.settings.until_decided && !goes_on && !begun.settings.until_decided)
    throw UserError("--resume " + now.resume + ": is not finished; go on without --until-decided first");
  if (!now.max_time.empty() && !goes_on) begun.max_time = now.max_time;
  begun.settings.out = out;
  begun.settings.steps_before = 0;
  begun.settings.command_line = journal.identity().command;
  RunSettings settings = begun.checked();
  if (goes_on) {
    settings.until_decided = true;
    if (!now.max_time.empty()) settings.max_seconds = parse_duration("--max-time", now.max_time);
  }
  run_session(settings, std::move(journal));
}

}  // namespace

void add_run_command(CLI::App& program, const std::vector<std::string>& command_line) {
  CLI::App* command = program.add_subcommand("run", "Measures methods on traces and judges the differences");
  auto options = std::make_shared<RunOptions>();
  options->settings.command_line = command_line;
  options->add_to(*command);
  command->footer(
      "Prints the answer: which method in which situation, and how sure that is. DIR gets it as answer.json, and all\n"
      "figures; slidebench show DIR --all prints the tables.\n\n"
      "Example:\n  slidebench trace build --kind game --out game.trace games.pgn\n"
      "  slidebench run --trace game.trace --out reports/first\n"
      "  slidebench run --trace game.trace --method known --method family:rotated --out reports/some\n"
      "  slidebench run --trace game.trace --workload throughput --pressure nnue --method pext\n"
      "    --method hyperbola_avx2 --until-decided --max-time 20m --out reports/decided\n"
      "  slidebench run --trace game.trace --workload batch --sliders 1 --sliders 6 --method pext\n"
      "    --method hyperbola_avx2 --out reports/batch\n"
      "  slidebench run --resume reports/first --until-decided --max-time 20m");
  command->callback([options, command] {
    if (options->resume.empty()) return run_session(options->checked(), std::nullopt);
    check_only_resumes(*command);
    resume(*options);
  });
  program.add_subcommand("run-process", "Internal: one measuring process of a run")->group("")->callback(serve_process);
  program.add_subcommand("run-corunner", "Internal: keeps the caches busy")->group("")->callback(run_corunner);
}

}  // namespace slidebench
