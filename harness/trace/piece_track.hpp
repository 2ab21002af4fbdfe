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
  /// The moves made and not taken back: the last ones, max_line at least where there are as many.
  const std::vector<MoveCode>& line() const { return line_; }
  /// How many there are in all.
  std::size_t depth() const { return forgotten_ + line_.size(); }

  void restart(const PieceBoard& board) {
    board_ = board;
    line_.clear();
    changes_.clear();
    forgotten_ = floor_ = 0;
  }
  /// Precondition: the move fits the board.
  void make(MoveCode move) {
    changes_.push_back(change_of(board_, move));
    line_.push_back(move);
    board_.make(changes_.back());
    if (depth() > max_line) floor_ = std::max(floor_, depth() - max_line);
    if (line_.size() > 2 * max_line) forget();
  }
  /// Whether the last move can be taken back: it was made here, and no more than max_line have been in a row.
  bool can_unmake() const { return depth() > floor_; }
  /// Precondition: can_unmake().
  void unmake() {
    board_.unmake(changes_.back());
    changes_.pop_back();
    line_.pop_back();
  }

 private:
  /// What cannot be taken back any more: a game, or an engine that copies positions, takes nothing back.
  void forget() {
    const auto old = static_cast<std::ptrdiff_t>(line_.size() - max_line);
    line_.erase(line_.begin(), line_.begin() + old);
    changes_.erase(changes_.begin(), changes_.begin() + old);
    forgotten_ += static_cast<std::size_t>(old);
  }

  PieceBoard board_;
  std::vector<MoveCode> line_;
  std::vector<Change> changes_;
  std::size_t forgotten_ = 0;  ///< moves at the front of the line that are not kept
  std::size_t floor_ = 0;      ///< the least depth that can be gone back to
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
