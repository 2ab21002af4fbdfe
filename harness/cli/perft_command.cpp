// SPDX-License-Identifier: MIT
//
// slidebench perft: leaf nodes of the legal move tree, counted by a method's engine.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/method_selection.hpp"
#include "harness/engine/fen.hpp"
#include "harness/engine/move_generator.hpp"
#include "harness/engine/perft.hpp"
#include "harness/engine/position.hpp"
#include "harness/engine/uci_move.hpp"
#include "harness/trace/errors.hpp"
#include "methods/calculation/ray_walk.hpp"

namespace slidebench {
namespace {

constexpr unsigned deepest = 12;

struct PerftOptions {
  std::string method = "magic_fancy";
  std::vector<std::string> plugins;
  std::string fen{engine::start_position};
  unsigned depth = 0;
  bool divide = false;
};

/// The counts of every first move: made by the oracle's position, counted by the method's.
std::uint64_t print_divide(const Plugin& method, const engine::PositionState& state, unsigned depth) {
  engine::Position<RayWalk> position(state);
  engine::MoveList moves;
  engine::generate<engine::GenKind::all>(position, moves);
  std::uint64_t total = 0;
  for (const engine::Move move : moves) {
    position.make(move);
    const std::uint64_t count = depth == 1 ? 1 : method.descriptor().engine.perft(position.state(), depth - 1);
    position.unmake(move);
    std::printf("%s: %llu\n", engine::to_uci(move).c_str(), static_cast<unsigned long long>(count));
    total += count;
  }
  return total;
}

void run_perft_command(const PerftOptions& options) {
  const engine::PositionState state = engine::parse_fen(options.fen);
  const Plugin method = select_player(options.method, options.plugins);
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t leaves = options.divide ? print_divide(method, state, options.depth)
                                              : method.descriptor().engine.perft(state, options.depth);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%s%llu leaves, depth %u, %s %s, %.3f s", options.divide ? "\n" : "",
              static_cast<unsigned long long>(leaves), options.depth, method.id().c_str(), method.level().c_str(),
              seconds);
  if (seconds > 0.01)
    std::printf(", %.0f million a second in this one run", static_cast<double>(leaves) / seconds * 1e-6);
  std::printf("\n");
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
  command->add_option("--depth", options->depth, "Plies")->required()->check(CLI::Range(1u, deepest));
  command->add_option("--fen", options->fen, "The position (default: the start of a game)")->type_name("FEN");
  command->add_flag("--divide", options->divide, "Also the count of every first move");
  command->footer(
      "Example:\n  slidebench perft --method pext --depth 6\n  slidebench perft --depth 4 --divide --fen "
      "\"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\"");
  command->callback([options] { run_perft_command(*options); });
}

}  // namespace slidebench
