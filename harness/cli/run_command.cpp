// SPDX-License-Identifier: MIT
//
// slidebench run: the options of a measurement.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>

#include "harness/base/errors.hpp"
#include "harness/base/text_output.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/cli/resumed_command.hpp"
#include "harness/cli/shared_options.hpp"
#include "harness/counters/hardware_counters.hpp"
#include "harness/engine/fen.hpp"
#include "harness/import/position_sample.hpp"
#include "harness/measure/table_pages.hpp"
#include "harness/plugin/workload.hpp"
#include "harness/pressure/pressure.hpp"
#include "harness/run/cells.hpp"
#include "harness/run/corunner.hpp"
#include "harness/run/emulated_times.hpp"
#include "harness/run/inputs.hpp"
#include "harness/run/perform_run.hpp"
#include "harness/run/process.hpp"
#include "harness/run/protocol_options.hpp"

namespace slidebench {
namespace {

std::string names_of(const auto& list) {
  return joined(list, ", ", [](const auto& item) { return item.name; });
}

std::string workload_names() {
  return joined(all_workloads(), ", ", [](const Workload* workload) { return workload->name; }) + ", " +
         std::string(engine_workload) + ", " + std::string(perft_workload) + ", " + std::string(cold_perft_workload) +
         ", " + std::string(usual_selection) + ", " + std::string(answer_selection);
}

/// Other work follows single queries.
void check_work(const Pressure& pressure, const std::vector<std::string>& asked) {
  if (pressure.instructions == 0) return;
  for (const std::string& name : asked) {
    const Workload* workload = find_workload(name);
    if (workload == nullptr || workload->unit == Workload::Unit::query || workload->needs_pieces) continue;
    throw UserError("workload " + name + " has no single queries, so none that the instructions of pressure '" +
                    pressure.name + "' could follow; measure it in a run of its own");
  }
}

/// Each kind must be one of some workload that was asked for.
void check_kinds(const RunSettings& settings) {
  std::vector<std::string> asked = settings.workloads;
  if (asked.empty()) asked = {"throughput", "latency"};
  for (const std::string& kinds : settings.kinds) {
    Cell cell;
    const auto takes = [&kinds](const std::string& name) {
      return find_workload(name) != nullptr && has_kinds(*find_workload(name), kinds);
    };
    const auto found = std::find_if(asked.begin(), asked.end(), takes);
    if (found == asked.end())
      throw UserError("--kinds " + kinds +
                      ": all, bishop, rook, queen or both of throughput or latency, or 1-slider to " +
                      std::to_string(SliderBatch::capacity) + "-sliders of batch, which --workload has to name");
    read_workload(cell, *found);
    read_kinds(cell, kinds);
  }
}

/// Refuses what no process run could do, before anything is measured.
void check(const RunSettings& settings) {
  for (const std::string& name : settings.workloads) {
    const bool known =
        find_workload(name) != nullptr || plays(name) || name == usual_selection || name == answer_selection;
    if (!known) {
      throw UserError("unknown workload '" + name + "'; the workloads are " + workload_names());
    }
  }
  check_kinds(settings);
  for (const std::string& pressure : settings.pressures) check_work(parse_pressure(pressure), settings.workloads);
  for (const std::string& pages : settings.pages) {
    if (pages != "4k" && pages != "2m") throw UserError("--pages " + pages + ": the pages are 4k and 2m");
    const std::string refused = pages == "2m" ? large_pages_refused() : "";
    if (!refused.empty()) throw UserError("--pages 2m: " + refused);
  }
  check_engine_settings(settings.engine);
}

/// The options as they stand on the command line, before they are checked.
struct RunOptions {
  RunSettings settings;
  std::string profile = RunSettings{}.profile.name;
  std::vector<std::string> nets;
  std::string positions;
  std::string margin = "1%";
  std::string time;
  std::optional<std::uint64_t> seed;
  std::vector<std::string> events;
  std::string resume;

  void add_to(CLI::App& command);

  /// What they ask for. Throws UserError.
  RunSettings checked() const;
};

void add_workload_options(CLI::App& command, RunOptions& options) {
  RunSettings& settings = options.settings;
  command.add_option("--workload", settings.workloads, "A workload: " + workload_names() + "; may be repeated")
      ->type_name("NAME");
  command
      .add_option(
          "--kinds", settings.kinds,
          "Queries: all, bishop, rook, queen or both; of the workload batch so many of a node's pieces instead of "
          "all its sliders, 6-sliders; may be repeated")
      ->type_name("KIND");
  command
      .add_option("--pressure", settings.pressures,
                  "What an engine touches in between: " + names_of(pressure_presets) +
                      ", or LINES@BLOCK/node|eval[/random|rows]; may be repeated, and a series of LINES is a sweep")
      ->type_name("PRESSURE");
  command.add_option("--pages", settings.pages, "Pages of large tables: 4k (default) or 2m; may be repeated")
      ->type_name("PAGES");
  counts(command.add_option("--corunner", settings.corunners,
                            "Processes that keep the shared cache busy; may be repeated"),
         0, 1024);
  counts(command.add_option(
             "--segment-queries", settings.segment_queries,
             "A sample replays one stretch of so many queries; with 256, all tables stay in the first level"),
         16, std::uint64_t{1} << 24)
      ->capture_default_str();
  command
      .add_option(
          "--net", options.nets,
          "Workload engine: a network's width, 0 for the classical evaluation, with -threats for threat features "
          "and -batch for all sliders asked about at once; may be repeated (default: 0, 256, 1024)")
      ->type_name("FORM");
  counts(command.add_option("--nodes", settings.engine.nodes, "Workload engine: nodes of a search"))
      ->capture_default_str();
  command
      .add_option("--positions", options.positions,
                  "Workloads engine, perft: FENs, one a line (default: 64 from real games)")
      ->type_name("FILE");
}

void add_protocol_options(CLI::App& command, RunOptions& options) {
  command
      .add_option("--profile", options.profile,
                  "How much to measure: " + names_of(profiles) +
                      ", or process runs and rounds of each, 16x4, and sessions with pauses, 32x12/3x5m")
      ->capture_default_str();
  durations(command.add_option(
      "--time", options.time,
      "For so long: after the profile's process runs those methods alone that may be the best, and the eight; with "
      "--resume, beyond the end of a run, those that are not decided"));
  command
      .add_option(
          "--reference", options.settings.reference,
          "The method that answers and decisions are against (default: magic_fancy, which is measured in any case)")
      ->type_name("ID");
  margins(
      command.add_option("--margin", options.margin, "Times that differ by no more count as equal; fixed beforehand"))
      ->capture_default_str();
  command
      .add_option("--resume", options.resume,
                  "Go on with the run in this folder, with --time beyond its end; all else is as it was begun")
      ->type_name("DIR");
}

void RunOptions::add_to(CLI::App& command) {
  command.add_option("--trace", settings.traces, "A trace to replay; may be repeated")->type_name("FILE");
  add_method_options(command, settings.methods);
  add_workload_options(command, *this);
  add_protocol_options(command, *this);
  add_events_option(command, events);
  seeds(command.add_option("--seed", seed,
                           "Seed of layouts, segments and orders (default: from the clock; run.json has it)"));
  command
      .add_option("--out", settings.out, "Folder for the results; one that holds a finished run gets these cells too")
      ->type_name("DIR");
}

RunSettings RunOptions::checked() const {
  check_processor();
  RunSettings checked = settings;
  if (checked.out.empty()) throw UserError("--out is required: a folder for the results");
  checked.profile = parse_profile(profile);
  checked.margin = parse_margin(margin);
  if (!time.empty()) checked.race_seconds = parse_duration("--time", time);
  if (checked.race_seconds > 0 && checked.profile.sessions > 1)
    throw UserError("--time goes with one session, and --profile " + profile + " has several");
  if (!nets.empty()) checked.forms.clear();
  for (const std::string& net : nets) checked.forms.push_back(parse_engine_form("net" + net));
  checked.seed = seed.value_or(static_cast<std::uint64_t>(std::time(nullptr)));
  if (!seed) {  // so that the command as it is written down repeats the run
    checked.command_line.emplace_back("--seed");
    checked.command_line.push_back(std::to_string(checked.seed));
  }
  checked.engine.positions = positions.empty() ? engine::default_positions() : engine::read_fens(positions);
  check(checked);
  checked.events = metrics_named(events);
  return checked;
}

/// Goes on with a run: its own command is read again, from the folder in which it was given.
void resume(const RunOptions& now) {
  const std::string out = std::filesystem::absolute(now.resume).string();
  const FolderLock lock(out);
  RunJournal journal = RunJournal::open(out, "run", !now.time.empty());
  RunOptions begun;
  CLI::App command;
  begun.add_to(command);
  parse_as_begun(command, journal, now.resume);
  const bool goes_on = journal.until_decided();
  if (!now.time.empty() && !goes_on)
    throw UserError("--resume " + now.resume + ": is not finished; go on without --time first");
  begun.settings.out = out;
  begun.settings.command_line = journal.identity().command;
  RunSettings settings = begun.checked();
  settings.until_decided = goes_on;
  if (goes_on) settings.max_seconds = parse_duration("--time", now.time.empty() ? "30m" : now.time);
  perform_run(settings, std::move(journal));
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
      "  slidebench run --workload perft --workload engine --method known --out reports/first\n"
      "  slidebench run --trace game.trace --method known --method family:rotated --out reports/some\n"
      "  slidebench run --trace game.trace --workload throughput --pressure nnue --method pext\n"
      "    --method hyperbola_avx2 --time 10m --out reports/ten_minutes\n"
      "  slidebench run --trace game.trace --workload batch --kinds 1-slider --kinds 6-sliders --method pext\n"
      "    --method hyperbola_avx2 --out reports/batch\n"
      "  slidebench run --resume reports/first --time 20m");
  command->callback([options, command] {
    if (options->resume.empty()) return perform_run(options->checked(), std::nullopt);
    check_only_resumes(*command);
    resume(*options);
  });
  program.add_subcommand("run-process", "Internal: one measuring process of a run")->group("")->callback(serve_process);
  program.add_subcommand("run-corunner", "Internal: keeps the caches busy")->group("")->callback(run_corunner);
}

}  // namespace slidebench
