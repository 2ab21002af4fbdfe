// SPDX-License-Identifier: MIT
//
// Positions from games, games that are followed, and files of FENs.
#include "harness/import/position_sample.hpp"

#include <set>

#include "harness/engine/fen.hpp"
#include "harness/import/played_game.hpp"
#include "harness/import/test_support.hpp"
#include "harness/trace/test_support.hpp"

namespace slidebench::engine {
namespace {

using test::expect_complaint;
using test::opera;
using test::write_file;

/// Mate at once: the only endgame position with a legal move is the first one.
const std::string ending =
    "[SetUp \"1\"]\n[FEN \"7k/P7/6K1/8/8/8/8/8 w - - 0 40\"]\n[Result \"1-0\"]\n\n40. a8=Q# 1-0\n\n";

std::vector<std::string> fens_of(const PositionSample& sample) {
  std::vector<std::string> fens;
  for (const PositionState& state : sample.positions) fens.push_back(to_fen(state));
  return fens;
}

class Sample : public testing::Test {
 protected:
  PositionSample sample(const std::string& games, const PositionSampleOptions& options) {
    write_file(folder_ / "games.pgn", games);
    return sample_positions({folder_ / "games.pgn"}, folder_ / "out.fen", options);
  }

  const test::TempFolder folder_;
};

TEST_F(Sample, takes_one_position_of_each_phase_of_a_game) {
  const PositionSample two = sample(opera, {.count = 2, .seed = 1});
  EXPECT_EQ(two.report.games, 1u);
  EXPECT_EQ(two.report.plies, 33u);
  EXPECT_EQ(two.sources.at(0).at("name"), "games.pgn");
  std::set<GamePhase> phases;
  for (const PositionState& state : two.positions) phases.insert(phase_of(state));
  EXPECT_EQ(phases, (std::set{GamePhase::opening, GamePhase::middlegame}));
  expect_complaint("sample of 2 positions, not 3", [this] { sample(opera, {.count = 3, .seed = 1}); });
  EXPECT_EQ(fens_of(sample(opera, {.count = 3, .seed = 1, .fewer = true})), fens_of(two));
}

TEST_F(Sample, never_takes_the_end_of_a_game) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const PositionSample one = sample(ending, {.count = 1, .seed = seed});
    EXPECT_EQ(fens_of(one), std::vector<std::string>{"7k/P7/6K1/8/8/8/8/8 w - - 0 40"});
  }
}

TEST_F(Sample, copies_of_a_game_add_nothing) {
  const PositionSample once = sample(opera + ending, {.count = 3, .seed = 5});
  const PositionSample more = sample(ending + opera + ending + opera, {.count = 3, .seed = 5});
  EXPECT_EQ(fens_of(once), fens_of(more));
  expect_complaint("not 4", [this] { sample(opera + opera + ending, {.count = 4, .seed = 5}); });
}

TEST_F(Sample, follows_the_seed) {
  std::set<std::vector<std::string>> samples;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    samples.insert(fens_of(sample(opera, {.count = 2, .seed = seed})));
    EXPECT_EQ(fens_of(sample(opera, {.count = 2, .seed = seed})), fens_of(sample(opera, {.count = 2, .seed = seed})));
  }
  EXPECT_GT(samples.size(), 5u);
}

TEST_F(Sample, refuses_nonsense) {
  expect_complaint("cannot sample 0", [this] { sample(opera, {.count = 0, .seed = 1}); });
  expect_complaint("sample of 0 positions, not 8",
                   [this] { sample("[Result \"*\"]\n\n*\n", {.count = 8, .seed = 1, .fewer = true}); });
  expect_complaint("cannot sample 100001", [this] { sample(opera, {.count = 100'001, .seed = 1}); });
  write_file(folder_ / "g", opera);
  expect_complaint("both input and output", [this] { sample_positions({folder_ / "g"}, folder_ / "g", {.count = 2}); });
}

TEST(phase, by_material_and_move) {
  EXPECT_EQ(phase_of(parse_fen(start_position)), GamePhase::opening);
  EXPECT_EQ(phase_of(parse_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 11")), GamePhase::middlegame);
  EXPECT_EQ(phase_of(parse_fen("4k3/8/8/8/8/8/8/RR2K2R w - - 0 5")), GamePhase::endgame);
  EXPECT_EQ(phase_of(parse_fen("3qk3/8/8/8/8/8/8/Q2BK3 w - - 0 30")), GamePhase::middlegame);  // 9 points
}

TEST_F(Sample, is_a_file_of_fens_or_epds) {
  const std::vector<PositionState> positions{parse_fen(start_position), parse_fen("7k/P7/6K1/8/8/8/8/8 w - - 3 40")};
  write_fens(folder_ / "p.fen", positions);
  EXPECT_EQ(read_fens(folder_ / "p.fen"), positions);
  write_file(folder_ / "q.fen", "# two positions\r\n\n" + test::read_file(folder_ / "p.fen"));
  EXPECT_EQ(read_fens(folder_ / "q.fen"), positions);
  const std::string epd = "7k/P7/6K1/8/8/8/8/8 w - -";
  write_file(folder_ / "p.epd", epd + "\n" + epd + " bm a8=Q; id \"one; two\";\n" + epd + "  id \"x\";\r\n");
  EXPECT_EQ(read_fens(folder_ / "p.epd"), std::vector<PositionState>(3, parse_fen(epd)));
}

TEST_F(Sample, complaints_of_its_file_name_file_and_line) {
  const std::pair<std::string, const char*> files[] = {
      {"7k/P7/6K1/8/8/8/8/8 w - - bm a8=Q\n", "p.fen, line 1: bad FEN"},
      {std::string(start_position) + "\n7k/P7/6K1/8/8/8/8/8 w - - 0\n", "p.fen, line 2: bad FEN"},
      {"\n# nothing\n", "p.fen holds no position"}};
  for (const auto& [text, part] : files) {
    write_file(folder_ / "p.fen", text);
    expect_complaint(part, [&] { read_fens(folder_ / "p.fen"); });
  }
  expect_complaint("cannot open", [&] { read_fens(folder_ / "missing"); });
  expect_complaint("directory", [&] { read_fens(folder_ / "."); });
  expect_complaint("/nonexistent/p", [&] { write_fens("/nonexistent/p", {}); });
}

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
