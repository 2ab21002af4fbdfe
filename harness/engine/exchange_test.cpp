// SPDX-License-Identifier: MIT
#include "harness/engine/exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "harness/engine/fen.hpp"
#include "harness/engine/position.hpp"
#include "harness/engine/test_support.hpp"
#include "methods/calculation/hyperbola.hpp"
#include "methods/calculation/ray_walk.hpp"

namespace slidebench::engine {
namespace {

using WalkedPosition = Position<RayWalk>;

/// The exact value of an exchange: the largest threshold that it reaches.
int exchange_value(WalkedPosition& position, Move move) {
  int low = -2000;
  int high = 4000;
  while (low < high) {
    const int middle = low + (high - low + 1) / 2;
    if (exchange_at_least(position, move, middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

int exchange_value(std::string_view fen, std::string_view move) {
  WalkedPosition position(parse_fen(fen));
  return exchange_value(position, move_named(position, move));
}

TEST(Exchange, CountsCapturesAndRecaptures) {
  EXPECT_EQ(exchange_value("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5"), 100);
  EXPECT_EQ(exchange_value("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5"), 100 - 320);
  EXPECT_EQ(exchange_value("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5"), 0);
  EXPECT_EQ(exchange_value("4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1", "d1d5"), 100 - 950);
  EXPECT_EQ(exchange_value("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1d7"), -950);
  EXPECT_EQ(exchange_value("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1d6"), 0);
}

TEST(Exchange, KnowsSpecialMoves) {
  EXPECT_EQ(exchange_value("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), 100);
  EXPECT_EQ(exchange_value("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), 0);
  EXPECT_EQ(exchange_value("3r3k/2P5/8/8/8/8/8/7K w - - 0 1", "c7d8q"), 500 + 950 - 100);
  EXPECT_EQ(exchange_value("3r3k/2P5/8/8/8/8/8/7K w - - 0 1", "c7c8q"), -100);
  WalkedPosition castling(parse_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
  EXPECT_TRUE(exchange_at_least(castling, move_named(castling, "e1g1"), 0));
  EXPECT_FALSE(exchange_at_least(castling, move_named(castling, "e1g1"), 1));
}

/// What the side `next` gains at best by capturing on the target, or 0 if it had better not.
int plain_gain(WalkedPosition& position, Square target, PieceType on_target, Bitboard occupied, Color next) {
  const Bitboard attackers = position.attackers_to(target, occupied) & occupied;
  for (unsigned type = 0; type < 6; ++type) {
    const Bitboard own = attackers & position.pieces(next, static_cast<PieceType>(type));
    if (own == 0) continue;
    if (type == 5 && (attackers & position.pieces(~next)) != 0) return 0;
    const Bitboard left = occupied ^ bit(lowest_square(own));
    return std::max(0, value_of(on_target) - plain_gain(position, target, static_cast<PieceType>(type), left, ~next));
  }
  return 0;
}

TEST(Exchange, AgreesWithThePlainRecursionOnRandomGames) {
  unsigned compared = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    WalkedPosition position(parse_fen(start_position));
    RandomMoves random(seed);
    for (unsigned ply = 0; ply < 100; ++ply) {
      MoveList moves;
      generate<GenKind::all>(position, moves);
      if (moves.size() == 0) break;
      for (const Move move : moves) {
        if (move.is_castling() || move.is_en_passant() || move.is_promotion()) continue;
        const Bitboard occupied = (position.occupied() ^ bit(move.from())) | bit(move.to());
        const int plain = value_of(position.piece_on(move.to())) -
                          plain_gain(position, move.to(), position.piece_on(move.from()), occupied, ~position.side());
        ASSERT_EQ(exchange_value(position, move), plain) << to_fen(position.state());
        ++compared;
      }
      position.make(moves[random.below(moves.size())]);
    }
  }
  EXPECT_GT(compared, 10'000u);
}

}  // namespace
}  // namespace slidebench::engine
