// SPDX-License-Identifier: MIT
//
// What a move changes in the features of the network: two to four pieces, and the threats that they bring and take.
//
// A piece that leaves a square takes three kinds of threats with it, and one that arrives brings them:
//   - its own attacks on other pieces;
//   - attacks on it: sliders by looking outward from its square, the others by the leaper tables;
//   - discovered ones, the other way round: a slider and the piece that it attacks through the square when that is
//     empty.
// All three follow from the bishop and the rook set of that one square: one `both` query for each piece put down or
// taken up. No other part of an engine with such features asks for more attack sets.
// Kings neither threaten nor are threatened: their threats are checks, which the search sees by itself.
#pragma once

#include <array>
#include <cstdint>

#include "harness/chess/leapers.hpp"
#include "harness/engine/move.hpp"
#include "harness/engine/network.hpp"
#include "harness/engine/position_state.hpp"
#include "methods/bitboard.hpp"
#include "methods/method.hpp"

namespace slidebench::engine {

constexpr unsigned index_of(Color color) { return static_cast<unsigned>(color); }

/// The number of the piece on an occupied square.
template <class Position>
std::uint8_t piece_number_on(const Position& position, Square s) {
  const Color color = (position.pieces(Color::white) & bit(s)) != 0 ? Color::white : Color::black;
  return piece_of(color, position.piece_on(s));
}

/// The threats that meet in one square, among the pieces on `others` (which the square is not in). All of these stand
/// on the position's board; the piece on the square itself may or may not.
template <class Position>
class ThreatsOfSquare {
 public:
  ThreatsOfSquare(Position& position, Square square, Bitboard others)
      : position_(position), square_(square), others_(others) {
    const bool as_it_is = ((others ^ position.occupied()) & ~bit(square)) == 0;
    lines_ = as_it_is ? position.both_attacks(square) : position.both_attacks(square, others | bit(square));
    const Bitboard queens = position.pieces(PieceType::queen);
    sliders_ = ((lines_.bishop & (position.pieces(PieceType::bishop) | queens)) |
                (lines_.rook & (position.pieces(PieceType::rook) | queens))) &
               others_;
  }

  /// The attacks of a piece on the square, and those on it.
  template <class List>
  void of_piece(std::uint8_t piece, List& list) const {
    const PieceType type = static_cast<PieceType>(piece % 6);
    if (type == PieceType::king) return;
    const auto square = static_cast<std::uint8_t>(square_);
    for (Bitboard left = attacks(piece, type) & others_ & ~position_.pieces(PieceType::king); left != 0;) {
      const Square to = pop_lowest(left);
      list.add({piece, square, piece_number_on(position_, to), static_cast<std::uint8_t>(to)});
    }
    for (Bitboard left = sliders_ | leapers(); left != 0;) {
      const Square from = pop_lowest(left);
      list.add({piece_number_on(position_, from), static_cast<std::uint8_t>(from), piece, square});
    }
  }

  /// The attacks of sliders on what stands behind the square, as long as that is empty.
  template <class List>
  void through(List& list) const {
    const Bitboard targets = (lines_.bishop | lines_.rook) & others_ & ~position_.pieces(PieceType::king);
    for (Bitboard left = sliders_; left != 0;) {
      const Square from = pop_lowest(left);
      const Bitboard behind = targets & line(from, square_) & ~bit(from);
      if (behind == 0) continue;
      const Square to = lowest_square(behind);
      list.add({piece_number_on(position_, from), static_cast<std::uint8_t>(from), piece_number_on(position_, to),
                static_cast<std::uint8_t>(to)});
    }
  }

 private:
  Bitboard attacks(std::uint8_t piece, PieceType type) const {
    switch (type) {
      case PieceType::pawn: return pawn_attacks[piece / 6][square_];
      case PieceType::knight: return knight_attacks[square_];
      case PieceType::bishop: return lines_.bishop;
      case PieceType::rook: return lines_.rook;
      case PieceType::queen: return lines_.bishop | lines_.rook;
      default: return 0;
    }
  }

  /// Knights and pawns that attack the square. A white pawn attacks from where a black one on the square would.
  Bitboard leapers() const {
    const Bitboard knights = knight_attacks[square_] & position_.pieces(PieceType::knight);
    const Bitboard pawns = (pawn_attacks[1][square_] & position_.pieces(Color::white, PieceType::pawn)) |
                           (pawn_attacks[0][square_] & position_.pieces(Color::black, PieceType::pawn));
    return (knights | pawns) & others_;
  }

  Position& position_;
  Square square_;
  Bitboard others_;
  BishopRook lines_;
  Bitboard sliders_;
};

/// The threats of one piece, which attacks these squares.
template <class Position>
void collect_threats(Position& position, std::uint8_t piece, Square from, Bitboard attacks, ActiveFeatures& features) {
  for (Bitboard attacked = attacks & position.occupied() & ~position.pieces(PieceType::king); attacked != 0;) {
    const Square to = pop_lowest(attacked);
    features.threats.add(
        {piece, static_cast<std::uint8_t>(from), piece_number_on(position, to), static_cast<std::uint8_t>(to)});
  }
}

/// Those of all sliders, whose attacks are asked for at once.
template <class Position>
void collect_slider_threats(Position& position, ActiveFeatures& features) {
  const SliderBatch sliders = SliderBatch::of(position.pieces(PieceType::bishop), position.pieces(PieceType::queen),
                                              position.pieces(PieceType::rook));
  std::array<Bitboard, SliderBatch::room> attacks;
  position.batch(sliders, attacks.data());
  for (unsigned i = 0; i < sliders.size(); ++i) {
    const Square from = sliders.squares[i];
    collect_threats(position, piece_number_on(position, from), from, attacks[i], features);
  }
}

/// All features of a position, for a refresh. With threats: one query a slider, or one batch.
template <class Position>
void collect_features(Position& position, bool threats, ActiveFeatures& features) {
  const bool in_batches = threats && position.in_batches();
  if (in_batches) collect_slider_threats(position, features);
  for (Bitboard left = position.occupied(); left != 0;) {
    const Square s = pop_lowest(left);
    const std::uint8_t piece = piece_number_on(position, s);
    features.pieces.add({piece, static_cast<std::uint8_t>(s)});
    if (!threats) continue;
    Bitboard attacks = 0;
    switch (position.piece_on(s)) {
      case PieceType::pawn: attacks = pawn_attacks[piece / 6][s]; break;
      case PieceType::knight: attacks = knight_attacks[s]; break;
      case PieceType::bishop: attacks = in_batches ? 0 : position.bishop_attacks(s); break;
      case PieceType::rook: attacks = in_batches ? 0 : position.rook_attacks(s); break;
      case PieceType::queen: attacks = in_batches ? 0 : position.queen_attacks(s); break;
      default: break;
    }
    collect_threats(position, piece, s, attacks, features);
  }
}

}  // namespace slidebench::engine
