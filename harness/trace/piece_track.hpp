// SPDX-License-Identifier: MIT
//
// The pieces along a line of moves: a board, and the moves that led to it and can be taken back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "harness/trace/block.hpp"

namespace slidebench {

class PieceTrack {
 public:
  explicit PieceTrack(const PieceBoard& board = PieceBoard::empty()) : board_(board) {}

  const PieceBoard& board() const { return board_; }
  /// The moves made and not taken back.
  const std::vector<MoveCode>& line() const { return line_; }

  void restart(const PieceBoard& board) {
    board_ = board;
    line_.clear();
    changes_.clear();
    floor_ = 0;
  }
  /// Precondition: the move fits the board.
  void make(MoveCode move) {
    changes_.push_back(change_of(board_, move));
    line_.push_back(move);
    board_.make(changes_.back());
    if (line_.size() > max_line) floor_ = std::max(floor_, line_.size() - max_line);
  }
  /// Whether the last move can be taken back: it was made here, and no more than max_line have been in a row.
  bool can_unmake() const { return line_.size() > floor_; }
  /// Precondition: can_unmake().
  void unmake() {
    board_.unmake(changes_.back());
    changes_.pop_back();
    line_.pop_back();
  }

 private:
  PieceBoard board_;
  std::vector<MoveCode> line_;
  std::vector<Change> changes_;
  std::size_t floor_ = 0;  ///< the shortest line that can be gone back to
};

/// The pieces at the beginning of a stretch of nodes: where a line starts, and its moves.
struct TrackStart {
  PieceBoard board;
  std::vector<MoveCode> line;
};

/// A track's position with the last `moves` of its line, and no more. Precondition: the line has as many.
inline TrackStart start_of(PieceTrack track, std::size_t moves) {
  TrackStart start;
  start.line.assign(track.line().end() - static_cast<std::ptrdiff_t>(moves), track.line().end());
  for (std::size_t n = 0; n < moves; ++n) track.unmake();
  start.board = track.board();
  return start;
}

}  // namespace slidebench
