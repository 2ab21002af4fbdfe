// SPDX-License-Identifier: MIT
//
// Random boards and moves, and what stands on a board attacks by the ray walk: for checks of what follows pieces.
#pragma once

#include <random>

#include "harness/chess/moves.hpp"
#include "methods/reference.hpp"

namespace slidebench {

/// The squares that the piece on s attacks.
inline Bitboard reference_attacks(const PieceBoard& board, Square s) {
  const Piece piece = board.on[s];
  switch (static_cast<PieceType>(type_of(piece))) {
    case PieceType::pawn: return pawn_attacks[color_of(piece)][s];
    case PieceType::knight: return knight_attacks[s];
    case PieceType::bishop: return reference::bishop(s, board.occupied());
    case PieceType::rook: return reference::rook(s, board.occupied());
    case PieceType::queen: return reference::queen(s, board.occupied());
    default: return king_attacks[s];
  }
}

/// A board of random pieces, at most 16 a side with at most one king, none to 32 in all; now and then all of a kind.
inline PieceBoard random_board(std::mt19937_64& random) {
  PieceBoard board = PieceBoard::empty();
  const unsigned most = static_cast<unsigned>(random() % 17);
  const bool one_kind = random() % 4 == 0;
  const auto kind = static_cast<PieceType>(random() % 5);
  for (const Color color : {Color::white, Color::black}) {
    for (unsigned n = 0; n < most; ++n) {
      const auto s = static_cast<std::uint8_t>(random() % 64);
      if (board.on[s] != no_piece) continue;
      const PieceType type = n == 0 ? PieceType::king : (one_kind ? kind : static_cast<PieceType>(random() % 5));
      const bool edge = rank_of(s) == 0 || rank_of(s) == 7;
      if (type == PieceType::pawn && edge) continue;
      board.put({s, piece_of(color, type)});
    }
  }
  return board;
}

/// A random move that fits the board, special ones as often as the board has them; none if few tries find none.
inline bool random_move(const PieceBoard& board, std::mt19937_64& random, MoveCode& move) {
  for (unsigned tries = 0; tries < 400; ++tries) {
    move = static_cast<MoveCode>(random());
    const Piece mover = board.on[from_square(move)];
    if (mover == no_piece) continue;
    if (tries < 300 && (reference_attacks(board, from_square(move)) & bit(to_square(move))) == 0 &&
        kind_of(move) != MoveKind::castling)
      continue;
    const bool pawn = static_cast<PieceType>(type_of(mover)) == PieceType::pawn;
    if (pawn && kind_of(move) == MoveKind::plain && (rank_of(to_square(move)) == 0 || rank_of(to_square(move)) == 7))
      continue;
    if (fits(board, move)) return true;
  }
  return false;
}

}  // namespace slidebench
