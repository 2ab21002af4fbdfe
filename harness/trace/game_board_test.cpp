// SPDX-License-Identifier: MIT
#include "harness/trace/game_board.hpp"

#include <initializer_list>
#include <random>
#include <string>

#include "harness/trace/test_support.hpp"

namespace slidebench {
namespace {

using test::expect_complaint;

bool play(GameBoard& board, std::initializer_list<std::string_view> moves) {
  for (const std::string_view text : moves) {
    const auto move = parse_uci(text);
    if (!move || !board.apply(*move)) return false;
  }
  return true;
}

bool same(const GameBoard& a, const GameBoard& b) {
  bool equal = a.side_to_move() == b.side_to_move();
  for (const Colour side : {Colour::white, Colour::black}) equal = equal && a.pieces(side) == b.pieces(side);
  for (unsigned kind = 0; kind < piece_kinds; ++kind) {
    equal = equal && a.pieces(static_cast<Piece>(kind)) == b.pieces(static_cast<Piece>(kind));
  }
  return equal;
}

void expect_line(const std::string& fen, std::initializer_list<std::string_view> moves, const std::string& after) {
  GameBoard board = GameBoard::from_fen(fen);
  EXPECT_TRUE(play(board, moves)) << fen;
  EXPECT_TRUE(same(board, GameBoard::from_fen(after))) << after;
}

void expect_refused(const std::string& fen, std::string_view move) {
  GameBoard board = GameBoard::from_fen(fen);
  const GameBoard before = board;
  EXPECT_FALSE(play(board, {move})) << fen << " " << move;
  EXPECT_TRUE(same(board, before));
}

TEST(game_board, start_position) {
  const GameBoard board = GameBoard::start();
  EXPECT_EQ(board.occupied(), 0xFFFF00000000FFFFu);
  EXPECT_EQ(board.king_square(Colour::white), 4u);
  EXPECT_EQ(board.king_square(Colour::black), 60u);
  EXPECT_EQ(board.sliders().white_diagonal, bit(2) | bit(3) | bit(5));
  EXPECT_EQ(board.sliders().black_orthogonal, bit(56) | bit(59) | bit(63));
}

TEST(game_board, castling_both_ways_and_sides) {
  const std::string fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
  expect_line(fen, {"e1g1", "e8c8"}, "2kr3r/8/8/8/8/8/8/R4RK1 w");
  expect_line(fen, {"e1c1", "e8g8"}, "r4rk1/8/8/8/8/8/8/2KR3R w");
  expect_refused("4k3/8/8/8/8/8/8/4K2R w", "e1c1");
  expect_refused("4k3/8/8/8/8/8/8/4KB1R w", "e1g1");
  expect_refused("4k3/8/8/8/8/8/8/4K2r w", "e1g1");
  expect_refused("4k3/8/8/8/8/8/8/4K2R w", "e1e3");
  expect_refused("4k3/8/8/8/8/8/8/3K3R w", "d1g1");
}

TEST(game_board, en_passant) {
  expect_line("4k3/3p4/8/4P3/8/8/8/4K3 b", {"d7d5", "e5d6"}, "4k3/8/3P4/8/8/8/8/4K3 b");
  expect_line("4k3/8/8/8/4p3/8/3P4/4K3 w", {"d2d4", "e4d3"}, "4k3/8/8/8/8/3p4/8/4K3 w");
  expect_refused("4k3/8/8/4P3/8/8/8/4K3 w", "e5d6");
}

TEST(game_board, promotions_and_captures) {
  expect_line("1n2k3/P7/8/8/8/8/8/4K3 w", {"a7a8n"}, "Nn2k3/8/8/8/8/8/8/4K3 b");
  expect_line("1n2k3/P7/8/8/8/8/8/4K3 w", {"a7b8R"}, "1R2k3/8/8/8/8/8/8/4K3 b");
  expect_line("4k3/8/8/8/8/8/p7/1N2K3 b", {"a2b1q"}, "4k3/8/8/8/8/8/8/1q2K3 w");
  expect_line("4k3/8/8/3p4/4B3/8/8/4K3 w", {"e4d5"}, "4k3/8/8/3B4/8/8/8/4K3 b");
  expect_refused("4k3/P7/8/8/8/8/8/4K3 w", "a7a8");
  expect_refused("4k3/8/P7/8/8/8/8/4K3 w", "a6a7q");
  expect_refused("4k3/8/8/8/8/8/P7/4K3 w", "a2a1");
  expect_refused("4k3/8/8/8/8/8/8/R3K3 w", "a1a8q");
}

TEST(game_board, refuses_nonsense) {
  expect_refused("4k3/8/8/8/8/8/8/R3K3 w", "b1b2");
  expect_refused("4k3/8/8/8/8/8/8/R3K3 w", "e8e7");
  expect_refused("4k3/8/8/8/8/8/8/R3K3 w", "a1a1");
  expect_refused("4k3/8/8/8/8/8/8/R3K3 w", "a1e1");
  expect_refused("4k3/8/8/8/8/8/8/4R2K w", "e1e8");
  for (const std::string_view text :
       {"", "e2", "e2e9", "i2e4", "e2e4x", "e7e8k", "e7e8p", "O-O", "0000", "--", "e2e4qq"}) {
    EXPECT_FALSE(parse_uci(text)) << text;
  }
}

TEST(game_board, survives_random_moves) {
  std::mt19937_64 random(4);
  GameBoard board = GameBoard::start();
  for (int i = 0; i < 200'000; ++i) {
    UciMove move{static_cast<Square>(random() % 64), static_cast<Square>(random() % 64), std::nullopt};
    if (random() % 4 == 0) move.promotion = Piece::queen;
    board.apply(move);
    ASSERT_EQ(std::popcount(board.pieces(Piece::king)), 2);
    ASSERT_EQ(board.pieces(Colour::white) & board.pieces(Colour::black), 0u);
    int pieces = 0;
    for (unsigned kind = 0; kind < piece_kinds; ++kind) pieces += std::popcount(board.pieces(static_cast<Piece>(kind)));
    ASSERT_EQ(pieces, std::popcount(board.occupied()));
  }
}

TEST(game_board, refuses_bad_fens) {
  for (const char* fen :
       {"", "x", "8/8/8/8/8/8/8/8 w", "4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 x", "4k3/8/8/8/8/8/4K3 w",
        "4k3/8/8/8/8/8/8/8/4K3 w", "4k4/8/8/8/8/8/8/4K3 w", "4k2/8/8/8/8/8/8/4K3 w", "4k3/8/8/8/9/8/8/4K3 w",
        "4k3/8/8/8/8/8/8/4K2P w", "4kk2/8/8/8/8/8/8/4K3 w", "4k3/8/8/8/8/8/8/4K3 w KQ", "4k3/8/8/8/8/8/8/4K3 w HA",
        "4k3/8/8/8/8/8/8/4K3 w - e9", "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1"}) {
    expect_complaint("bad FEN", [fen] { GameBoard::from_fen(fen); });
  }
}

}  // namespace
}  // namespace slidebench
