// SPDX-License-Identifier: MIT
//
// The replay kernels of stores: the pieces move as the trace says, and the store answers. Of a method, the store that
// asks it anew (harness/chess/ask_anew.hpp), so that keeping is compared with asking.
//
// A question of the trace about a bishop, a rook or a queen that stands on its square is one about that piece's
// attacks; a `both` is one about the attackers of its square, checks and exchanges. Where other squares are occupied
// than the board's (an exchange under way, a king that looks through its own pieces), no store has an answer: its
// method is asked.
#pragma once

#include "harness/chess/store_queries.hpp"
#include "harness/plugin/replay.hpp"

namespace slidebench {

/// A store, and the pieces, on the way through the nodes of a block. Precondition: the block tells the pieces.
template <AttackStore S>
class StoreWalk {
 public:
  explicit StoreWalk(const TraceBlock& block)
      : board_(unpack(block.boards[0])), line_(board_), next_board_(block.boards + 1), next_move_(block.moves) {
    NoThreats nobody;
    for (std::uint32_t n = 0; n < block.line; ++n) make(nobody);
  }

  const PieceBoard& board() const { return board_; }
  const S& store() const { return *line_; }

  /// Goes on to a later node than the first. @return whether a move was made
  template <class Threats>
  bool go_to(NodeTag tag, Threats& threats) {
    if (makes_move(tag)) return make(threats), true;
    if (takes_back(tag)) {
      unmake();
    } else if (node_event(tag) == NodeEvent::root) {
      board_ = unpack(*next_board_++);
      line_.restart(board_);
    }
    return false;
  }

 private:
  template <class Threats>
  void make(Threats& threats) {
    Change& change = changes_[++made_ % store_depth];
    change = change_of(board_, *next_move_++);
    line_.make(board_, change, threats);
  }

  void unmake() { line_.unmake(board_, changes_[made_-- % store_depth]); }

  PieceBoard board_;
  StoreLine<S, store_depth> line_;
  const PackedBoard* next_board_;
  const MoveCode* next_move_;
  std::size_t made_ = 0;
  std::array<Change, store_depth> changes_;
};
static_assert(max_line < store_depth);

/// A number of everything that a store answers on a board.
template <AttackStore S>
std::uint64_t sum_of_answers(const S& store, const PieceBoard& board) {
  std::uint64_t sum = 0;
  for (Square s = 0; s < square_count; ++s) sum = 0x9E3779B97F4A7C15 * sum + store.attackers(board, s);
  return sum;
}

/// Takes a store through the moves of a block, and asks nothing but at the end: the sum of what it answers there.
template <AttackStore S, class Between = NoPressure>
std::uint64_t replay_moves(const TraceBlock& block, Between between = {}) {
  if (block.nodes == 0) return 0;
  StoreWalk<S> walk(block);
  NoThreats nobody;
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    between.at(block.tags[node]);
    if (node != 0 && walk.go_to(block.tags[node], nobody)) between.after_query();
  }
  return sum_of_answers(walk.store(), walk.board());
}

/// What each move of a block brings and takes. Returns the sum of the threats.
template <AttackStore S, class Between = NoPressure>
std::uint64_t replay_threats(const TraceBlock& block, Between between = {}) {
  if (block.nodes == 0) return 0;
  StoreWalk<S> walk(block);
  ThreatChange threats;
  std::uint64_t sum = 0;
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    between.at(block.tags[node]);
    threats.clear();
    if (node == 0 || !walk.go_to(block.tags[node], threats)) continue;
    asm volatile("" : "+m"(threats));
    sum += sum_of(threats);
    between.after_query();
  }
  return sum;
}

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
    if (at_home_) return take(walk_.store().attackers(walk_.board(), s), attackers_);
    const BishopRook lines = both_attacks<M>(s, asked());
    take((leapers_to(walk_.board(), s) | sliders_on(walk_.board(), lines)) & occupied_, attackers_);
  }

  std::uint64_t sum() const { return fold(attacks_, attackers_); }

 private:
  bool stands(PieceType type, Square s) const {
    return at_home_ && type_of(walk_.board().on[s]) == static_cast<unsigned>(type);
  }
  Bitboard kept(Square s) const { return walk_.store().attacks(walk_.board(), s); }
  BoardOf<M> asked() const { return walk_.store().asked(walk_.board(), occupied_); }

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
  NoThreats nobody;
  const std::uint8_t* square = block.squares;
  const auto work = [&] { between.after_query(); };
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    between.at(block.tags[node]);
    if (node != 0) walk.go_to(block.tags[node], nobody);
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
