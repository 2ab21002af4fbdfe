// SPDX-License-Identifier: MIT
//
// slidebench dose: what an engine pays for.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "harness/base/errors.hpp"
#include "harness/base/self_process.hpp"
#include "harness/cli/lab_command.hpp"
#include "harness/lab/commands.hpp"
#include "harness/lab/duel/dose_rehearsal.hpp"
#include "harness/lab/duel/duel_options.hpp"
#include "harness/lab/duel/engine_builds.hpp"
#include "harness/measure/contender.hpp"

namespace slidebench {
namespace {

/// How long a cycle of this processor is now: the shortest of some chains of dependent additions.
double cycle_ns() {
  constexpr std::uint64_t additions = 1 << 20;
  double best = INFINITY;
  for (int chain = 0; chain < 20; ++chain) {
    const auto start = std::chrono::steady_clock::now();
    run_clock(additions);
    best = std::min(best, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count());
  }
  return best / static_cast<double>(additions);
}

void run_dose(const DuelOptions& options) {
  if (options.commands.size() != 1) throw UserError("a dose is for one engine; give its command");
  DuelSettings settings = checked_conditions(options);
  if (settings.conditions.threads != 1) throw UserError("--threads: a dose is for a search of one thread");
  std::vector<duel::EngineSpec> engine{duel::read_engine(options.commands.front())};
  add_engine_options(options, engine);
  settings.engines = duel::dosed_engines(engine.front());
  const std::atomic<bool>& stop = stop_on_interrupt();
  duel::check_doses(settings.engines, settings.conditions, stop);
  settings.dose = {.queries_per_node =
                       duel::queries_per_node(settings.engines.front(), settings.conditions, settings.positions, stop),
                   .cycle_ns = cycle_ns()};
  run_duel(settings, std::nullopt);
}

}  // namespace

void add_dose_command(CLI::App& program, const std::vector<std::string>& command_line) {
  CLI::App* command = program.add_subcommand("dose", lab_description("dose"));
  auto options = std::make_shared<DuelOptions>();
  options->settings.command_line = command_line;
  options->settings.rounds = 12;
  command
      ->add_option("ENGINE", options->commands,
                   "The command of an engine built with -DSLIDEBENCH_DOSE (harness/record/README.md), in quotes")
      ->type_name("COMMAND");
  add_condition_options(*command, *options);
  add_sample_options(*command, *options);
  command->footer(
      "The engine is started without a dose and with each: dependent cycles, instructions, lines of a table, more in "
      "each\n"
      "query. All search the same positions in turns, as in a duel. What a node then costs more says whether faster\n"
      "look-ups, fewer instructions or smaller tables would make this engine faster, and by how much.\n"
      "Example:\n  slidebench dose ./engine-dose --nodes 200000 --out reports/dose\n"
      "  slidebench dose 'build/dose/*' --out reports/dose");
  command->callback([options, command] {
    options->nodes_given = command->get_option("--nodes")->count() > 0;
    run_dose(*options);
  });
}

}  // namespace slidebench
