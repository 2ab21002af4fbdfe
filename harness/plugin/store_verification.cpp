// SPDX-License-Identifier: MIT
#include "harness/plugin/store_verification.hpp"

#include <random>

#include "harness/chess/store_check.hpp"
#include "harness/engine/default_positions.hpp"
#include "harness/engine/legal_moves.hpp"
#include "harness/engine/position.hpp"
#include "harness/engine/slider_sets.hpp"
#include "methods/calculation/hyperbola.hpp"

namespace slidebench {
namespace {

/// Counts the boards that are checked, and keeps the first fault.
class Verification {
 public:
  explicit Verification(const Plugin& plugin) : id_(plugin.id()), check_(*plugin.descriptor().store) {}

  const PieceBoard& board() const { return check_.board(); }
  bool failed() const { return verdict_.failure.has_value(); }
  StoreVerdict verdict() const { return verdict_; }

  void begin(const PieceBoard& board) { note(check_.begin(board)); }
  void make(const Change& change, bool with_threats) { note(check_.make(change, with_threats)); }
  void unmake(const Change& change) { note(check_.unmake(change)); }
  void make_both_ways(const Change& change, bool with_threats) {
    note(check_.make_and_unmake(change, with_threats));
    if (!failed()) note(check_.make(change, !with_threats));
  }

 private:
  void note(const std::string& fault) {
    ++verdict_.answers;
    if (!fault.empty() && !failed()) verdict_.failure = id_ + ": as a store: " + fault;
  }

  std::string id_;
  StoreCheck check_;
  StoreVerdict verdict_;
};

/// Random pieces, random moves that fit: what no game has, such as sixteen queens.
void walk_random_boards(Verification& verification, std::uint64_t boards, std::mt19937_64& random) {
  constexpr unsigned most_moves = 8;
  for (std::uint64_t n = 0; n < boards && !verification.failed(); n += most_moves) {
    verification.begin(random_board(random));
    MoveCode move = 0;
    for (unsigned ply = 0; ply < most_moves && !verification.failed(); ++ply) {
      if (!random_move(verification.board(), random, move)) break;
      verification.make_both_ways(change_of(verification.board(), move), random() % 2 == 0);
    }
  }
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
      verification.make_both_ways(change_of(verification.board(), move.bits()), random() % 2 == 0);
      position.make(move);
    }
  }
}

}  // namespace

StoreVerdict verify_store(const Plugin& plugin, const VerificationOptions& options) {
  const bool thorough = plugin.descriptor().group == MethodGroup::store;
  const std::uint64_t boards = options.random_boards / (thorough ? 10 : 1000);
  std::mt19937_64 random(options.seed);
  Verification verification(plugin);
  walk_random_boards(verification, boards, random);
  if (!verification.failed()) play_random_games(verification, boards, random);
  return verification.verdict();
}

StoreVerdict verify_store(const Plugin& plugin, const Trace& trace) {
  Verification verification(plugin);
  for (const TraceBlock& block : trace.blocks()) {
    const PackedBoard* next_board = block.boards;
    const MoveCode* next_move = block.moves;
    std::vector<Change> line;
    const auto make = [&](bool with_threats) {
      line.push_back(change_of(verification.board(), *next_move++));
      verification.make(line.back(), with_threats);
    };
    verification.begin(unpack(*next_board++));
    for (std::uint32_t n = 0; n < block.line && !verification.failed(); ++n) make(true);
    for (std::uint32_t node = 1; node < block.nodes && !verification.failed(); ++node) {
      const NodeTag tag = block.tags[node];
      if (makes_move(tag)) {
        make(node % 2 == 0);
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

}  // namespace slidebench
