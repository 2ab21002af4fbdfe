// SPDX-License-Identifier: MIT
//
// Static exchange evaluation: what a capture brings when both sides go on capturing on its square, the least valuable
// piece first, for as long as it pays. Pins are ignored.
#pragma once

#include <bit>

#include "harness/engine/evaluation.hpp"
#include "harness/engine/move.hpp"
#include "harness/engine/position_state.hpp"
#include "methods/bitboard.hpp"
#include "methods/method.hpp"

namespace slidebench::engine {

constexpr int value_of(PieceType piece) { return piece_values[static_cast<std::size_t>(piece)]; }

/// The sliders of both colours that look at `target` when only `occupied` stands.
template <class Position>
Bitboard sliders_onto(Position& position, Square target, Bitboard occupied) {
  const BishopRook lines = position.both_attacks(target, occupied);
  const Bitboard queens = position.pieces(PieceType::queen);
  return ((lines.bishop & (position.pieces(PieceType::bishop) | queens)) |
          (lines.rook & (position.pieces(PieceType::rook) | queens))) &
         occupied;
}

/// Whether a legal move wins at least `threshold` hundredths of a pawn on its target square. Castling wins nothing.
template <class Position>
bool exchange_at_least(Position& position, Move move, int threshold) {
  if (move.is_castling()) return threshold <= 0;
  const Square target = move.to();
  Bitboard occupied = (position.occupied() ^ bit(move.from())) | bit(target);
  PieceType on_target = position.piece_on(move.from());
  int balance = value_of(position.piece_on(target)) - threshold;
  if (move.is_en_passant()) {
    occupied ^= bit(target ^ 8);
    balance += value_of(PieceType::pawn);
  }
  if (move.is_promotion()) {
    on_target = move.promotion();
    balance += value_of(on_target) - value_of(PieceType::pawn);
  }

  // `balance` is what the side that captured last has above its goal: first as it stands, then without its piece.
  const Color mover = position.side();
  Color last = mover;
  if (balance < 0) return false;
  balance -= value_of(on_target);
  if (balance >= 0) return true;

  Bitboard attackers = position.attackers_to(target, occupied) & occupied;
  for (;;) {
    const Color next = ~last;
    const Bitboard own = attackers & position.pieces(next);
    if (own == 0) break;
    unsigned type = 0;
    while ((own & position.pieces(static_cast<PieceType>(type))) == 0) ++type;
    const auto piece = static_cast<PieceType>(type);
    if (piece == PieceType::king && (attackers & position.pieces(last)) != 0) break;  // the king may not capture

    // The goal of the next side is to bring the last one below its own.
    last = next;
    balance = -balance - 1 - value_of(piece);
    if (balance >= 0) break;
    occupied ^= bit(lowest_square(own & position.pieces(piece)));
    attackers &= occupied;
    if (piece != PieceType::knight && piece != PieceType::king) attackers |= sliders_onto(position, target, occupied);
  }
  return last == mover;
}

}  // namespace slidebench::engine
