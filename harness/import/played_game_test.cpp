// SPDX-License-Identifier: MIT
#include "harness/import/played_game.hpp"

#include "harness/engine/fen.hpp"
#include "harness/trace/test_support.hpp"

namespace slidebench::engine {
namespace {

using Moves = std::vector<std::string_view>;

/// What is wrong with a game, and the positions that were visited.
std::pair<std::string, std::vector<PositionState>> play(std::optional<std::string_view> fen, const Moves& moves) {
  GameText game;
  game.fen = fen;
  game.moves.assign(moves.begin(), moves.end());
  std::vector<PositionState> positions;
  const std::string problem = play_game(
      game, [&positions](const GamePosition& position, const Move*) { positions.push_back(position.state()); });
  return {problem, positions};
}

void expect_line(std::optional<std::string_view> fen, const Moves& moves, std::string_view after) {
  const auto [problem, positions] = play(fen, moves);
  EXPECT_EQ(problem, "") << after;
  ASSERT_EQ(positions.size(), moves.size() + 1) << after;
  EXPECT_EQ(positions.front(), parse_fen(fen.value_or(start_position)));
  const PositionState expected = parse_fen(after);
  EXPECT_EQ(positions.back().pieces, expected.pieces) << after;
  EXPECT_EQ(positions.back().colors, expected.colors) << after;
  EXPECT_EQ(positions.back().side, expected.side) << after;
}

TEST(PlayedGame, FollowsMovesAsPgnExtractWritesThem) {
  expect_line(std::nullopt, {"e2e4", "e7e5"}, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w - -");
  expect_line("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", {"e1c1", "e8g8"}, "r4rk1/8/8/8/8/8/8/2KR3R w - -");
  expect_line("4k3/3p4/8/4P3/8/8/8/4K3 b - -", {"d7d5", "e5d6"}, "4k3/8/3P4/8/8/8/8/4K3 b - -");
  expect_line("1n2k3/P7/8/8/8/8/8/4K3 w - -", {"a7a8n"}, "Nn2k3/8/8/8/8/8/8/4K3 b - -");
  expect_line("1n2k3/P7/8/8/8/8/8/4K3 w - -", {"a7b8R"}, "1R2k3/8/8/8/8/8/8/4K3 b - -");
}

TEST(PlayedGame, RefusesWhatIsNoLegalMove) {
  for (const std::string move : {"b1b2", "e8e7", "a1a1", "a1e1", "e1c1", "", "e2", "e1e9", "i2e4", "e1e2x", "h7h8",
                                 "e7e8k", "O-O", "0000", "--", "e1e2qq"}) {
    const auto [problem, positions] = play("4k3/7P/8/8/8/8/8/R3K3 w - -", {move});
    EXPECT_EQ(problem, "cannot follow move " + move + " on a standard board");
    EXPECT_TRUE(positions.empty()) << move;
  }
}

TEST(PlayedGame, IsAsLongAsItLikes) {
  Moves moves;
  while (moves.size() < 2 * GamePosition::max_ply) moves.insert(moves.end(), {"g1f3", "g8f6", "f3g1", "f6g8"});
  expect_line(std::nullopt, moves, start_position);
}

}  // namespace
}  // namespace slidebench::engine
