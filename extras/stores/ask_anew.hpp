// SPDX-License-Identifier: MIT
//
// Ask anew: keep nothing but the method's own board, and ask the method whenever somebody wants to know. What most
// engines do.
//
// A question about a piece is one query; who attacks a square is one `both` query from that square, seen backward: a
// bishop sees the square from where the square sees the bishop.
#pragma once

#include "extras/stores/store.hpp"
#include "harness/plugin/replay_moves.hpp"

namespace slidebench {

template <AttackMethod M>
class AskAnew : public MethodLine<M> {
 public:
  using Method = M;
  static constexpr std::array id = joined_id<std::string_view(M::info.id).size() + 5>("ask_", M::info.id);
  static constexpr MethodInfo info = [] {
    MethodInfo asked = M::info;
    asked.id = id.data();
    asked.family = "asked";
    return asked;
  }();

  using MethodLine<M>::MethodLine;

  Bitboard attacks(const PieceBoard& board, Square s) const { return attacks_of<M>(board.on[s], s, this->board()); }

  Bitboard attacked(const PieceBoard& board, Color color) const {
    const Bitboard own = board.of(color);
    return attacked_by_leapers(board, color) |
           set_attacks<M>(board.diagonal_sliders() & own, board.orthogonal_sliders() & own, this->board());
  }

  BoardOf<M> asked([[maybe_unused]] const PieceBoard& board, Bitboard occupied) const {
    if constexpr (HasBoard<M>) {
      BoardOf<M> other = this->board();
      other.toggle(occupied ^ board.occupied());
      return other;
    } else {
      return BoardOf<M>(occupied);
    }
  }
};

}  // namespace slidebench
