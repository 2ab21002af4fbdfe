// SPDX-License-Identifier: MIT
//
// The small board that follows a game: it moves the pieces and knows none of the rules about check. pgn-extract has
// checked the moves; what this board checks is only what keeps it consistent.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/trace/block.hpp"
#include "methods/bitboard.hpp"

namespace slidebench {

enum class Colour : std::uint8_t { white = 0, black = 1 };
constexpr Colour other(Colour side) { return side == Colour::white ? Colour::black : Colour::white; }

enum class Piece : std::uint8_t { pawn, knight, bishop, rook, queen, king };
inline constexpr unsigned piece_kinds = 6;

/// A move as UCI writes it: castling is the king's move of two squares.
struct UciMove {
  Square from = 0;
  Square to = 0;
  std::optional<Piece> promotion;
};

/// Reads "e2e4", "a7a8q", or "a7a8Q" as pgn-extract has it. Returns nothing if the text is no move.
std::optional<UciMove> parse_uci(std::string_view text);

class GameBoard {
 public:
  /// The start position.
  static GameBoard start();

  /// The position of a FEN. Placement and side to move are needed; castling rights and en-passant square may be
  /// missing, but must make sense if they are there (so Chess960 is refused); the counters are not looked at.
  /// @throws UserError  what is wrong with it
  static GameBoard from_fen(std::string_view fen);

  /// Plays a move of the side to move. Returns false, and changes nothing, if the board cannot follow it: no own piece
  /// there, an own piece or a king on the target, a wrong promotion, a king's leap that is not castling.
  bool apply(const UciMove& move);

  Bitboard occupied() const { return pieces(Colour::white) | pieces(Colour::black); }
  Bitboard pieces(Colour side) const { return by_colour_[static_cast<std::size_t>(side)]; }
  Bitboard pieces(Piece kind) const { return by_piece_[static_cast<std::size_t>(kind)]; }
  Bitboard pieces(Colour side, Piece kind) const { return pieces(side) & pieces(kind); }
  Colour side_to_move() const { return side_to_move_; }

  /// Each side has exactly one king, always.
  Square king_square(Colour side) const { return lowest_square(pieces(side, Piece::king)); }

  SliderSets sliders() const;

 private:
  GameBoard() = default;

  void put(Colour side, Piece kind, Square square);
  std::optional<Piece> piece_at(Square square) const;
  void remove(Square square);
  void relocate(Square from, Square to);
  bool apply_pawn_move(const UciMove& move);
  bool apply_king_move(const UciMove& move);
  void place_pieces(std::string_view placement);
  void check_castling(std::string_view rights) const;
  void check_pieces() const;

  std::array<Bitboard, 2> by_colour_{};
  std::array<Bitboard, piece_kinds> by_piece_{};
  Colour side_to_move_ = Colour::white;
};

}  // namespace slidebench
