// SPDX-License-Identifier: MIT
//
// The replay kernel `keep`: the pieces move as the trace says, and a store answers the trace's questions between.
//
// A question of the trace about a bishop, a rook or a queen that stands on its square is one about that piece's
// attacks; a `both` is one about the attackers of its square, checks and exchanges. Where other squares are occupied
// than the board's (an exchange under way, a king that looks through its own pieces), no store has an answer: its
// method is asked.
#pragma once

#include "extras/stores/store_queries.hpp"

namespace slidebench {

template <AttackStore S>
using StoreWalk = PieceWalk<StoreLine<S, line_depth>>;

/// Asks a store, pins the answers and adds them up: a piece's attacks, and attackers, apart.
template <AttackStore S>
class StoreAsker {
  using M = typename S::Method;

 public:
  explicit StoreAsker(const StoreWalk<S>& walk) : walk_(walk) {}

  void go_to(Bitboard occupied) { occupied_ = occupied, at_home_ = occupied == walk_.board().occupied(); }

  void bishop(Square s) { take(stands(PieceType::bishop, s) ? kept(s) : M::bishop(s, asked()), attacks_); }
  void rook(Square s) { take(stands(PieceType::rook, s) ? kept(s) : M::rook(s, asked()), attacks_); }
  void queen(Square s) { take(stands(PieceType::queen, s) ? kept(s) : queen_attacks<M>(s, asked()), attacks_); }
  void both(Square s) {
    if (at_home_) return take(walk_.line().attackers(walk_.board(), s), attackers_);
    const BishopRook lines = both_attacks<M>(s, asked());
    take((leapers_to(walk_.board(), s) | sliders_on(walk_.board(), lines)) & occupied_, attackers_);
  }

  std::uint64_t sum() const { return fold(attacks_, attackers_); }

 private:
  bool stands(PieceType type, Square s) const {
    return at_home_ && type_of(walk_.board().on[s]) == static_cast<unsigned>(type);
  }
  const S& store() const { return *walk_.line(); }
  Bitboard kept(Square s) const { return store().attacks(walk_.board(), s); }
  BoardOf<M> asked() const { return store().asked(walk_.board(), occupied_); }

  static void take(Bitboard answer, std::uint64_t& sum) {
    pin(answer);
    sum += answer;
  }

  const StoreWalk<S>& walk_;
  Bitboard occupied_ = 0;
  bool at_home_ = false;
  std::uint64_t attacks_ = 0;
  std::uint64_t attackers_ = 0;
};

/// Makes and takes back the moves of a block, and asks its questions between, in their order. Returns the sum of the
/// answers.
template <AttackStore S, class Between = NoPressure>
std::uint64_t replay_keep(const TraceBlock& block, Between between = {}) {
  if (block.nodes == 0) return 0;
  StoreWalk<S> walk(block);
  StoreAsker<S> ask(walk);
  const std::uint8_t* square = block.squares;
  const auto work = [&] { between.after_query(); };
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    between.at(block.tags[node]);
    if (node != 0) walk.go_to(block.tags[node]);
    ask.go_to(block.occupied[node]);
    const RunLengths runs = block.runs[node];
    for (unsigned n = run_length(runs, QueryKind::bishop); n != 0; --n, work()) ask.bishop(*square++);
    for (unsigned n = run_length(runs, QueryKind::rook); n != 0; --n, work()) ask.rook(*square++);
    for (unsigned n = run_length(runs, QueryKind::queen); n != 0; --n, work()) ask.queen(*square++);
    for (unsigned n = run_length(runs, QueryKind::both); n != 0; --n, work()) ask.both(*square++);
  }
  return ask.sum();
}

}  // namespace slidebench
