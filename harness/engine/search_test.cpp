// SPDX-License-Identifier: MIT
#include "harness/engine/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "harness/engine/fen.hpp"
#include "harness/engine/legal_moves.hpp"
#include "harness/engine/run_engine.hpp"
#include "harness/engine/search_memory.hpp"
#include "harness/engine/test_network.hpp"
#include "harness/engine/test_positions.hpp"
#include "methods/calculation/hyperbola.hpp"
#include "methods/calculation/ray_walk.hpp"
#include "methods/fill/kogge_stone.hpp"
#include "methods/magic/magic_fancy.hpp"
#include "methods/rotated/rotated_hyatt.hpp"

namespace slidebench::engine {
namespace {

constexpr std::size_t test_clusters = 1u << 14;

/// A request for searches of some positions, with memory of its own.
class TestRequest {
 public:
  TestRequest(const std::vector<std::string_view>& fens, unsigned depth)
      : hash_(test_clusters * sizeof(HashCluster)), results_(fens.size()) {
    for (const std::string_view fen : fens) positions_.push_back(parse_fen(fen));
    request_.positions = positions_.data();
    request_.count = positions_.size();
    request_.depth = depth;
    request_.hash = hash_.as<HashCluster>();
    request_.hash_clusters = test_clusters;
    request_.results = results_.data();
  }

  void use(TestNetwork& network, bool threats) {
    request_.network = &network.calls;
    request_.threats = threats;
    request_.accumulators = network.accumulators.as<std::int16_t>();
  }
  void limit_nodes(std::uint64_t nodes) { request_.max_nodes = nodes; }
  void ask_in_batches() { request_.batch = true; }

  template <AttackMethod M, class Observer = NoObserver>
  SearchResult run(Observer observer = {}) {
    initialise<M>();
    std::memset(hash_.as<void>(), 0, hash_.bytes());
    return run_search<M>(request_, observer);
  }
  const RootResult& result(std::size_t i = 0) const { return results_[i]; }

 private:
  std::vector<PositionState> positions_;
  LineMemory hash_;
  std::vector<RootResult> results_;
  SearchRequest request_{};
};

const std::vector<std::string_view> varied{start_position, rich_fen, promotion_fen,
                                           "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
                                           "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 b - - 0 9"};

bool operator==(const SearchResult& a, const SearchResult& b) {
  return a.nodes == b.nodes && a.evaluations == b.evaluations && a.signature == b.signature;
}

struct MateCase {
  std::string_view fen;
  unsigned depth;
  int moves;               ///< to mate
  std::string_view first;  ///< the only move, or empty if there are several
};

TEST(Search, FindsMates) {
  const std::vector<MateCase> cases{{"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 2, 1, "a1a8"},
                                    {"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 5, 2, "a1a6"},
                                    {"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 7, 3, "f6a6"},
                                    {"8/8/8/1k6/7R/6R1/8/K7 w - - 0 1", 9, 4, ""}};
  for (const MateCase& c : cases) {
    TestRequest request({c.fen}, c.depth);
    request.run<RayWalk>();
    EXPECT_EQ(request.result().score, mate_score - (2 * c.moves - 1)) << c.fen;
    if (!c.first.empty()) {
      EXPECT_EQ(to_uci(request.result().move), c.first) << c.fen;
    }
  }
}

TEST(Search, KnowsWhenTheGameIsOver) {
  TestRequest mated({"R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"}, 3);
  mated.run<RayWalk>();
  EXPECT_EQ(mated.result().score, -mate_score);
  EXPECT_EQ(to_uci(mated.result().move), "0000");

  TestRequest stalemate({"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}, 3);
  stalemate.run<RayWalk>();
  EXPECT_EQ(stalemate.result().score, 0);
}

TEST(Search, WinsMaterialAndAvoidsLosingIt) {
  TestRequest hanging({"4k3/8/8/3q4/8/8/3R4/3RK3 w - - 0 1"}, 4);
  hanging.run<RayWalk>();
  EXPECT_EQ(to_uci(hanging.result().move), "d2d5");
  EXPECT_GT(hanging.result().score, 700);

  // A knight forks king and queen.
  TestRequest fork({"6k1/3q3p/8/8/4N3/8/6PP/6K1 w - - 0 1"}, 5);
  fork.run<RayWalk>();
  EXPECT_EQ(to_uci(fork.result().move), "e4f6");
  EXPECT_GT(fork.result().score, 200);
}

TEST(Search, KnowsTheFiftyMoveRule) {
  TestRequest lost({"7k/8/8/8/8/1q6/8/7K w - - 0 80"}, 4);
  lost.run<RayWalk>();
  EXPECT_LT(lost.result().score, -500);
  TestRequest drawn({"7k/8/8/8/8/1q6/8/7K w - - 99 80"}, 4);
  drawn.run<RayWalk>();
  EXPECT_EQ(drawn.result().score, 0);
}

TEST(Search, EveryMethodVisitsTheSameNodes) {
  TestRequest request(varied, 6);
  const SearchResult expected = request.run<RayWalk>();
  EXPECT_GT(expected.nodes, 10'000u);
  EXPECT_TRUE(request.run<MagicFancy>() == expected);
  EXPECT_TRUE(request.run<Hyperbola>() == expected);
  EXPECT_TRUE(request.run<KoggeStone>() == expected);
  EXPECT_TRUE(request.run<RotatedHyatt>() == expected);
}

/// A method with a batch that counts how often it is asked.
struct BatchWalk : RayWalk {
  static inline std::uint64_t batches = 0;
  static void batch(const SliderBatch& sliders, Bitboard occupied, Bitboard* attacks) {
    ++batches;
    batch_attacks<RayWalk>(sliders, PlainBoard(occupied), attacks);
  }
};

TEST(Search, VisitsTheSameNodesInBatches) {
  TestNetwork network({.width = 128, .threats = true});
  for (const bool with_network : {false, true}) {
    TestRequest request(varied, 6);
    if (with_network) request.use(network, true);
    BatchWalk::batches = 0;
    const SearchResult expected = request.run<RayWalk>();
    EXPECT_TRUE(request.run<BatchWalk>() == expected);
    EXPECT_EQ(BatchWalk::batches, 0u);
    request.ask_in_batches();
    EXPECT_TRUE(request.run<BatchWalk>() == expected);
    EXPECT_GT(BatchWalk::batches, expected.nodes / 10);
    EXPECT_TRUE(request.run<RayWalk>() == expected) << "which has no batch of its own";
  }
}

TEST(Search, CollectsTheSameThreatsInBatches) {
  for (const std::string_view fen : varied) {
    Position<BatchWalk> position(parse_fen(fen));
    ActiveFeatures single, batched;
    collect_features(position, true, single);
    position.ask_in_batches();
    collect_features(position, true, batched);
    const auto sorted = [](const ActiveFeatures& features) {
      std::vector<std::array<std::uint8_t, 4>> threats;
      for (unsigned i = 0; i < features.threats.count; ++i) {
        threats.push_back(std::bit_cast<std::array<std::uint8_t, 4>>(features.threats.items[i]));
      }
      std::sort(threats.begin(), threats.end());
      return threats;
    };
    EXPECT_EQ(sorted(batched), sorted(single)) << fen;
    EXPECT_EQ(batched.pieces.count, single.pieces.count);
  }
}

TEST(Search, EveryMethodVisitsTheSameNodesWithANetwork) {
  TestNetwork network({.width = 128, .threats = true});
  SearchResult former{};
  for (const bool threats : {false, true}) {
    TestRequest request(varied, 5);
    request.use(network, threats);
    const SearchResult expected = request.run<RayWalk>();
    EXPECT_GT(expected.nodes, 5'000u);
    EXPECT_FALSE(expected == former);
    EXPECT_TRUE(request.run<MagicFancy>() == expected);
    EXPECT_TRUE(request.run<KoggeStone>() == expected);
    EXPECT_TRUE(request.run<RotatedHyatt>() == expected);
    former = expected;
  }
}

TEST(Search, RepeatsItself) {
  TestRequest request(varied, 5);
  const SearchResult first = request.run<MagicFancy>();
  EXPECT_TRUE(request.run<MagicFancy>() == first);
  TestRequest again(varied, 5);
  EXPECT_TRUE(again.run<MagicFancy>() == first);
}

TEST(Search, StopsAtItsNodeLimit) {
  TestRequest request({start_position, rich_fen}, 20);
  request.limit_nodes(5'000);
  const SearchResult result = request.run<MagicFancy>();
  EXPECT_EQ(result.nodes, 10'000u);
  EXPECT_GT(request.result(0).depth, 2u);
  EXPECT_LT(request.result(0).depth, 20u);
}

TEST(Search, EvaluatesAboutHalfOfTheNodes) {
  TestRequest request(varied, 7);
  const SearchResult result = request.run<MagicFancy>();
  const double share = static_cast<double>(result.evaluations) / static_cast<double>(result.nodes);
  EXPECT_GT(share, 0.35);
  EXPECT_LT(share, 0.7);
}

/// The position with colours exchanged: its scores are the same for the side to move.
PositionState flipped(const PositionState& state) {
  PositionState other = state;
  for (Bitboard& pieces : other.pieces) pieces = flip_ranks(pieces);
  other.colors = {flip_ranks(state.colors[1]), flip_ranks(state.colors[0])};
  other.side = ~state.side;
  other.castling = static_cast<std::uint8_t>((state.castling & 3) << 2 | state.castling >> 2);
  if (state.en_passant < 64) other.en_passant = state.en_passant ^ 56;
  return other;
}

TEST(Evaluation, IsTheSameForBothColours) {
  TestNetwork network({.width = 128, .threats = true});
  for (const std::string_view fen : varied) {
    Position<RayWalk> position(parse_fen(fen));
    Position<RayWalk> mirror(flipped(parse_fen(fen)));
    EXPECT_EQ(evaluate_classical(position), evaluate_classical(mirror)) << fen;
    EXPECT_EQ(material_balance(position), material_balance(mirror)) << fen;

    AccumulatorStack<Position<RayWalk>> stack(&network.calls, true, network.accumulators.as<std::int16_t>());
    stack.reset(position);
    const int score = stack.evaluate(position);
    stack.reset(mirror);
    EXPECT_EQ(stack.evaluate(mirror), score) << fen;
  }
}

TEST(Evaluation, SeesMaterial) {
  Position<RayWalk> start(parse_fen(start_position));
  EXPECT_EQ(evaluate_classical(start), classical::tempo);
  EXPECT_EQ(material_balance(start), 0);
  Position<RayWalk> queen_up(parse_fen("4k3/8/8/8/8/8/8/3QK3 b - - 0 1"));
  EXPECT_LT(evaluate_classical(queen_up), -800);
  EXPECT_EQ(material_balance(queen_up), -950);
}

/// A position whose accumulators follow its moves.
class Followed {
 public:
  Followed(std::string_view fen, bool threats)
      : network_({.width = 128, .threats = threats}),
        threats_(threats),
        position(parse_fen(fen)),
        stack(&network_.calls, threats, network_.accumulators.as<std::int16_t>()) {
    stack.reset(position);
  }

  void make(Move move) {
    stack.before_make(position, move);
    position.make(move);
    stack.after_make(position, move);
  }
  void unmake(Move move) {
    position.unmake(move);
    stack.unmake();
  }

  /// Compares the accumulators that moves have updated with fresh ones.
  void expect_fresh(const std::string& after) {
    stack.evaluate(position);
    ActiveFeatures features;
    collect_features(position, threats_, features);
    for (unsigned color = 0; color < 2; ++color) {
      const Square king = position.king(color == 0 ? Color::white : Color::black);
      network_.calls.refresh(network_.calls, fresh_.as<std::int16_t>(), {color, king}, features);
      ASSERT_EQ(std::memcmp(fresh_.as<void>(), stack.top_accumulator(color), fresh_.bytes()), 0)
          << to_fen(position.state()) << " after " << after << ", colour " << color;
    }
  }

 private:
  TestNetwork network_;
  LineMemory fresh_{128 * sizeof(std::int16_t)};
  bool threats_;

 public:
  Position<RayWalk> position;
  AccumulatorStack<Position<RayWalk>> stack;
};

/// Plays a random game, there and back.
void compare_updates_with_refreshes(std::string_view fen, bool threats, unsigned seed, unsigned& updates) {
  Followed game(fen, threats);
  RandomMoves random(seed);
  std::vector<Move> line;
  for (unsigned step = 0; step < 400; ++step) {
    MoveList moves;
    generate<GenKind::all>(game.position, moves);
    const bool back = moves.size() == 0 || line.size() >= 60 || (!line.empty() && random.below(4) == 0);
    if (back) {
      game.unmake(line.back());
      line.pop_back();
    } else {
      line.push_back(moves[random.below(moves.size())]);
      game.make(line.back());
    }
    if (random.below(3) == 0) continue;  // leave some plies behind without an evaluation
    ASSERT_NO_FATAL_FAILURE(game.expect_fresh(back ? "unmake" : to_uci(line.back())));
    updates += 2;
  }
}

TEST(AccumulatorStack, UpdatesEqualRefreshes) {
  unsigned updates = 0;
  for (const bool threats : {false, true}) {
    for (unsigned seed = 0; seed < 6; ++seed) {
      for (const std::string_view fen : varied) {
        ASSERT_NO_FATAL_FAILURE(compare_updates_with_refreshes(fen, threats, seed, updates));
      }
    }
  }
  EXPECT_GT(updates, 10'000u);
}

TEST(AccumulatorStack, FollowsSpecialMoves) {
  for (const auto& [fen, name] :
       std::vector<std::pair<std::string_view, const char*>>{{rich_fen, "e1g1"},
                                                             {rich_fen, "e1c1"},
                                                             {promotion_fen, "b4c5"},
                                                             {"4k3/8/8/3pP3/8/8/8/B3K2R w K d6 0 1", "e5d6"},
                                                             {"3r1r1k/2P1P3/8/8/8/8/8/2R1R2K w - - 0 1", "c7d8n"},
                                                             {"3r1r1k/2P1P3/8/8/8/8/8/2R1R2K w - - 0 1", "e7e8q"}}) {
    Followed game(fen, true);
    game.stack.evaluate(game.position);
    game.make(move_named(game.position, name));
    game.expect_fresh(name);
  }
}

HashEntry entry(std::uint64_t key, int depth, Move move = {}) {
  return HashEntry{.key = key,
                   .score = 5,
                   .evaluation = 7,
                   .move = move,
                   .depth = static_cast<std::int8_t>(depth),
                   .bound = Bound::exact};
}

TEST(HashTable, KeepsAndReplaces) {
  LineMemory memory(4 * sizeof(HashCluster));
  HashTable table(memory.as<HashCluster>(), 4);
  EXPECT_EQ(table.probe(0), nullptr);
  for (std::uint64_t key = 1; key <= 4; ++key) table.store(entry(key, static_cast<int>(key)));
  for (std::uint64_t key = 1; key <= 4; ++key) ASSERT_NE(table.probe(key), nullptr) << key;
  table.store(entry(5, 0));  // a fifth key of the cluster takes the shallowest place
  EXPECT_EQ(table.probe(1), nullptr);
  ASSERT_NE(table.probe(5), nullptr);
  table.store(entry(4, 1));
  EXPECT_EQ(table.probe(4)->depth, 1);
}

TEST(HashTable, EntriesOfOtherGenerationsCountAsEmpty) {
  LineMemory memory(4 * sizeof(HashCluster));
  HashTable old(memory.as<HashCluster>(), 4, 3);
  for (std::uint64_t key = 1; key <= 4; ++key) old.store(entry(key, 50, Move{8, 16}));

  HashTable table(memory.as<HashCluster>(), 4, hash_generations - 1);
  for (std::uint64_t key = 1; key <= 4; ++key) EXPECT_EQ(table.probe(key), nullptr) << key;
  table.store(entry(3, 1));  // the same position, but its old move is not known any more
  ASSERT_NE(table.probe(3), nullptr);
  EXPECT_EQ(table.probe(3)->move, Move{});
  EXPECT_EQ(table.probe(3)->depth, 1);
  for (std::uint64_t key = 5; key <= 7; ++key) table.store(entry(key, 2));
  for (const std::uint64_t key : {3u, 5u, 6u, 7u})
    EXPECT_NE(table.probe(key), nullptr) << key << ": old ones give way first";
  for (const std::uint64_t key : {1u, 2u, 3u, 4u}) EXPECT_EQ(old.probe(key), nullptr) << key;
}

TEST(Search, RepeatsItselfInEveryGeneration) {
  SearchMemory memory(0, false, 1u << 6);  // so small that entries are replaced
  const auto search = [&memory](std::string_view fen) {
    const PositionState state = parse_fen(fen);
    SearchRequest request = memory.request(max_search_depth, 3'000);
    request.positions = &state;
    request.count = 1;
    return run_search<MagicFancy>(request);
  };
  initialise<MagicFancy>();
  const SearchResult from_zeros = search(rich_fen);
  EXPECT_FALSE(search(rich_fen) == from_zeros) << "what is known from before must matter, or this tests nothing";
  for (unsigned i = 0; i < 2 * hash_generations + 1; ++i) {
    search(varied[i % varied.size()]);
    memory.forget_positions();
    ASSERT_TRUE(search(rich_fen) == from_zeros) << i;
  }
}

TEST(HashTable, MatesCountFromTheirPosition) {
  for (const int score : {mate_score - 9, 3 - mate_score - 0 + 12, 0, 123, -4000}) {
    EXPECT_EQ(score_from_hash(score_to_hash(score, 7), 7), score);
  }
  EXPECT_EQ(score_to_hash(mate_score - 9, 4), mate_score - 5);
  EXPECT_EQ(score_to_hash(9 - mate_score, 4), 5 - mate_score);
  EXPECT_EQ(score_to_hash(50, 4), 50);
}

/// Counts what the search reports. Copies share the counts.
struct CountingObserver {
  static constexpr bool counts_lines = true;
  struct Counts {
    std::uint64_t made = 0;
    std::uint64_t evaluated = 0;
    std::uint64_t probed = 0;
    std::uint64_t lines = 0;
  };
  Counts* counts = nullptr;

  void made(Bitboard, Move) const { ++counts->made; }
  void unmade(Bitboard) const {}
  void null_made(Bitboard) const { ++counts->made; }
  void null_unmade(Bitboard) const {}
  void evaluated() const { ++counts->evaluated; }
  void probed() const { ++counts->probed; }
  void touched(unsigned lines) const { counts->lines += lines; }
};

TEST(Search, TellsTheObserver) {
  TestNetwork network({.width = 256, .threats = true});
  TestRequest request({rich_fen}, 6);
  request.use(network, true);
  CountingObserver::Counts counts;
  const SearchResult result = request.run<RayWalk>(CountingObserver{&counts});
  EXPECT_EQ(counts.evaluated, result.evaluations);
  EXPECT_GE(counts.made, result.nodes / 2);
  EXPECT_LE(counts.made, result.nodes);
  EXPECT_LE(counts.probed, result.nodes);
  EXPECT_GT(counts.probed, result.nodes / 2);
  const double lines = static_cast<double>(counts.lines) / static_cast<double>(counts.evaluated);
  EXPECT_GT(lines, 60);
  EXPECT_LT(lines, 600);
}

}  // namespace
}  // namespace slidebench::engine
