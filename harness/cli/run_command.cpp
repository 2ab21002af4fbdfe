// SPDX-License-Identifier: MIT
//
// slidebench run: the options of a measurement.
#include <CLI/CLI.hpp>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/corunner.hpp"
#include "harness/cli/run_cells.hpp"
#include "harness/cli/run_session.hpp"
#include "harness/engine/default_positions.hpp"
#include "harness/engine/position_sample.hpp"
#include "harness/plugin/pressure.hpp"
#include "harness/timing/table_pages.hpp"
#include "harness/timing/trace_selection.hpp"
#include "harness/timing/workload.hpp"
#include "harness/trace/errors.hpp"

namespace slidebench {
namespace {

std::string names_of(const auto& list) {
  std::string names;
  for (const auto& item : list) names += (names.empty() ? "" : ", ") + std::string(item.name);
  return names;
}

Profile profile_named(const std::string& name) {
  for (const Profile& profile : profiles) {
    if (profile.name == name) return profile;
  }
  throw UserError("unknown profile '" + name + "'; the profiles are " + names_of(profiles));
}

std::string all_workloads() {
  return names_of(workloads) + ", " + std::string(engine_workload) + ", " + std::string(perft_workload) + ", " +
         std::string(usual_selection);
}

/// Refuses what no launch could do, before anything is measured.
void check(const RunSettings& settings) {
  for (const std::string& name : settings.workloads) {
    const bool known =
        find_workload(name) != nullptr || name == engine_workload || name == perft_workload || name == usual_selection;
    if (!known) {
      throw UserError("unknown workload '" + name + "'; the workloads are " + all_workloads());
    }
  }
  for (const std::string& kinds : settings.kinds) parse_kind(kinds);
  for (const std::string& pressure : settings.pressures) parse_pressure(pressure);
  for (const std::string& pages : settings.pages) {
    if (pages != "4k" && pages != "2m") throw UserError("--pages " + pages + ": the pages are 4k and 2m");
    const std::string refused = pages == "2m" ? large_pages_refused() : "";
    if (!refused.empty()) throw UserError("--pages 2m: " + refused);
  }
  for (const EngineForm& form : engine_forms(settings)) parse_engine_form(to_string(form));
  check_engine_settings(settings.engine);
  for (const unsigned corunners : settings.corunners) {
    if (corunners > 1024) throw UserError("--corunner " + std::to_string(corunners) + ": at most 1024");
  }
}

}  // namespace

namespace {

/// What the workloads engine and perft are told.
void add_engine_options(CLI::App& command, RunSettings& settings, std::string& positions) {
  command
      .add_option("--net", settings.nets,
                  "Workload engine: a network's width, 0 for the classical evaluation; may be "
                  "repeated (default: 0, 256, 1024)")
      ->type_name("N");
  command.add_flag("--threats", settings.threats, "Workload engine: also each network with threat features");
  command.add_option("--hash", settings.engine.hash_mib, "Workload engine: MiB of the hash table")
      ->capture_default_str();
  command.add_option("--nodes", settings.engine.nodes, "Workload engine: nodes of a search")->capture_default_str();
  command
      .add_option("--positions", positions, "Workloads engine, perft: FENs, one a line (default: 64 from real games)")
      ->type_name("FILE");
}

}  // namespace

void add_run_command(CLI::App& program, const std::vector<std::string>& command_line) {
  CLI::App* command = program.add_subcommand("run", "Measures methods on traces and judges the differences");
  auto settings = std::make_shared<RunSettings>();
  settings->command_line = command_line;
  auto profile = std::make_shared<std::string>(settings->profile.name);
  auto no_random = std::make_shared<bool>(false);
  auto positions = std::make_shared<std::string>();
  command->add_option("--trace", settings->traces, "A trace to replay; may be repeated")->type_name("FILE");
  command->add_flag("--no-random", *no_random, "Leave the random trace, the usual unrealistic contrast, out");
  settings->methods.add_to(*command);
  command->add_option("--workload", settings->workloads, "A workload: " + all_workloads() + "; may be repeated")
      ->type_name("NAME");
  command->add_option("--kinds", settings->kinds, "Queries: all, bishop, rook, queen or both; may be repeated")
      ->type_name("KIND");
  command
      ->add_option("--pressure", settings->pressures,
                   "What an engine touches in between: " + names_of(pressure_presets) +
                       ", or LINES@BLOCK/node|eval[/random|rows]; may be repeated, and a series of LINES is a sweep")
      ->type_name("PRESSURE");
  command->add_option("--pages", settings->pages, "Pages of large tables: 4k (default) or 2m; may be repeated")
      ->type_name("PAGES");
  add_engine_options(*command, *settings, *positions);
  command->add_option("--corunner", settings->corunners, "Processes that keep the shared cache busy; may be repeated")
      ->type_name("N");
  command->add_option("--profile", *profile, "How much to measure: " + names_of(profiles))->capture_default_str();
  command->add_option("--seed", settings->seed, "Seed of the orders and of the random trace")->capture_default_str();
  command->add_option("--out", settings->out, "Folder for the results; must not hold a run yet")
      ->type_name("DIR")
      ->required();
  command->footer(
      "Example:\n  slidebench trace build --kind game --out game.trace games.pgn\n"
      "  slidebench run --trace game.trace --profile quick --out reports/first\n"
      "  slidebench run --trace game.trace --workload latency --kinds both --pressure isolated --pressure nnue\n"
      "    --method pext --method hyperbola_avx2 --out reports/both");
  command->callback([settings, profile, no_random, positions] {
    settings->engine.positions = positions->empty() ? engine::default_positions() : engine::read_fens(*positions);
    settings->profile = profile_named(*profile);
    settings->random_trace = !*no_random;
    check(*settings);
    run_session(*settings);
  });
  program.add_subcommand("run-launch", "Internal: one measuring process of a run")->group("")->callback(serve_launch);
  program.add_subcommand("run-corunner", "Internal: keeps the caches busy")->group("")->callback(run_corunner);
}

}  // namespace slidebench
