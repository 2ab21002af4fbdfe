// SPDX-License-Identifier: MIT
//
// slidebench duel: the options of a comparison of UCI engines.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>

#include "harness/base/errors.hpp"
#include "harness/cli/lab_command.hpp"
#include "harness/cli/shared_options.hpp"
#include "harness/engine/default_positions.hpp"
#include "harness/engine/fen.hpp"
#include "harness/engine/legal_moves.hpp"
#include "harness/import/position_sample.hpp"
#include "harness/lab/commands.hpp"
#include "harness/lab/duel/duel_session.hpp"
#include "harness/lab/duel/engine_builds.hpp"
#include "harness/run/emulated_times.hpp"
#include "harness/run/inputs.hpp"
#include "harness/run/protocol_options.hpp"

namespace slidebench {
namespace {

/// The options as they stand on the command line, before they are checked.
struct DuelOptions {
  DuelSettings settings;
  std::vector<std::string> commands;
  std::vector<std::string> options;
  std::string positions;
  std::string margin = "1%";
  std::string max_time;
  std::vector<std::string> names;
  std::string resume;
  std::string start_limit = "2m";
  std::string turn_limit = "60s";
  bool nodes_given = false;
  bool emulator_allowed = false;
};

/// "NAME=VALUE" for all engines, "2:NAME=VALUE" for the second; a button has no "=VALUE".
void add_option_to(std::vector<duel::EngineSpec>& engines, const std::string& text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool for_one = error == std::errc{} && end != text.data() + text.size() && *end == ':';
  if (for_one && (number == 0 || number > engines.size())) {
    throw UserError("--option " + text + ": there are engines 1 to " + std::to_string(engines.size()));
  }
  const std::string rest = for_one ? std::string(end + 1, text.data() + text.size()) : text;
  const std::size_t equals = rest.find('=');
  const duel::OptionValue option{rest.substr(0, equals), equals == std::string::npos ? "" : rest.substr(equals + 1)};
  if (option.name.empty() || option.name.find_first_of("\r\n") != std::string::npos ||
      option.value.find_first_of("\r\n") != std::string::npos) {
    throw UserError("--option " + text + ": write NAME=VALUE, or 2:NAME=VALUE for the second engine alone");
  }
  for (std::size_t i = 0; i < engines.size(); ++i) {
    if (!for_one || i + 1 == number) engines[i].options.push_back(option);
  }
}

/// Names of engines in their order.
void set_names(std::vector<duel::EngineSpec>& engines, const std::vector<std::string>& names) {
  if (names.size() > engines.size()) throw UserError("--name: more names than engines");
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!engines[i].name.empty() && engines[i].name != names[i])
      throw UserError("--name " + names[i] + ": this engine is called " + engines[i].name + " already");
    engines[i].name = names[i];
  }
}

std::vector<engine::PositionState> positions_to_play(const std::string& file) {
  std::vector<engine::PositionState> positions = file.empty() ? engine::default_positions() : engine::read_fens(file);
  for (const engine::PositionState& position : positions) {
    if (engine::legal_moves(position).size() > 0) continue;
    throw UserError("no legal move in " + engine::to_fen(position) + ": nothing can be searched there; take it out");
  }
  return positions;
}

void check_limit(const DuelOptions& options) {
  const duel::Conditions& conditions = options.settings.conditions;
  if (conditions.limit.depth > 0 && options.nodes_given) throw UserError("--nodes and --depth: give one of them");
  if (conditions.limit.depth == 0 && conditions.limit.nodes == 0) throw UserError("--nodes 0: at least one node");
  if (conditions.limit.nodes > 1'000'000'000'000) throw UserError("--nodes: at most 10^12");
  if (conditions.limit.depth > 200) throw UserError("--depth: at most 200");
  if (conditions.hash_mib == 0) throw UserError("--hash 0: at least 1 MiB");
  if (conditions.threads == 0) throw UserError("--threads 0: at least 1");
}

DuelSettings checked(const DuelOptions& options) {
  check_processor(options.emulator_allowed);
  DuelSettings settings = options.settings;
  if (settings.out.empty()) throw UserError("--out is required: a folder for the results");
  if (options.commands.size() < 2) throw UserError("a duel is between two engines or more; give their commands");
  check_limit(options);
  if (settings.conditions.limit.depth > 0) settings.conditions.limit.nodes = 0;
  if (settings.process_runs < 2) throw UserError("--process-runs: at least 2, or nothing can be said of their spread");
  if (settings.rounds == 0) throw UserError("--rounds 0: a process run needs at least one round");
  for (const std::string& command : options.commands) settings.engines.push_back(duel::read_engine(command));
  set_names(settings.engines, options.names);
  for (const std::string& option : options.options) add_option_to(settings.engines, option);
  settings.margin = parse_margin(options.margin);
  if (!options.max_time.empty() && !settings.until_decided) throw UserError("--max-time goes with --until-decided");
  if (!options.max_time.empty()) settings.max_seconds = parse_duration("--max-time", options.max_time);
  settings.conditions.start_seconds = parse_duration("--start-limit", options.start_limit);
  settings.conditions.turn_seconds = parse_duration("--turn-limit", options.turn_limit);
  settings.positions = positions_to_play(options.positions);
  return settings;
}

void add_conditions(CLI::App& command, DuelOptions& options) {
  duel::Conditions& conditions = options.settings.conditions;
  command.add_option("--nodes", conditions.limit.nodes, "Nodes of a search (`go nodes`)")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--depth", conditions.limit.depth, "Instead: depth of a search (`go depth`)")->type_name("N");
  command.add_option("--hash", conditions.hash_mib, "MiB of hash, each")->capture_default_str();
  command.add_option("--threads", conditions.threads, "Threads, each; with more than one nothing is pinned to a CPU")
      ->capture_default_str();
  command
      .add_option("--option", options.options,
                  "A UCI option of all engines, or of one by its number: 2:NAME=VALUE; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);  // or it would take engines for values
  command.add_option("--positions", options.positions, "FENs or EPDs, one a line (default: 64 from real games)")
      ->type_name("FILE");
  command.add_option("--start-limit", options.start_limit, "How long an engine may take to get ready")
      ->type_name("TIME")
      ->capture_default_str();
  command.add_option("--turn-limit", options.turn_limit, "How long a search may take")
      ->type_name("TIME")
      ->capture_default_str();
}

void add_protocol(CLI::App& command, DuelOptions& options) {
  DuelSettings& settings = options.settings;
  command.add_option("--name", options.names, "What to call an engine, in their order (default: its own name)")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command.add_option("--process-runs", settings.process_runs, "How often the engines are started anew")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--rounds", settings.rounds, "Positions a process run, searched by every engine")
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--reference", settings.reference,
                  "The name of the engine that the others are compared with (default: the first)")
      ->type_name("NAME");
  command.add_option("--margin", options.margin, "Times that differ by no more count as equal; fixed beforehand")
      ->type_name("PERCENT")
      ->capture_default_str();
  command.add_flag("--until-decided", settings.until_decided,
                   "Process run after process run until every engine is faster, slower or equivalent");
  command.add_option("--max-time", options.max_time, "With --until-decided, stop after so long (default: 30m)")
      ->type_name("TIME");
  add_emulator_option(command, options.emulator_allowed);
  command.add_option("--seed", settings.seed, "Seed of the orders")->capture_default_str();
  command.add_option("--out", settings.out, "Folder for the results; must not hold a run yet")->type_name("DIR");
  command
      .add_option(
          "--resume", options.resume,
          "Go on with the duel in this folder, with --until-decided beyond its end; all else is as it was begun")
      ->type_name("DIR");
}

void add_options(CLI::App& command, DuelOptions& options) {
  command
      .add_option(
          "ENGINE", options.commands,
          "Commands of two engines or more, each with its arguments in quotes; NAME='BUILDS/*' are builds of one "
          "source, of which each process run draws one")
      ->type_name("COMMAND");
  add_conditions(command, options);
  add_protocol(command, options);
}

/// Goes on with a duel: its own command is read again, from the folder in which it was given.
void resume(const DuelOptions& now) {
  const std::string out = std::filesystem::absolute(now.resume).string();
  const FolderLock lock(out);
  RunJournal journal = RunJournal::open(out, now.settings.until_decided);
  DuelOptions begun;
  CLI::App command;
  add_options(command, begun);
  std::vector<std::string> words = journal.identity().command;
  if (words.size() < 2 || words[1] != "duel")
    throw UserError("--resume " + now.resume + ": holds no duel; slidebench run --resume goes on with a run");
  words.erase(words.begin(), words.begin() + 2);  // the program's name, and "duel"
  std::reverse(words.begin(), words.end());       // as CLI11 wants them
  try {
    command.parse(words);
  } catch (const CLI::ParseError&) {
    throw UserError("--resume " + now.resume + ": was begun by another build of slidebench; start a new duel");
  }
  std::error_code error;
  std::filesystem::current_path(journal.identity().folder, error);
  if (error) throw UserError("--resume " + now.resume + ": the folder in which it was begun is gone");
  const bool goes_on = journal.until_decided();
  if (now.settings.until_decided && !goes_on && !begun.settings.until_decided)
    throw UserError("--resume " + now.resume + ": is not finished; go on without --until-decided first");
  begun.nodes_given = command.get_option("--nodes")->count() > 0;
  begun.settings.out = out;
  begun.settings.command_line = journal.identity().command;
  begun.settings.until_decided = begun.settings.until_decided || goes_on;
  if (!now.max_time.empty()) begun.max_time = now.max_time;
  run_duel(checked(begun), std::move(journal));
}

/// Refuses what the duel to be continued has settled.
void check_only_resumes(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    const bool may_come = name == "--resume" || name == "--max-time" || name == "--until-decided";
    if (option->count() > 0 && !may_come)
      throw UserError("--resume goes with --until-decided and --max-time alone: all else is as it was begun");
  }
}

}  // namespace

void add_duel_command(CLI::App& program, const std::vector<std::string>& command_line) {
  CLI::App* command = program.add_subcommand("duel", lab_description("duel"));
  auto options = std::make_shared<DuelOptions>();
  options->settings.command_line = command_line;
  add_options(*command, *options);
  command->footer(
      "All engines search the same positions, in turns, on one CPU, from an empty hash table. The first is started\n"
      "twice: the A/A control. What is compared is CPU time per node, with the statistics of slidebench run.\n"
      "Example:\n  slidebench duel ./engine-old ./engine-new --nodes 200000 --out reports/duel\n"
      "  slidebench duel 'slidebench uci --method magic_fancy' 'slidebench uci --method pext' --margin 0.5%\n"
      "    --until-decided --max-time 20m --out reports/decided\n"
      "  slidebench duel 'old=build/old/*' 'new=build/new/*' --out reports/builds\n"
      "  slidebench duel --resume reports/builds --until-decided --max-time 20m");
  command->callback([options, command] {
    options->nodes_given = command->get_option("--nodes")->count() > 0;
    if (options->resume.empty()) return run_duel(checked(*options), std::nullopt);
    check_only_resumes(*command);
    resume(*options);
  });
}

}  // namespace slidebench
