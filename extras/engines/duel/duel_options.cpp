// SPDX-License-Identifier: MIT
#include "extras/engines/duel/duel_options.hpp"

#include <CLI/CLI.hpp>
#include <charconv>

#include "harness/base/errors.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/cli/shared_options.hpp"
#include "harness/engine/fen.hpp"
#include "harness/engine/legal_moves.hpp"
#include "harness/import/position_sample.hpp"
#include "harness/run/emulated_times.hpp"
#include "harness/run/protocol_options.hpp"

namespace slidebench {
namespace {

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
}

}  // namespace

void add_condition_options(CLI::App& command, DuelOptions& options) {
  duel::Conditions& conditions = options.settings.conditions;
  counts(command.add_option("--nodes", conditions.limit.nodes, "Nodes of a search (`go nodes`)"))
      ->capture_default_str();
  counts(command.add_option("--depth", conditions.limit.depth, "Instead: depth of a search (`go depth`)"), 1, 200);
  counts(command.add_option("--hash", conditions.hash_mib, "MiB of hash, each"), 1, std::uint64_t{1} << 24)
      ->capture_default_str();
  counts(command.add_option("--threads", conditions.threads,
                            "Threads, each; with more than one nothing is pinned to a CPU"),
         1, 1024)
      ->capture_default_str();
  command
      .add_option("--option", options.options,
                  "A UCI option of all engines, or of one by its number: 2:NAME=VALUE; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);  // or it would take engines for values
  command.add_option("--positions", options.positions, "FENs or EPDs, one a line (default: 64 from real games)")
      ->type_name("FILE");
  durations(command.add_option("--start-limit", options.start_limit, "How long an engine may take to get ready"))
      ->capture_default_str();
  durations(command.add_option("--turn-limit", options.turn_limit, "How long a search may take"))
      ->capture_default_str();
}

void add_sample_options(CLI::App& command, DuelOptions& options) {
  DuelSettings& settings = options.settings;
  counts(command.add_option("--process-runs", settings.process_runs,
                            "How often the engines are started anew: with once, nothing can be said of their spread"),
         2, most_process_runs)
      ->capture_default_str();
  counts(command.add_option("--rounds", settings.rounds, "Positions a process run, searched by every engine"), 1,
         most_rounds)
      ->capture_default_str();
  seeds(command.add_option("--seed", settings.seed, "Seed of the orders"))->capture_default_str();
  command.add_option("--out", settings.out, "Folder for the results; must not hold a run yet")->type_name("DIR");
}

DuelSettings checked_conditions(const DuelOptions& options) {
  check_processor();
  DuelSettings settings = options.settings;
  if (settings.out.empty()) throw UserError("--out is required: a folder for the results");
  check_limit(options);
  if (settings.conditions.limit.depth > 0) settings.conditions.limit.nodes = 0;
  settings.conditions.start_seconds = parse_duration("--start-limit", options.start_limit);
  settings.conditions.turn_seconds = parse_duration("--turn-limit", options.turn_limit);
  settings.positions = positions_to_play(options.positions);
  return settings;
}

void add_engine_options(const DuelOptions& options, std::vector<duel::EngineSpec>& engines) {
  for (const std::string& option : options.options) add_option_to(engines, option);
}

}  // namespace slidebench
