// SPDX-License-Identifier: MIT
//
// A position as plain data: what a FEN says, and what crosses the border between the host and a module.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "harness/chess/piece_board.hpp"
#include "methods/bitboard.hpp"

namespace slidebench::engine {

using slidebench::Color;
using slidebench::PieceType;

/// What stands in PositionState::en_passant if there is no such square.
inline constexpr std::uint8_t no_square = 64;

/// Castling rights: bits of PositionState::castling.
inline constexpr std::uint8_t white_kingside = 1;
inline constexpr std::uint8_t white_queenside = 2;
inline constexpr std::uint8_t black_kingside = 4;
inline constexpr std::uint8_t black_queenside = 8;

struct PositionState {
  std::array<Bitboard, 6> pieces;  ///< by type, of both colours
  std::array<Bitboard, 2> colors;  ///< by colour, of all types
  Color side;                      ///< to move
  std::uint8_t castling;
  std::uint8_t en_passant;        ///< the square that the pawn skipped, or no_square
  std::uint16_t halfmove_clock;   ///< plies since the last capture or pawn move
  std::uint16_t fullmove_number;  ///< from 1

  friend constexpr bool operator==(const PositionState&, const PositionState&) = default;
};

/// Its pieces, as traces have them.
inline PieceBoard board_of(const PositionState& state) {
  PieceBoard board = PieceBoard::empty();
  for (Square s = 0; s < square_count; ++s) {
    for (Piece piece = 0; piece < no_piece; ++piece) {
      const Bitboard squares = state.colors[color_of(piece)] & state.pieces[type_of(piece)];
      if ((squares & bit(s)) != 0) board.put({static_cast<std::uint8_t>(s), piece});
    }
  }
  return board;
}

}  // namespace slidebench::engine
