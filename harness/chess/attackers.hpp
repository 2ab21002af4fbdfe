// SPDX-License-Identifier: MIT
//
// Who attacks a square, as far as no sliding method need be asked.
#pragma once

#include "harness/chess/leapers.hpp"
#include "harness/chess/piece_board.hpp"
#include "methods/method.hpp"

namespace slidebench {

/// The pieces other than sliders that attack a square.
constexpr Bitboard leapers_to(const PieceBoard& board, Square s) {
  // A white pawn attacks from where a black one on the square would.
  return (knight_attacks[s] & board.of(PieceType::knight)) | (king_attacks[s] & board.of(PieceType::king)) |
         (pawn_attacks[1][s] & board.of(Color::white, PieceType::pawn)) |
         (pawn_attacks[0][s] & board.of(Color::black, PieceType::pawn));
}

/// The sliders on the lines that a bishop and a rook see.
constexpr Bitboard sliders_on(const PieceBoard& board, const BishopRook& lines) {
  return (lines.bishop & board.diagonal_sliders()) | (lines.rook & board.orthogonal_sliders());
}

}  // namespace slidebench
