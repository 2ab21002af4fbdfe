// SPDX-License-Identifier: MIT
//
// The order in which the search tries moves: the hash move, captures that lose nothing, killers, quiet moves by
// history, captures that lose material.
#pragma once

#include <array>
#include <cstdint>

#include "harness/engine/exchange.hpp"
#include "harness/engine/move.hpp"
#include "harness/engine/move_generator.hpp"
#include "harness/engine/position_state.hpp"

namespace slidebench::engine {

/// How often a quiet move was worth its try, by colour, from and to.
class History {
 public:
  int operator()(Color color, Move move) const { return values_[slot(color, move)]; }

  /// Moves a value toward +-limit, the slower the nearer it is.
  void reward(Color color, Move move, int bonus) {
    std::int16_t& value = values_[slot(color, move)];
    const int size = bonus < 0 ? -bonus : bonus;
    value = static_cast<std::int16_t>(value + bonus - value * size / limit);
  }

 private:
  static constexpr int limit = 8192;

  static std::size_t slot(Color color, Move move) {
    return (static_cast<std::size_t>(color) * 64 + move.from()) * 64 + move.to();
  }

  std::array<std::int16_t, 2 * 64 * 64> values_{};
};

/// Two quiet moves of a ply that refuted something lately.
using Killers = std::array<Move, 2>;

/// Whether a move captures or makes a queen.
template <class Position>
bool is_tactical(const Position& position, Move move) {
  if (move.is_promotion()) return move.promotion() == PieceType::queen;
  return move.is_en_passant() || position.piece_on(move.to()) != PieceType::none;
}

/// The legal moves of a position, best first.
template <class Position, GenKind kind>
class MovePicker {
 public:
  /// `hash_move` is legal here, or none: the table compares whole keys.
  MovePicker(Position& position, Move hash_move, const Killers& killers, const History& history)
      : position_(position), hash_move_(hash_move), killers_(killers), history_(history) {}

  /// The next move, or none at the end. Capture generation leaves out captures that lose material.
  Move next() {
    if (stage_ == Stage::hash) {
      stage_ = Stage::generate;
      if (hash_move_ != Move{}) return hash_move_;
    }
    if (stage_ == Stage::generate) {
      stage_ = Stage::pick;
      generate<kind>(position_, moves_);
      for (unsigned i = 0; i < moves_.size(); ++i) scores_[i] = score(moves_[i]);
    }
    return pick();
  }

 private:
  enum class Stage { hash, generate, pick };

  static constexpr int tactical_score = 1 << 20;
  static constexpr int killer_score = 1 << 18;
  static constexpr int losing_score = -(1 << 20);
  static constexpr int underpromotion_score = -(1 << 18);

  int score(Move move) const {
    if (is_tactical(position_, move)) {
      int gain = victim(move) * 16 - value_of(position_.piece_on(move.from()));
      if (move.is_promotion()) gain += 16 * value_of(move.promotion());
      return tactical_score + gain;
    }
    if (move.is_promotion()) return underpromotion_score;
    if (move == killers_[0]) return killer_score + 1;
    if (move == killers_[1]) return killer_score;
    return history_(position_.side(), move);
  }

  int victim(Move move) const {
    return move.is_en_passant() ? value_of(PieceType::pawn) : value_of(position_.piece_on(move.to()));
  }

  /// The exchange on the target square is evaluated when a capture's turn comes, and only if it gives the larger piece.
  bool loses_material(Move move) {
    return (move.is_promotion() || value_of(position_.piece_on(move.from())) > victim(move)) &&
           !exchange_at_least(position_, move, 0);
  }

  Move pick() {
    while (next_ < moves_.size()) {
      const unsigned best = best_place();
      const Move move = moves_[best];
      if (move == hash_move_) {
        take(best);  // has had its turn
      } else if (scores_[best] > killer_score + 1 && loses_material(move)) {
        scores_[best] = losing_score + victim(move);
        if constexpr (kind == GenKind::captures) take(best);
      } else {
        take(best);
        return move;
      }
    }
    return Move{};
  }

  unsigned best_place() const {
    unsigned best = next_;
    for (unsigned i = next_ + 1; i < moves_.size(); ++i) {
      if (scores_[i] > scores_[best]) best = i;
    }
    return best;
  }

  /// Overwrites a move that is done with by the first of those that are not.
  void take(unsigned place) {
    moves_[place] = moves_[next_];
    scores_[place] = scores_[next_];
    ++next_;
  }

  Position& position_;
  Move hash_move_;
  const Killers& killers_;
  const History& history_;
  Stage stage_ = Stage::hash;
  unsigned next_ = 0;
  MoveList moves_;
  std::array<int, 256> scores_;
};

}  // namespace slidebench::engine
