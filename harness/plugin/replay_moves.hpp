// SPDX-License-Identifier: MIT
//
// The replay kernel of moves: the pieces move as the trace says, and what is kept beside them goes along.
#pragma once

#include <array>
#include <cstddef>

#include "harness/chess/attackers.hpp"
#include "harness/plugin/replay.hpp"

namespace slidebench {

/// How many moves of a line can be taken back in a row, at most, less one.
inline constexpr std::size_t line_depth = 256;
static_assert(max_line < line_depth);

/// A method's board along a line of moves.
template <AttackMethod M>
class MethodLine {
 public:
  explicit MethodLine(const PieceBoard& pieces) : board_(pieces.occupied()) {}

  void restart(const PieceBoard& pieces) { board_.go_to(pieces.occupied(), static_cast<NodeTag>(NodeEvent::root)); }
  void make(PieceBoard& pieces, const Change& change) {
    pieces.make(change);
    board_.go_to(pieces.occupied(), static_cast<NodeTag>(NodeEvent::make));
  }
  void unmake(PieceBoard& pieces, const Change& change) {
    pieces.unmake(change);
    board_.go_to(pieces.occupied(), static_cast<NodeTag>(NodeEvent::unmake));
  }

  const BoardOf<M>& board() const { return *board_; }
  Bitboard attackers(const PieceBoard& pieces, Square s) const {
    return leapers_to(pieces, s) | sliders_on(pieces, both_attacks<M>(s, *board_));
  }

 private:
  KeptBoard<M> board_;
};

/// The pieces and a line, such as MethodLine, on the way through the nodes of a block. Precondition: the block tells
/// the pieces.
template <class Line>
class PieceWalk {
 public:
  explicit PieceWalk(const TraceBlock& block)
      : board_(unpack(block.boards[0])), line_(board_), next_board_(block.boards + 1), next_move_(block.moves) {
    for (std::uint32_t n = 0; n < block.line; ++n) make();
  }

  const PieceBoard& board() const { return board_; }
  const Line& line() const { return line_; }

  /// Goes on to a later node than the first. @return whether a move was made
  bool go_to(NodeTag tag) {
    if (makes_move(tag)) return make(), true;
    if (takes_back(tag)) {
      line_.unmake(board_, changes_[made_-- % line_depth]);
    } else if (node_event(tag) == NodeEvent::root) {
      board_ = unpack(*next_board_++);
      line_.restart(board_);
    }
    return false;
  }

 private:
  void make() {
    Change& change = changes_[++made_ % line_depth];
    change = change_of(board_, *next_move_++);
    line_.make(board_, change);
  }

  PieceBoard board_;
  Line line_;
  const PackedBoard* next_board_;
  const MoveCode* next_move_;
  std::size_t made_ = 0;
  std::array<Change, line_depth> changes_;
};

/// A number of what a line answers at its end.
template <class Line>
std::uint64_t sum_of_attackers(const PieceWalk<Line>& walk) {
  std::uint64_t sum = 0;
  for (Square s = 0; s < square_count; ++s) sum = 0x9E3779B97F4A7C15 * sum + walk.line().attackers(walk.board(), s);
  return sum;
}

/// Makes and takes back the moves of a block, and asks nothing but at the end: the sum of what is answered there.
template <class Line, class Between = NoPressure>
std::uint64_t replay_moves(const TraceBlock& block, Between between = {}) {
  if (block.nodes == 0) return 0;
  PieceWalk<Line> walk(block);
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    between.at(block.tags[node]);
    if (node != 0 && walk.go_to(block.tags[node])) between.after_query();
  }
  return sum_of_attackers(walk);
}

}  // namespace slidebench
