// SPDX-License-Identifier: MIT
//
// The threats that meet in one empty square, from what a bishop and a rook on it would see.
#pragma once

#include "harness/chess/store.hpp"

namespace slidebench {

class SquareThreats {
 public:
  /// @param board  without a piece on the square
  /// @param lines  the bishop and the rook set of the square
  SquareThreats(const PieceBoard& board, Square square, const BishopRook& lines)
      : board_(board),
        square_(static_cast<std::uint8_t>(square)),
        lines_(lines),
        targets_(board.occupied() & ~board.of(PieceType::king)),
        sliders_(sliders_on(board, lines)) {}

  /// The attacks of a piece that comes to the square or leaves it, and those on it.
  void of_piece(Piece piece, ThreatList& list) const {
    if (static_cast<PieceType>(type_of(piece)) == PieceType::king) return;
    for (Bitboard left = attacks(piece) & targets_; left != 0;) {
      const Square to = pop_lowest(left);
      list.add({piece, square_, board_.on[to], static_cast<std::uint8_t>(to)});
    }
    for (Bitboard left = sliders_ | (leapers_to(board_, square_) & targets_); left != 0;) {
      const Square from = pop_lowest(left);
      list.add({board_.on[from], static_cast<std::uint8_t>(from), piece, square_});
    }
  }

  /// The attacks of sliders on what stands behind the square, as long as that is empty.
  void through(ThreatList& list) const {
    const Bitboard seen = (lines_.bishop | lines_.rook) & targets_;
    for (Bitboard left = sliders_; left != 0;) {
      const Square from = pop_lowest(left);
      const Bitboard behind = seen & line(from, square_) & ~bit(from);
      if (behind == 0) continue;
      const Square to = lowest_square(behind);
      list.add({board_.on[from], static_cast<std::uint8_t>(from), board_.on[to], static_cast<std::uint8_t>(to)});
    }
  }

 private:
  Bitboard attacks(Piece piece) const {
    switch (static_cast<PieceType>(type_of(piece))) {
      case PieceType::bishop: return lines_.bishop;
      case PieceType::rook: return lines_.rook;
      case PieceType::queen: return lines_.bishop | lines_.rook;
      default: return leaper_attacks(piece, square_);
    }
  }

  const PieceBoard& board_;
  std::uint8_t square_;
  BishopRook lines_;
  Bitboard targets_;
  Bitboard sliders_;
};

}  // namespace slidebench
