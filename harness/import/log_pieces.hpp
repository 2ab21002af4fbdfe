// SPDX-License-Identifier: MIT
//
// The pieces that a log tells, from its boards and moves.
//
// All positions of an import have them, or none: the first root decides. What does not fit is a fault: an engine that
// records a move wrongly would have another game replayed.
#pragma once

#include <optional>
#include <stdexcept>

#include "harness/import/query_log.hpp"
#include "harness/trace/piece_track.hpp"
#include "harness/trace/writer.hpp"

namespace slidebench {

/// What does not fit, without where it stands and what to do.
struct PieceFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Every function takes an event of the log, and throws PieceFault if it does not fit. An occupancy of 0 is not known.
class LogPieces {
 public:
  /// A board: that of the root which follows. A move: that of the `make` which follows.
  void board(const PackedBoard& board);
  void move(const LogMove& move);

  /// What becomes of the pieces: nothing where the log does not tell them.
  PieceEvent root(Bitboard occupied);
  PieceEvent make(Bitboard occupied);
  PieceEvent unmake(Bitboard occupied);

  /// A null move, or its end: the pieces stay.
  void pass(Bitboard occupied);

  /// The end of a log: what its last board or move is of was cut off.
  void end_log();

  bool are_told() const { return told_ == Told::yes; }

  /// Precondition: they are told.
  Bitboard occupied() const { return track_.board().occupied(); }

  /// The sliders that stand on these squares; none where the log does not tell the pieces.
  SliderSets sliders(Bitboard occupied) const;

 private:
  enum class Told { unknown, no, yes };

  void refuse_what_waits() const;
  void check_occupied(Bitboard occupied, const char* when) const;

  Told told_ = Told::unknown;
  PieceTrack track_;
  std::optional<PieceBoard> board_;  ///< of the root to come
  std::optional<MoveCode> move_;     ///< of the `make` to come
};

}  // namespace slidebench
