// SPDX-License-Identifier: MIT
//
// A move in sixteen bits, and what it changes on a board.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "harness/chess/leapers.hpp"
#include "harness/chess/piece_board.hpp"

namespace slidebench {

/// From (bits 5-0), to (11-6), promotion (13-12: knight, bishop, rook, queen), and what is special (15-14: nothing,
/// promotion, en passant, castling). Castling is the king's move of two squares.
using MoveCode = std::uint16_t;

enum class MoveKind : std::uint8_t { plain, promotion, en_passant, castling };

constexpr Square from_square(MoveCode move) { return move & 63u; }
constexpr Square to_square(MoveCode move) { return (move >> 6) & 63u; }
constexpr MoveKind kind_of(MoveCode move) { return static_cast<MoveKind>(move >> 14); }
constexpr PieceType promotion_of(MoveCode move) { return static_cast<PieceType>(1u + ((move >> 12) & 3u)); }

/// What a move does. Precondition: it fits the board.
constexpr Change change_of(const PieceBoard& board, MoveCode move) {
  const auto from = static_cast<std::uint8_t>(from_square(move));
  const auto to = static_cast<std::uint8_t>(to_square(move));
  const Piece mover = board.on[from];
  Change change{.lifted = {PieceAt{from, mover}, PieceAt{to, board.on[to]}},
                .put = {PieceAt{to, mover}, PieceAt{to, mover}},
                .lifts = static_cast<std::uint8_t>(board.on[to] == no_piece ? 1 : 2),
                .puts = 1};
  if (kind_of(move) == MoveKind::plain) return change;
  if (kind_of(move) == MoveKind::promotion) {
    change.put[0].piece = piece_of(static_cast<Color>(color_of(mover)), promotion_of(move));
  } else if (kind_of(move) == MoveKind::en_passant) {
    const auto taken = static_cast<std::uint8_t>(to ^ 8);
    change.lifted[1] = {taken, board.on[taken]};
    change.lifts = 2;
  } else {
    const bool kingside = to > from;
    const auto rook_from = static_cast<std::uint8_t>(kingside ? to + 1 : to - 2);
    const auto rook_to = static_cast<std::uint8_t>(kingside ? to - 1 : to + 1);
    change.lifted[1] = {rook_from, board.on[rook_from]};
    change.put[1] = {rook_to, board.on[rook_from]};
    change.lifts = change.puts = 2;
  }
  return change;
}

namespace fitting {

constexpr bool stands(const PieceBoard& board, Square s, Color color, PieceType type) {
  return board.on[s] == piece_of(color, type);
}

/// En passant: a pawn one square aside takes one of the other colour that stands behind its target.
constexpr bool en_passant(const PieceBoard& board, Color color, Square from, Square to) {
  return stands(board, from, color, PieceType::pawn) &&
         (pawn_attacks[static_cast<unsigned>(color)][from] & bit(to)) != 0 && board.on[to] == no_piece &&
         stands(board, to ^ 8, ~color, PieceType::pawn);
}

/// Castling: a king on file e, a rook in its corner, nothing between them.
constexpr bool castling(const PieceBoard& board, Color color, Square from, Square to) {
  const Square home = color == Color::white ? 4 : 60;
  if (from != home || (to != home + 2 && to != home - 2) || !stands(board, from, color, PieceType::king)) return false;
  const Square corner = to > from ? home + 3 : home - 4;
  return stands(board, corner, color, PieceType::rook) && (between(from, corner) & board.occupied()) == 0;
}

}  // namespace fitting

/// Whether a move can be made on a board: the pieces that it needs are there, and no king is taken. Not whether it is
/// legal, or how the mover moves.
constexpr bool fits(const PieceBoard& board, MoveCode move) {
  const Square from = from_square(move), to = to_square(move);
  const Piece mover = board.on[from];
  if (from == to || mover == no_piece) return false;
  const auto color = static_cast<Color>(color_of(mover));
  const bool pawn = static_cast<PieceType>(type_of(mover)) == PieceType::pawn;
  if (kind_of(move) == MoveKind::en_passant) return fitting::en_passant(board, color, from, to);
  if (kind_of(move) == MoveKind::castling) return fitting::castling(board, color, from, to);
  const Piece taken = board.on[to];
  const bool takes = taken != no_piece;
  if (takes && (color_of(taken) == color_of(mover) || static_cast<PieceType>(type_of(taken)) == PieceType::king))
    return false;
  return kind_of(move) == MoveKind::plain || (pawn && rank_of(to) == (color == Color::white ? 7u : 0u));
}

/// What is wrong with a board: "" if nothing. A side has 16 pieces at most, one of them the king.
constexpr std::string_view fault_of(const PieceBoard& board) {
  for (const Color color : {Color::white, Color::black}) {
    if (std::popcount(board.of(color)) > 16) return "a side has more than 16 pieces";
    if (std::popcount(board.of(color, PieceType::king)) > 1) return "a side has two kings";
  }
  return "";
}

}  // namespace slidebench
