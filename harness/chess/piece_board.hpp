// SPDX-License-Identifier: MIT
//
// The board with its pieces, as every engine keeps it: a piece on each square, a set of squares for each type and
// colour; and what a move does to it, as pieces lifted and pieces put down.
#pragma once

#include <array>
#include <cstdint>

#include "methods/bitboard.hpp"

namespace slidebench {

enum class Color : std::uint8_t { white, black };
constexpr Color operator~(Color color) { return color == Color::white ? Color::black : Color::white; }

enum class PieceType : std::uint8_t { pawn, knight, bishop, rook, queen, king, none };

/// A piece: 6 * colour + type, 0 (white pawn) to 11 (black king); no_piece is none. Fits into four bits.
using Piece = std::uint8_t;
inline constexpr Piece no_piece = 12;

constexpr Piece piece_of(Color color, PieceType type) {
  return static_cast<Piece>(6 * static_cast<unsigned>(color) + static_cast<unsigned>(type));
}
constexpr unsigned color_of(Piece piece) { return piece >= 6; }
constexpr unsigned type_of(Piece piece) { return piece >= 6 ? piece - 6u : piece; }

/// A piece and the square that it stands on.
struct PieceAt {
  std::uint8_t square;
  Piece piece;

  friend constexpr bool operator==(const PieceAt&, const PieceAt&) = default;
};

/// What a move does: the mover is lifted, then the captured piece or the castling rook, if any; then the mover is put
/// down (a promoted pawn as what it becomes), and the rook. No two lifted pieces share a square, nor two put down.
struct Change {
  std::array<PieceAt, 2> lifted;
  std::array<PieceAt, 2> put;
  std::uint8_t lifts;
  std::uint8_t puts;

  /// Whether a piece was captured on the square that the mover goes to: it stays occupied.
  constexpr bool captures_on_target() const { return lifts == 2 && lifted[1].square == put[0].square; }

  friend constexpr bool operator==(const Change&, const Change&) = default;
};

/// The pieces of a position. The three views always agree.
struct alignas(64) PieceBoard {
  std::array<Piece, 64> on;       ///< by square
  std::array<Bitboard, 6> types;  ///< by type, of both colours
  std::array<Bitboard, 2> colors;

  static constexpr PieceBoard empty() {
    PieceBoard board{};
    board.on.fill(no_piece);
    return board;
  }

  constexpr Bitboard occupied() const { return colors[0] | colors[1]; }
  constexpr Bitboard of(PieceType type) const { return types[static_cast<unsigned>(type)]; }
  constexpr Bitboard of(Color color) const { return colors[static_cast<unsigned>(color)]; }
  constexpr Bitboard of(Color color, PieceType type) const { return of(color) & of(type); }
  constexpr Bitboard diagonal_sliders() const { return of(PieceType::bishop) | of(PieceType::queen); }
  constexpr Bitboard orthogonal_sliders() const { return of(PieceType::rook) | of(PieceType::queen); }

  /// Precondition: the piece stands there.
  constexpr void lift(PieceAt at) {
    on[at.square] = no_piece;
    flip(at);
  }
  /// Precondition: the square is empty.
  constexpr void put(PieceAt at) {
    on[at.square] = at.piece;
    flip(at);
  }

  constexpr void make(const Change& change) {
    // One or two of each: a loop would be compiled for more.
    lift(change.lifted[0]);
    if (change.lifts == 2) lift(change.lifted[1]);
    put(change.put[0]);
    if (change.puts == 2) put(change.put[1]);
  }
  constexpr void unmake(const Change& change) {
    lift(change.put[0]);
    if (change.puts == 2) lift(change.put[1]);
    put(change.lifted[0]);
    if (change.lifts == 2) put(change.lifted[1]);
  }

  /// The sets of types and colours alone, for those who write `on` themselves.
  constexpr void flip(PieceAt at) {
    types[type_of(at.piece)] ^= bit(at.square);
    colors[color_of(at.piece)] ^= bit(at.square);
  }

  friend constexpr bool operator==(const PieceBoard&, const PieceBoard&) = default;
};
static_assert(sizeof(PieceBoard) == 128);

}  // namespace slidebench
