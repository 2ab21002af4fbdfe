// SPDX-License-Identifier: MIT
#include "harness/import/played_game.hpp"

#include <initializer_list>
#include <string>
#include <vector>

#include "harness/engine/fen.hpp"
#include "harness/engine/slider_sets.hpp"
#include "harness/trace/test_support.hpp"

namespace slidebench::engine {
namespace {

using Moves = std::vector<std::string_view>;

struct Played {
  std::string problem;
  std::vector<PositionState> positions;
  std::vector<Square> targets;  ///< of the moves, as the visits have them
};

Played play(std::optional<std::string_view> fen, const Moves& moves) {
  GameText game;
  game.fen = fen;
  game.moves.assign(moves.begin(), moves.end());
  Played played;
  played.problem = play_game(game, [&played](const GamePosition& position, const Move* next) {
    played.positions.push_back(position.state());
    if (next != nullptr) played.targets.push_back(next->to());
  });
  return played;
}

void expect_line(std::string_view fen, const Moves& moves, std::string_view after) {
  const Played played = play(fen, moves);
  EXPECT_EQ(played.problem, "") << fen;
  ASSERT_EQ(played.positions.size(), moves.size() + 1) << fen;
  const PositionState expected = parse_fen(after);
  EXPECT_EQ(played.positions.back().pieces, expected.pieces) << after;
  EXPECT_EQ(played.positions.back().colors, expected.colors) << after;
  EXPECT_EQ(played.positions.back().side, expected.side) << after;
}

void expect_refused(std::string_view fen, std::string_view move) {
  const Played played = play(fen, {move});
  EXPECT_EQ(played.problem, "cannot follow move " + std::string(move) + " on a standard board") << fen;
  EXPECT_TRUE(played.positions.empty()) << fen;
}

TEST(PlayedGame, BeginsAtTheStartPosition) {
  const Played played = play(std::nullopt, {"e2e4", "e7e5"});
  ASSERT_EQ(played.positions.size(), 3u);
  EXPECT_EQ(played.positions[0], parse_fen(start_position));
  EXPECT_EQ(played.targets, (std::vector<Square>{28, 36}));
  const SliderSets sliders = sliders_of(played.positions[0]);
  EXPECT_EQ(sliders.white_diagonal, bit(2) | bit(3) | bit(5));
  EXPECT_EQ(sliders.black_orthogonal, bit(56) | bit(59) | bit(63));
}

TEST(PlayedGame, CastlesBothWaysAndSides) {
  const std::string fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
  expect_line(fen, {"e1g1", "e8c8"}, "2kr3r/8/8/8/8/8/8/R4RK1 w - -");
  expect_line(fen, {"e1c1", "e8g8"}, "r4rk1/8/8/8/8/8/8/2KR3R w - -");
  EXPECT_EQ(play(fen, {"e1c1"}).targets, std::vector<Square>{2});
  expect_refused("4k3/8/8/8/8/8/8/4K2R w K -", "e1c1");
  expect_refused("4k3/8/8/8/8/8/8/4KB1R w K -", "e1g1");
  expect_refused("4k3/8/8/8/8/8/8/4K2r w - -", "e1g1");
  expect_refused("4k3/8/8/8/8/8/8/4K2R w K -", "e1e3");
  expect_refused("4k3/8/8/8/8/8/8/3K3R w - -", "d1g1");
}

TEST(PlayedGame, CapturesEnPassant) {
  expect_line("4k3/3p4/8/4P3/8/8/8/4K3 b - -", {"d7d5", "e5d6"}, "4k3/8/3P4/8/8/8/8/4K3 b - -");
  expect_line("4k3/8/8/8/4p3/8/3P4/4K3 w - -", {"d2d4", "e4d3"}, "4k3/8/8/8/8/3p4/8/4K3 w - -");
  expect_refused("4k3/8/8/4P3/8/8/8/4K3 w - -", "e5d6");
}

TEST(PlayedGame, PromotesAsPgnExtractWritesIt) {
  expect_line("1n2k3/P7/8/8/8/8/8/4K3 w - -", {"a7a8n"}, "Nn2k3/8/8/8/8/8/8/4K3 b - -");
  expect_line("1n2k3/P7/8/8/8/8/8/4K3 w - -", {"a7b8R"}, "1R2k3/8/8/8/8/8/8/4K3 b - -");
  expect_line("4k3/8/8/8/8/8/p7/1N2K3 b - -", {"a2b1q"}, "4k3/8/8/8/8/8/8/1q2K3 w - -");
  expect_line("4k3/8/8/3p4/4B3/8/8/4K3 w - -", {"e4d5"}, "4k3/8/8/3B4/8/8/8/4K3 b - -");
  expect_refused("4k3/P7/8/8/8/8/8/4K3 w - -", "a7a8");
  expect_refused("4k3/8/P7/8/8/8/8/4K3 w - -", "a6a7q");
  expect_refused("4k3/8/8/8/8/8/P7/4K3 w - -", "a2a1");
  expect_refused("4k3/8/8/8/8/8/8/R3K3 w - -", "a1a8q");
}

TEST(PlayedGame, RefusesNonsense) {
  for (const std::string_view move : {"b1b2", "e8e7", "a1a1", "a1e1", "", "e2", "e1e9", "i2e4", "e1e2x", "e7e8k",
                                      "e7e8p", "O-O", "0000", "--", "e1e2qq"}) {
    expect_refused("4k3/8/8/8/8/8/8/R3K3 w - -", move);
  }
}

TEST(PlayedGame, RefusesBadFens) {
  for (const char* fen : {"", "x", "8/8/8/8/8/8/8/8 w - -", "4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 x - -",
                          "4k3/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/8/4K3 w - -", "4k4/8/8/8/8/8/8/4K3 w - -",
                          "4k2/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/9/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K2P w - -",
                          "4kk2/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w KQ -", "4k3/8/8/8/8/8/8/4K3 w HA -",
                          "4k3/8/8/8/8/8/8/4K3 w - e9", "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1"}) {
    EXPECT_EQ(play(fen, {}).problem.rfind("bad FEN", 0), 0u) << fen;
  }
}

TEST(PlayedGame, IsAsLongAsItLikes) {
  const Moves dance{"g1f3", "g8f6", "f3g1", "f6g8"};
  Moves moves;
  while (moves.size() < 2 * GamePosition::max_ply) moves.insert(moves.end(), dance.begin(), dance.end());
  const Played played = play(std::nullopt, moves);
  EXPECT_EQ(played.problem, "");
  EXPECT_EQ(played.positions.size(), moves.size() + 1);
  EXPECT_EQ(played.positions.back().pieces, parse_fen(start_position).pieces);
}

}  // namespace
}  // namespace slidebench::engine
