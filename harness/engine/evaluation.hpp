// SPDX-License-Identifier: MIT
//
// The classical evaluation: material, places, mobility, king safety and passed pawns, in whole hundredths of a pawn.
//
// It is here for the attack sets that it asks for: one of every knight, bishop, rook and queen for mobility and for
// attacks on the ring around the king, and `both` sets of each king, the lines on which it could be attacked. That is
// what the evaluations of engines before the networks asked for. Terms exist twice, for the middlegame and for the
// endgame, and are mixed by the material left.
#pragma once

#include <array>
#include <bit>

#include "harness/chess/leapers.hpp"
#include "harness/engine/position_state.hpp"
#include "methods/bitboard.hpp"
#include "methods/method.hpp"

namespace slidebench::engine {

/// A score for the middlegame and one for the endgame.
struct Tapered {
  int middle = 0;
  int end = 0;

  constexpr Tapered& operator+=(Tapered o) { return middle += o.middle, end += o.end, *this; }
  constexpr Tapered& operator-=(Tapered o) { return middle -= o.middle, end -= o.end, *this; }
  friend constexpr Tapered operator*(Tapered t, int n) { return {t.middle * n, t.end * n}; }
};

/// Values of pawn, knight, bishop, rook, queen, king, none: for ordering, exchanges and the network's material term.
inline constexpr std::array<int, 7> piece_values{100, 320, 330, 500, 950, 0, 0};

namespace classical {

inline constexpr std::array<Tapered, 6> material{{{90, 110}, {320, 300}, {330, 320}, {480, 530}, {950, 980}, {0, 0}}};
inline constexpr std::array<int, 6> phase_weight{0, 1, 1, 2, 4, 0};  // 24 with all pieces on the board

/// What a piece gains with each step toward the centre, and with each rank that it advances.
inline constexpr std::array<Tapered, 6> centre_step{{{3, 1}, {9, 7}, {5, 4}, {2, 0}, {2, 4}, {-9, 9}}};
inline constexpr std::array<Tapered, 6> rank_step{{{2, 6}, {2, 1}, {1, 1}, {2, 3}, {0, 2}, {-12, 3}}};
inline constexpr std::array<Tapered, 6> mobility{{{0, 0}, {4, 4}, {5, 5}, {2, 4}, {1, 3}, {0, 0}}};
inline constexpr std::array<int, 6> ring_attack{0, 9, 8, 12, 14, 0};

inline constexpr Tapered bishop_pair{28, 45};
inline constexpr Tapered open_king_square{-3, 0};
inline constexpr Tapered doubled_pawn{-8, -14};
inline constexpr Tapered isolated_pawn{-10, -12};
inline constexpr std::array<Tapered, 8> passed_pawn{
    {{0, 0}, {4, 8}, {6, 14}, {10, 26}, {24, 48}, {46, 84}, {80, 130}, {0, 0}}};
inline constexpr int tempo = 12;

/// Distance from the edge, summed over file and rank: 0 in the corner, 6 in the centre.
constexpr int centrality(Square s) {
  const auto inward = [](unsigned line) { return static_cast<int>(line < 4 ? line : 7 - line); };
  return inward(file_of(s)) + inward(rank_of(s));
}

/// Material and place of each piece for white; black's square is s ^ 56.
inline constexpr auto places = [] {
  std::array<std::array<Tapered, 64>, 6> table{};
  for (unsigned piece = 0; piece < 6; ++piece) {
    for (Square s = 0; s < 64; ++s) {
      Tapered& place = table[piece][s];
      place = material[piece];
      place += centre_step[piece] * (centrality(s) - 3);
      place += rank_step[piece] * (static_cast<int>(rank_of(s)) - 2);
    }
  }
  return table;
}();

/// For a white pawn on s: the squares from which enemy pawns stop it, on its own and the neighbouring files.
inline constexpr auto passed_masks = [] {
  std::array<Bitboard, 64> masks{};
  for (Square s = 0; s < 64; ++s) {
    const Bitboard front = ray(Direction::north, s);
    masks[s] = front | step(front, Direction::east) | step(front, Direction::west);
  }
  return masks;
}();

/// The terms of one side. The board is read through Position; nothing here knows a method.
template <class Position>
class Side {
 public:
  Side(Position& position, Color color)
      : position_(position), color_(color), other_(~color), flip_(color == Color::white ? 0 : 56) {}

  Tapered score() {
    Tapered sum = pawns();
    sum += pieces(PieceType::knight, [](Square s) { return knight_attacks[s]; });
    sum += pieces(PieceType::bishop, [this](Square s) { return position_.bishop_attacks(s); });
    sum += pieces(PieceType::rook, [this](Square s) { return position_.rook_attacks(s); });
    sum += pieces(PieceType::queen, [this](Square s) { return position_.queen_attacks(s); });
    sum += king();
    if (std::popcount(position_.pieces(color_, PieceType::bishop)) >= 2) sum += bishop_pair;
    // Attackers count for more the more there are; a single one is no attack.
    if (ring_attackers_ > 1) sum += {ring_weight_ * ring_attackers_ / 2, ring_weight_ / 4};
    return sum;
  }

 private:
  static constexpr std::size_t index(PieceType piece) { return static_cast<std::size_t>(piece); }

  template <class Attacks>
  Tapered pieces(PieceType piece, Attacks attacks_of) {
    const Bitboard ring = king_attacks[position_.king(other_)];
    const Bitboard own = position_.pieces(color_);
    Tapered sum;
    for (Bitboard left = position_.pieces(color_, piece); left != 0;) {
      const Square s = pop_lowest(left);
      const Bitboard attacks = attacks_of(s);
      sum += places[index(piece)][s ^ flip_];
      sum += mobility[index(piece)] * (std::popcount(attacks & ~own) - 4);
      if ((attacks & ring) != 0) {
        ++ring_attackers_;
        ring_weight_ += ring_attack[index(piece)] * std::popcount(attacks & ring);
      }
    }
    return sum;
  }

  Tapered pawns() const {
    const Bitboard own = position_.pieces(color_, PieceType::pawn);
    const Bitboard enemy = position_.pieces(other_, PieceType::pawn);
    const Bitboard enemy_seen = flip_ != 0 ? flip_ranks(enemy) : enemy;
    Tapered sum;
    for (Bitboard left = own; left != 0;) {
      const Square s = pop_lowest(left);
      const Bitboard file = a_file << file_of(s);
      sum += places[index(PieceType::pawn)][s ^ flip_];
      if (std::popcount(own & file) > 1) sum += doubled_pawn;
      if ((own & (step(file, Direction::east) | step(file, Direction::west))) == 0) sum += isolated_pawn;
      if ((enemy_seen & passed_masks[s ^ flip_]) == 0) sum += passed_pawn[rank_of(s ^ flip_)];
    }
    return sum;
  }

  /// The king's place, and the squares from which a slider could check it.
  Tapered king() const {
    const Square s = position_.king(color_);
    const BishopRook lines = position_.both_attacks(s);
    Tapered sum = places[index(PieceType::king)][s ^ flip_];
    if ((position_.pieces(other_, PieceType::queen)) != 0) {
      const Bitboard free = ~position_.pieces(color_);
      sum += open_king_square * (std::popcount(lines.bishop & free) + std::popcount(lines.rook & free));
    }
    return sum;
  }

  Position& position_;
  Color color_;
  Color other_;
  unsigned flip_;
  int ring_attackers_ = 0;
  int ring_weight_ = 0;
};

}  // namespace classical

/// The score of the side to move, in hundredths of a pawn.
template <class Position>
int evaluate_classical(Position& position) {
  Tapered sum = classical::Side<Position>(position, Color::white).score();
  sum -= classical::Side<Position>(position, Color::black).score();

  int phase = 0;
  for (unsigned piece = 0; piece < 6; ++piece) {
    phase += classical::phase_weight[piece] * std::popcount(position.pieces(static_cast<PieceType>(piece)));
  }
  if (phase > 24) phase = 24;
  const int white = (sum.middle * phase + sum.end * (24 - phase)) / 24;
  return (position.side() == Color::white ? white : -white) + classical::tempo;
}

/// The balance of material for the side to move. With a network this is what keeps the search on earth: its weights
/// know nothing.
template <class Position>
int material_balance(Position& position) {
  int balance = 0;
  for (unsigned piece = 0; piece < 5; ++piece) {
    const auto type = static_cast<PieceType>(piece);
    balance += piece_values[piece] * (std::popcount(position.pieces(Color::white, type)) -
                                      std::popcount(position.pieces(Color::black, type)));
  }
  return position.side() == Color::white ? balance : -balance;
}

}  // namespace slidebench::engine
