// SPDX-License-Identifier: MIT
//
// slidebench duel: the options of a comparison of UCI engines.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "extras/engines/commands.hpp"
#include "extras/engines/duel/duel_options.hpp"
#include "extras/engines/duel/duel_session.hpp"
#include "extras/engines/duel/duel_text.hpp"
#include "extras/engines/duel/engine_builds.hpp"
#include "harness/base/errors.hpp"
#include "harness/cli/extra_command.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/cli/resumed_command.hpp"
#include "harness/run/inputs.hpp"
#include "harness/run/protocol_options.hpp"

namespace slidebench {
namespace {

DuelSettings checked(const DuelOptions& options) {
  if (options.commands.size() < 2) throw UserError("a duel is between two engines or more; give their commands");
  DuelSettings settings = checked_conditions(options);
  for (const std::string& command : options.commands) settings.engines.push_back(duel::read_engine(command));
  add_engine_options(options, settings.engines);
  settings.margin = parse_margin(options.margin);
  settings.until_decided = !options.time.empty();
  if (settings.until_decided) settings.max_seconds = parse_duration("--time", options.time);
  return settings;
}

void add_protocol(CLI::App& command, DuelOptions& options) {
  DuelSettings& settings = options.settings;
  command
      .add_option("--reference", settings.reference,
                  "The name of the engine that the others are compared with (default: the first)")
      ->type_name("NAME");
  margins(
      command.add_option("--margin", options.margin, "Times that differ by no more count as equal; fixed beforehand"))
      ->capture_default_str();
  durations(command.add_option(
      "--time", options.time,
      "Process run after process run until every engine is faster, slower or equivalent, or so long"));
  command
      .add_option("--resume", options.resume,
                  "Go on with the duel in this folder, with --time beyond its end; all else is as it was begun")
      ->type_name("DIR");
}

void add_options(CLI::App& command, DuelOptions& options) {
  command.add_option("--tell", options.tell, "Only say what a duel has found, against --reference: slidebench show")
      ->type_name("DIR");
  command
      .add_option(
          "ENGINE", options.commands,
          "Commands of two engines or more, each with its arguments in quotes; NAME=COMMAND says what to call one, and "
          "NAME='BUILDS/*' are builds of one source, of which each process run draws one")
      ->type_name("COMMAND");
  add_condition_options(command, options);
  add_sample_options(command, options);
  add_protocol(command, options);
}

/// Goes on with a duel: its own command is read again, from the folder in which it was given.
void resume(const DuelOptions& now) {
  const std::string out = std::filesystem::absolute(now.resume).string();
  const FolderLock lock(out);
  RunJournal journal = RunJournal::open(out, "duel", !now.time.empty());
  DuelOptions begun;
  CLI::App command;
  add_options(command, begun);
  parse_as_begun(command, journal, now.resume);
  if (!now.time.empty() && !journal.until_decided() && begun.time.empty())
    throw UserError("--resume " + now.resume + ": is not finished; go on without --time first");
  if (journal.until_decided() && now.time.empty()) begun.time = "30m";
  begun.nodes_given = command.get_option("--nodes")->count() > 0;
  begun.settings.out = out;
  begun.settings.command_line = journal.identity().command;
  if (!now.time.empty()) begun.time = now.time;
  run_duel(checked(begun), std::move(journal));
}

}  // namespace

void add_duel_command(CLI::App& program, const std::vector<std::string>& command_line) {
  CLI::App* command = program.add_subcommand("duel", extra_description("duel"));
  auto options = std::make_shared<DuelOptions>();
  options->settings.command_line = command_line;
  add_options(*command, *options);
  command->footer(
      "All engines search the same positions, in turns, on one CPU, from an empty hash table. The first is started\n"
      "twice: the A/A control. What is compared is CPU time per node, with the statistics of slidebench run.\n"
      "Example:\n  slidebench duel ./engine-old ./engine-new --nodes 200000 --out reports/duel\n"
      "  slidebench duel 'slidebench uci --method magic_fancy' 'slidebench uci --method pext' --margin 0.5%\n"
      "    --time 20m --out reports/decided\n"
      "  slidebench duel 'old=build/old/*' 'new=build/new/*' --out reports/builds\n"
      "  slidebench duel --resume reports/builds --time 20m");
  command->callback([options, command] {
    options->nodes_given = command->get_option("--nodes")->count() > 0;
    if (!options->tell.empty()) {
      std::cout << told(read_run_folder(options->tell), options->settings.reference);
      return;
    }
    if (options->resume.empty()) return run_duel(checked(*options), std::nullopt);
    check_only_resumes(*command);
    resume(*options);
  });
}

}  // namespace slidebench
