// SPDX-License-Identifier: MIT
//
// slidebench perft: leaf nodes of the legal move tree, counted by a method's engine.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/base/emulator.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/json_optional.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/cli/shared_options.hpp"
#include "harness/counters/calibration.hpp"
#include "harness/counters/hardware_counters.hpp"
#include "harness/engine/fen.hpp"
#include "harness/engine/legal_moves.hpp"
#include "harness/plugin/method_selection.hpp"

namespace slidebench {
namespace {

constexpr unsigned deepest = 12;

struct PerftOptions {
  std::string method = "magic_fancy";
  std::vector<std::string> plugins;
  std::string fen{engine::start_position};
  unsigned depth = 5;
  bool divide = false;
  std::vector<std::string> events;
  bool as_json = false;
};

/// A first move and the leaves below it.
struct MoveCount {
  std::string move;
  std::uint64_t leaves;
};

/// The counts of every first move: made by the suite's own position, counted by the method's.
std::vector<MoveCount> divide(const Plugin& method, const engine::PositionState& state, unsigned depth) {
  std::vector<MoveCount> counts;
  for (const engine::Move move : engine::legal_moves(state)) {
    const std::uint64_t count =
        depth == 1 ? 1 : method.descriptor().engine.perft(engine::after(state, move), depth - 1);
    counts.push_back({engine::to_uci(move), count});
  }
  return counts;
}

/// What was counted, and in how long.
struct PerftResult {
  std::uint64_t leaves = 0;
  std::optional<double> seconds;  ///< absent under an emulator
  std::vector<MoveCount> moves;   ///< with --divide
  std::vector<CounterReading> events;
};

PerftResult count(const Plugin& method, const engine::PositionState& state, const PerftOptions& options,
                  const std::vector<Metric>& events) {
  PerftResult result;
  const auto start = std::chrono::steady_clock::now();
  if (options.divide) {
    result.moves = divide(method, state, options.depth);
    for (const MoveCount& move : result.moves) result.leaves += move.leaves;
  } else {
    result.leaves = method.descriptor().engine.perft(state, options.depth);
  }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  if (!emulator()) result.seconds = time.count();
  if (events.empty()) return result;
  EventCounters counters = open_hardware_counters(events);
  result.events = counters.count([&] { method.descriptor().engine.perft(state, options.depth); });
  return result;
}

void print(const PerftResult& result, const Plugin& method, const PerftOptions& options) {
  for (const MoveCount& move : result.moves) {
    std::printf("%s: %llu\n", move.move.c_str(), static_cast<unsigned long long>(move.leaves));
  }
  std::printf("%s%llu leaves, depth %u, %s %s", options.divide ? "\n" : "",
              static_cast<unsigned long long>(result.leaves), options.depth, method.id().c_str(),
              method.level().c_str());
  if (result.seconds) std::printf(", %.3f s", *result.seconds);
  if (result.seconds && *result.seconds > 0.01) {
    std::printf(", %.0f million a second in this one run", static_cast<double>(result.leaves) / *result.seconds * 1e-6);
  }
  std::printf("\n");
  for (const CounterReading& reading : result.events) {
    if (!reading.value) continue;
    std::printf("%s: %llu, %.4f a leaf, measured by %s\n", reading.metric.c_str(),
                static_cast<unsigned long long>(*reading.value),
                static_cast<double>(*reading.value) / static_cast<double>(result.leaves), reading.event.c_str());
  }
}

nlohmann::json to_json(const PerftResult& result, const Plugin& method, const PerftOptions& options) {
  nlohmann::json json = {{"method", method.id()},  {"level", method.level()}, {"fen", options.fen},
                         {"depth", options.depth}, {"leaves", result.leaves}, {"seconds", result.seconds}};
  for (const CounterReading& reading : result.events) {
    if (reading.value) json["events"][reading.metric] = {{"value", *reading.value}, {"event", reading.event}};
  }
  if (options.divide) json["moves"] = nlohmann::json::array();
  for (const MoveCount& move : result.moves) json["moves"].push_back({{"move", move.move}, {"leaves", move.leaves}});
  return json;
}

void run_perft_command(const PerftOptions& options) {
  const engine::PositionState state = engine::parse_fen(options.fen);
  std::vector<Metric> events;
  if (!options.events.empty()) {
    const Calibration found = calibrated(metrics_named(options.events));
    for (const CalibrationFault& fault : found.faults) std::cerr << "slidebench: " << text_of(fault) << "\n";
    events = found.believed;
  }
  const Plugin method = select_player(options.method, options.plugins);
  const PerftResult result = count(method, state, options, events);
  if (options.as_json) {
    std::cout << to_json(result, method, options).dump(2) << "\n";
  } else {
    print(result, method, options);
  }
}

}  // namespace

void add_perft_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("perft", "Counts the leaves of the legal move tree");
  auto options = std::make_shared<PerftOptions>();
  command->add_option("--method", options->method, "The method that generates the moves")
      ->type_name("ID")
      ->capture_default_str();
  command->add_option("--plugin", options->plugins, "A module built elsewhere, or a folder of them; may be repeated")
      ->type_name("PATH");
  counts(command->add_option("--depth", options->depth, "Plies"), 1, deepest)->capture_default_str();
  command->add_option("--fen", options->fen, "The position (default: the start of a game)")->type_name("FEN");
  add_events_option(*command, options->events);
  command->add_flag("--divide", options->divide, "Also the count of every first move");
  command->add_flag("--json", options->as_json, "As JSON");
  command->footer(
      "Example:\n  slidebench perft --method pext --depth 6\n  slidebench perft --depth 4 --divide --fen "
      "\"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\"");
  command->callback([options] { run_perft_command(*options); });
}

}  // namespace slidebench
