// SPDX-License-Identifier: MIT
//
// The accumulators along the line of moves that the search is looking at: two for each ply, brought up to date when a
// position is evaluated and not before. A ply that is left without an evaluation costs its list of changes only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "harness/engine/move.hpp"
#include "harness/engine/network.hpp"
#include "harness/engine/position_state.hpp"
#include "harness/engine/threat_features.hpp"
#include "methods/bitboard.hpp"

namespace slidebench::engine {

/// Whether an observer wants to know how many cache lines the network touches: it says so by a constant, because the
/// count itself takes time.
template <class Observer>
concept CountsLines = Observer::counts_lines;

template <class Position>
class AccumulatorStack {
 public:
  /// `network` may be null: then used() says no, and nothing else may be called. `accumulators` are
  /// accumulator_bytes(width) bytes, 64-byte aligned. The network and they outlive the stack.
  AccumulatorStack(const NetworkCalls* network, bool threats, std::int16_t* accumulators)
      : network_(network), threats_(threats), accumulators_(accumulators) {}

  bool used() const { return network_ != nullptr; }

  /// Begins at a position. Its accumulators are summed at once: all others of the search start from them.
  void reset(Position& position) {
    top_ = 0;
    levels_[0].change.clear();
    enter(position);
    for (unsigned color = 0; color < 2; ++color) refresh(position, {color, levels_[0].kings[color]});
  }

  /// Call before the position makes the move, and after it: the features that leave are looked up on the
  /// old board, those that come on the new one.
  void before_make(Position& position, Move move) {
    Level& level = levels_[++top_];
    level.change.clear();
    captured_ = no_piece;
    Bitboard others = position.occupied();
    remove(position, move.from(), others, level.change);
    if (move.is_castling()) {
      remove(position, castling_rook(move).from, others, level.change);
    } else if (move.is_en_passant()) {
      remove(position, move.to() ^ 8, others, level.change);
    } else if (position.piece_on(move.to()) != PieceType::none) {
      captured_ = piece_number_on(position, move.to());
    }
  }
  void after_make(Position& position, Move move) {
    Level& level = levels_[top_];
    Bitboard others = position.occupied() & ~bit(move.to());
    if (move.is_castling()) {
      const Square rook = castling_rook(move).to;
      others &= ~bit(rook);
      add(position, rook, others, level.change);
      others |= bit(rook);
    }
    add(position, move.to(), others, level.change);
    enter(position);
  }

  void make_null(Position& position) {
    levels_[++top_].change.clear();
    enter(position);
  }

  /// Takes back the last move or null move.
  void unmake() { --top_; }

  /// The network's score of the position that the stack has followed.
  int evaluate(Position& position) {
    const unsigned own = index_of(position.side());
    touched_lines_ = 0;
    bring_up_to_date(position, own);
    bring_up_to_date(position, own ^ 1);
    if constexpr (CountsLines<std::remove_cvref_t<decltype(position.observer())>>) {
      position.observer().touched(touched_lines_ +
                                  network_->layer_lines(*network_, accumulator(top_, own), accumulator(top_, own ^ 1)));
    }
    return network_->evaluate(*network_, accumulator(top_, own), accumulator(top_, own ^ 1));
  }

  /// Accumulator of a colour at the top, once evaluated: `width` numbers. For tests.
  const std::int16_t* top_accumulator(unsigned color) { return accumulator(top_, color); }

 private:
  static constexpr std::uint8_t no_piece = 12;

  struct Level {
    FeatureChange change;         ///< since the level before
    std::array<Square, 2> kings;  ///< by colour
    std::array<bool, 2> ready;    ///< whether the accumulators hold this position
  };

  std::int16_t* accumulator(unsigned level, unsigned color) {
    return accumulators_ + std::size_t{2 * level + color} * network_->weights.width;
  }

  void enter(Position& position) {
    levels_[top_].kings = {position.king(Color::white), position.king(Color::black)};
    levels_[top_].ready = {false, false};
  }

  /// Takes the piece on a square off the board, whose other pieces are `others` afterwards.
  void remove(Position& position, Square square, Bitboard& others, FeatureChange& change) {
    const std::uint8_t piece = piece_number_on(position, square);
    others &= ~bit(square);
    change.pieces_removed.add({piece, static_cast<std::uint8_t>(square)});
    if (!threats_) return;
    const ThreatsOfSquare<Position> threats(position, square, others);
    threats.of_piece(piece, change.threats.went);
    threats.through(change.threats.came);
  }

  /// Puts a piece on a square, on which the captured one stood or nothing.
  void add(Position& position, Square square, Bitboard others, FeatureChange& change) {
    const std::uint8_t piece = piece_number_on(position, square);
    const bool capture = captured_ != no_piece;
    change.pieces_added.add({piece, static_cast<std::uint8_t>(square)});
    if (capture) change.pieces_removed.add({captured_, static_cast<std::uint8_t>(square)});
    if (!threats_) return;
    const ThreatsOfSquare<Position> threats(position, square, others);
    threats.of_piece(piece, change.threats.came);
    if (capture) {
      threats.of_piece(captured_, change.threats.went);
    } else {
      threats.through(change.threats.went);
    }
  }

  /// Updates ply by ply from the last accumulator that is ready; sums anew if the king has changed its rows since.
  void bring_up_to_date(Position& position, unsigned color) {
    const Perspective perspective{color, levels_[top_].kings[color]};
    unsigned from = top_;
    while (!levels_[from].ready[color]) {
      if (from == 0 || !same_rows(perspective, {color, levels_[from - 1].kings[color]})) {
        refresh(position, perspective);
        return;
      }
      --from;
    }
    if (from == top_) touched_lines_ += accumulator_lines(network_->weights);
    for (unsigned level = from + 1; level <= top_; ++level) {
      const FeatureChange& change = levels_[level].change;
      network_->update(*network_, accumulator(level - 1, color), accumulator(level, color), perspective, change);
      levels_[level].ready[color] = true;
      // The accumulator that was read is, but for the first, the one that was just written.
      touched_lines_ +=
          update_lines(network_->weights, change) - (level == from + 1 ? 0 : accumulator_lines(network_->weights));
    }
  }

  void refresh(Position& position, Perspective perspective) {
    ActiveFeatures features;
    collect_features(position, threats_, features);
    network_->refresh(*network_, accumulator(top_, perspective.color), perspective, features);
    levels_[top_].ready[perspective.color] = true;
    touched_lines_ += refresh_lines(network_->weights, features);
  }

  const NetworkCalls* network_;
  bool threats_;
  std::int16_t* accumulators_;
  unsigned top_ = 0;
  std::uint8_t captured_ = no_piece;
  unsigned touched_lines_ = 0;
  std::array<Level, max_search_ply + 1> levels_;
};

}  // namespace slidebench::engine
