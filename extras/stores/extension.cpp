// SPDX-License-Identifier: MIT
//
// What stores add to the program: the workloads `moves` and `keep`, and the verification of their modules on random
// boards, in random legal games and along a trace.
#include "harness/plugin/extension.hpp"

#include <array>
#include <random>

#include "extras/stores/ask_anew.hpp"
#include "extras/stores/replay_keep.hpp"
#include "extras/stores/store_check.hpp"
#include "harness/engine/fen.hpp"
#include "harness/engine/legal_moves.hpp"
#include "harness/engine/position.hpp"
#include "harness/trace/reader.hpp"
#include "methods/calculation/hyperbola.hpp"
#include "methods/calculation/ray_walk.hpp"

namespace slidebench {
namespace {

/// Precondition: it is of this type and version, as extension_of() finds out.
const StoreModule& module_of(const void* extension) { return *static_cast<const StoreModule*>(extension); }

Verification verification_of(const Plugin& plugin) {
  return Verification(plugin.id(), module_of(plugin.descriptor().extension).queries);
}

/// Random legal games from positions of real ones: castling, promotions and en passant as they come.
void play_random_games(Verification& verification, std::uint64_t boards, std::mt19937_64& random) {
  constexpr unsigned longest = 300;
  const std::vector<engine::PositionState> starts = engine::default_positions();
  std::uint64_t seen = 0;
  while (seen < boards && !verification.failed()) {
    const engine::PositionState& start = starts[random() % starts.size()];
    engine::Position<Hyperbola> position(start);
    verification.begin(engine::board_of(start));
    for (unsigned ply = 0; ply < longest && !verification.failed(); ++ply, ++seen) {
      const engine::MoveList moves = engine::legal_moves(position.state());
      if (moves.size() == 0) break;
      const engine::Move move = moves[static_cast<unsigned>(random() % moves.size())];
      verification.make_both_ways(change_of(verification.board(), move.bits()));
      position.make(move);
    }
  }
}

/// Boards and games.
ModuleVerdict verify_at_random(const Plugin& plugin, const VerificationOptions& options) {
  const std::uint64_t boards = options.random_boards / 10;
  std::mt19937_64 random(options.seed);
  Verification verification = verification_of(plugin);
  walk_random_boards(verification, boards, random);
  if (!verification.failed()) play_random_games(verification, boards, random);
  return verification.verdict();
}

/// Every node of a trace. Precondition: it tells the pieces.
ModuleVerdict verify_along(const Plugin& plugin, const Trace& trace) {
  Verification verification = verification_of(plugin);
  for (const TraceBlock& block : trace.blocks()) {
    const PackedBoard* next_board = block.boards;
    const MoveCode* next_move = block.moves;
    std::vector<Change> line;
    const auto make = [&] {
      line.push_back(change_of(verification.board(), *next_move++));
      verification.make(line.back());
    };
    verification.begin(unpack(*next_board++));
    for (std::uint32_t n = 0; n < block.line && !verification.failed(); ++n) make();
    for (std::uint32_t node = 1; node < block.nodes && !verification.failed(); ++node) {
      const NodeTag tag = block.tags[node];
      if (makes_move(tag)) {
        make();
      } else if (takes_back(tag)) {
        verification.unmake(line.back());
        line.pop_back();
      } else if (node_event(tag) == NodeEvent::root) {
        verification.begin(unpack(*next_board++));
      }
    }
    if (verification.failed()) break;
  }
  return verification.verdict();
}

ModuleVerdict verify(const Plugin& plugin, const VerificationOptions& options) {
  const ModuleVerdict store = verify_at_random(plugin, options);
  if (store.failure || options.trace.empty()) return store;
  const ModuleVerdict along = verify_along(plugin, Trace::open(options.trace));
  return {store.answers + along.answers, 0, along.failure};
}

template <WorkloadKernels StoreModule::*member>
const WorkloadKernels& kernels_of(const ReplayKernels&, const void* extension) {
  static constexpr WorkloadKernels none{};
  return extension == nullptr ? none : module_of(extension).*member;
}

constexpr std::array workloads_of_stores{
    Workload{"moves", "moves made and taken back, and what is kept from move to move", &kernels_of<&StoreModule::moves>,
             Workload::Unit::move, true,
             [](const TraceBlock& block) { return replay_moves<MethodLine<RayWalk>>(block); }},
    Workload{"keep", "moves made and taken back, and the trace's questions about attacks and attackers between",
             &kernels_of<&StoreModule::keep>, Workload::Unit::query, true,
             [](const TraceBlock& block) { return replay_keep<AskAnew<RayWalk>>(block); }}};

constexpr Extension stores{StoreModule::current_id, workloads_of_stores, "ask_magic_fancy", &verify};
const bool is_added = add_extension(stores);

}  // namespace
}  // namespace slidebench
