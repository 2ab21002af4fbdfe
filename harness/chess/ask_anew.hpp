// SPDX-License-Identifier: MIT
//
// Ask anew: keep nothing, and ask a sliding method whenever somebody wants to know.
//
// What most engines do. A question about a piece is one query; who attacks a square is one `both` query from that
// square, seen backward: a bishop sees the square from where the square sees the bishop. The threats of a move follow
// from one `both` query for each square that is filled or emptied:
//   - the piece on it attacks what its type sees, and the sliders among what the square sees attack it;
//   - through it, as long as it is empty, a slider on one side attacks what stands on the other.
//
// Stockfish's `update_piece_threats` (2025) does this with one query a square. State: the method's own board, if it
// keeps one (rotated bitboards).
#pragma once

#include <type_traits>

#include "harness/chess/square_threats.hpp"
#include "harness/chess/store.hpp"

namespace slidebench {

template <AttackMethod M>
class AskAnew {
 public:
  using Method = M;
  static constexpr MethodInfo info = M::info;

  explicit AskAnew(const PieceBoard& board) : board_(board.occupied()) {}

  template <class Threats>
  void make(PieceBoard& board, const Change& change, Threats& threats) {
    if constexpr (Threats::wanted) {
      make_with_threats(board, change, threats);
    } else {
      const Bitboard before = board.occupied();
      board.make(change);
      toggle(before ^ board.occupied());
    }
  }

  void unmake(PieceBoard& board, const Change& change) {
    const Bitboard after = board.occupied();
    board.unmake(change);
    toggle(after ^ board.occupied());
  }

  Bitboard attacks(const PieceBoard& board, Square s) const { return attacks_of<M>(board.on[s], s, asked(board)); }

  Bitboard attackers(const PieceBoard& board, Square s) const {
    return leapers_to(board, s) | sliders_on(board, lines_of(board, s));
  }

  Bitboard attacked(const PieceBoard& board, Color color) const {
    const Bitboard own = board.of(color);
    return attacked_by_leapers(board, color) |
           set_attacks<M>(board.diagonal_sliders() & own, board.orthogonal_sliders() & own, asked(board));
  }

  BoardOf<M> asked([[maybe_unused]] const PieceBoard& board, Bitboard occupied) const {
    if constexpr (HasBoard<M>) {
      BoardOf<M> other = board_;
      other.toggle(occupied ^ board.occupied());
      return other;
    } else {
      return BoardOf<M>(occupied);
    }
  }

 private:
  void make_with_threats(PieceBoard& board, const Change& change, ThreatChange& threats) {
    lift(board, change.lifted[0], threats);
    const bool capture = change.captures_on_target();
    if (capture) {
      board.lift(change.lifted[1]);
      const SquareThreats at(board, change.put[0].square, lines_of(board, change.put[0].square));
      at.of_piece(change.lifted[1].piece, threats.went);
      at.of_piece(change.put[0].piece, threats.came);
      board.put(change.put[0]);
      return;
    }
    if (change.lifts == 2) lift(board, change.lifted[1], threats);
    for (unsigned i = 0; i < change.puts; ++i) put(board, change.put[i], threats);
  }

  void lift(PieceBoard& board, PieceAt at, ThreatChange& threats) {
    board.lift(at);
    toggle(bit(at.square));
    const SquareThreats square(board, at.square, lines_of(board, at.square));
    square.of_piece(at.piece, threats.went);
    square.through(threats.came);
  }

  void put(PieceBoard& board, PieceAt at, ThreatChange& threats) {
    const SquareThreats square(board, at.square, lines_of(board, at.square));
    square.of_piece(at.piece, threats.came);
    square.through(threats.went);
    board.put(at);
    toggle(bit(at.square));
  }

  struct Nothing {
    explicit Nothing(Bitboard) {}
  };

  void toggle([[maybe_unused]] Bitboard changed) {
    if constexpr (HasBoard<M>) board_.toggle(changed);
  }

  /// What the method is asked of, on the board as it stands.
  decltype(auto) asked([[maybe_unused]] const PieceBoard& board) const {
    if constexpr (HasBoard<M>) {
      return (board_);
    } else {
      return BoardOf<M>(board.occupied());
    }
  }

  BishopRook lines_of(const PieceBoard& board, Square s) const { return both_attacks<M>(s, asked(board)); }

  [[no_unique_address]] std::conditional_t<HasBoard<M>, BoardOf<M>, Nothing> board_;
};

}  // namespace slidebench
