// SPDX-License-Identifier: MIT
//
// A move in 16 bits, and the list of a position's moves.
#pragma once

#include <array>
#include <cstdint>

#include "harness/engine/position_state.hpp"
#include "methods/bitboard.hpp"

namespace slidebench::engine {

/// From, to, and what is special about it. Castling is the king's move of two squares. `Move{}` is no move; without
/// the braces a Move is not initialised, so that a list of them costs nothing.
class Move {
 public:
  Move() = default;
  constexpr Move(Square from, Square to) : Move(from, to, 0, 0) {}

  static constexpr Move promoting(Square from, Square to, PieceType promotion) {
    return {from, to, promotion_kind, static_cast<unsigned>(promotion) - first_promotion};
  }
  static constexpr Move capturing_en_passant(Square from, Square to) { return {from, to, en_passant_kind, 0}; }
  static constexpr Move castling(Square from, Square to) { return {from, to, castling_kind, 0}; }

  constexpr Square from() const { return bits_ & 63; }
  constexpr Square to() const { return (bits_ >> 6) & 63; }
  constexpr bool is_promotion() const { return kind() == promotion_kind; }
  constexpr bool is_en_passant() const { return kind() == en_passant_kind; }
  constexpr bool is_castling() const { return kind() == castling_kind; }

  /// None of the three above: one piece moves, and may capture another one on its target.
  constexpr bool is_plain() const { return kind() == 0; }

  /// What a pawn becomes. Precondition: is_promotion().
  constexpr PieceType promotion() const { return static_cast<PieceType>(((bits_ >> 12) & 3) + first_promotion); }

  /// The move as a number, a MoveCode of harness/chess/moves.hpp; no two moves of a position have the same, and none
  /// has 0.
  constexpr std::uint16_t bits() const { return bits_; }

  friend constexpr bool operator==(Move, Move) = default;

 private:
  static constexpr unsigned promotion_kind = 1;
  static constexpr unsigned en_passant_kind = 2;
  static constexpr unsigned castling_kind = 3;
  static constexpr unsigned first_promotion = static_cast<unsigned>(PieceType::knight);

  constexpr Move(Square from, Square to, unsigned kind, unsigned promotion)
      : bits_(static_cast<std::uint16_t>(from | (to << 6) | (promotion << 12) | (kind << 14))) {}

  constexpr unsigned kind() const { return bits_ >> 14; }

  std::uint16_t bits_;
};
static_assert(sizeof(Move) == 2);

/// Where a castling king's rook stands before and after.
struct RookPath {
  Square from;
  Square to;
};
constexpr RookPath castling_rook(Move castling) {
  const Square king = castling.to();
  return king > castling.from() ? RookPath{king + 1, king - 1} : RookPath{king - 2, king + 1};
}

/// The moves of a position. No position has more than 218.
class MoveList {
 public:
  void add(Move move) { moves_[size_++] = move; }

  unsigned size() const { return size_; }
  Move& operator[](unsigned i) { return moves_[i]; }
  Move operator[](unsigned i) const { return moves_[i]; }
  const Move* begin() const { return moves_.data(); }
  const Move* end() const { return moves_.data() + size_; }

 private:
  unsigned size_ = 0;
  std::array<Move, 256> moves_;
};

}  // namespace slidebench::engine
