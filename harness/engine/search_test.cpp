// SPDX-License-Identifier: MIT
#include "harness/engine/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/errors.hpp"
#include "harness/engine/exchange.hpp"
#include "harness/engine/fen.hpp"
#include "harness/engine/legal_moves.hpp"
#include "harness/engine/network.hpp"
#include "harness/engine/run_engine.hpp"
#include "harness/engine/search_memory.hpp"
#include "methods/calculation/hyperbola.hpp"
#include "methods/calculation/ray_walk.hpp"
#include "methods/fill/kogge_stone.hpp"
#include "methods/magic/magic_fancy.hpp"
#include "methods/rotated/rotated_hyatt.hpp"

namespace slidebench::engine {
namespace {

/// Zeroed memory of whole cache lines.
class LineMemory {
 public:
  explicit LineMemory(std::size_t bytes) : lines_((bytes + sizeof(Line) - 1) / sizeof(Line)) {}

  template <class T>
  T* as() {
    return static_cast<T*>(static_cast<void*>(lines_.data()));
  }
  std::size_t bytes() const { return lines_.size() * sizeof(Line); }

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };

  std::vector<Line> lines_;
};

/// A network with its weights and room for a search's accumulators.
struct TestNetwork {
  explicit TestNetwork(NetworkShape shape, std::uint64_t seed = 1)
      : weights(network_bytes(shape)), accumulators(accumulator_bytes(shape.width)) {
    fill_network(shape, seed, weights.as<void>());
    calls = network_calls(shape, weights.as<void>());
  }

  LineMemory weights;
  LineMemory accumulators;
  NetworkCalls calls;
};

/// A request for searches of some positions, with memory of its own.
struct TestRequest {
  TestRequest(const std::vector<std::string_view>& fens, unsigned depth, unsigned network_width = 0,
              bool threats = false)
      : memory(network_width, threats, std::size_t{1} << 14), results(fens.size()), request(memory.request(depth, 0)) {
    for (const std::string_view fen : fens) positions.push_back(parse_fen(fen));
    request.positions = positions.data();
    request.count = positions.size();
    request.results = results.data();
  }

  template <AttackMethod M, class Observer = NoObserver>
  SearchResult run(Observer observer = {}) {
    initialise<M>();
    std::memset(static_cast<void*>(request.hash), 0, request.hash_clusters * sizeof(HashCluster));
    return run_search<M>(request, observer);
  }

  SearchMemory memory;
  std::vector<PositionState> positions;
  std::vector<RootResult> results;
  SearchRequest request;
};

/// Two positions rich in everything that moves can do, from the literature on move generators.
constexpr std::string_view rich_fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
constexpr std::string_view promotion_fen = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";

const std::vector<std::string_view> varied{start_position, rich_fen, promotion_fen,
                                           "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
                                           "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 b - - 0 9"};

bool operator==(const SearchResult& a, const SearchResult& b) {
  return a.nodes == b.nodes && a.evaluations == b.evaluations && a.signature == b.signature;
}

struct KnownPosition {
  const char* name;
  std::string_view fen;
  unsigned depth;
  int low, high;          ///< of the score
  std::string_view move;  ///< the only best one, or empty if there are several
};

/// The score of a mate by the n-th move.
constexpr int mate_in(int n) { return mate_score - (2 * n - 1); }

TEST(Search, KnowsWhatAPositionIsWorth) {
  const std::vector<KnownPosition> positions{
      {"mate in 1", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 2, mate_in(1), mate_in(1), "a1a8"},
      {"mate in 2", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 5, mate_in(2), mate_in(2), "a1a6"},
      {"mate in 3", "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 7, mate_in(3), mate_in(3), "f6a6"},
      {"mate in 4", "8/8/8/1k6/7R/6R1/8/K7 w - - 0 1", 9, mate_in(4), mate_in(4), ""},
      {"mated", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", 3, -mate_score, -mate_score, "0000"},
      {"stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3, 0, 0, ""},
      {"a queen hangs", "4k3/8/8/3q4/8/8/3R4/3RK3 w - - 0 1", 4, 701, mate_score, "d2d5"},
      {"a knight forks king and queen", "6k1/3q3p/8/8/4N3/8/6PP/6K1 w - - 0 1", 5, 201, mate_score, "e4f6"},
      {"time to lose", "7k/8/8/8/8/1q6/8/7K w - - 0 80", 4, -mate_score, -501, ""},
      {"fifty moves in one ply", "7k/8/8/8/8/1q6/8/7K w - - 99 80", 4, 0, 0, ""}};
  for (const KnownPosition& known : positions) {
    SCOPED_TRACE(known.name);
    TestRequest request({known.fen}, known.depth);
    request.run<RayWalk>();
    EXPECT_GE(request.results[0].score, known.low);
    EXPECT_LE(request.results[0].score, known.high);
    if (!known.move.empty()) {
      EXPECT_EQ(to_uci(request.results[0].move), known.move);
    }
  }
}

/// A method with a batch that counts how often it is asked.
struct BatchWalk : RayWalk {
  static inline std::uint64_t batches = 0;
  static void batch(const SliderBatch& sliders, Bitboard occupied, Bitboard* attacks) {
    ++batches;
    batch_attacks<RayWalk>(sliders, PlainBoard(occupied), attacks);
  }
};

TEST(Search, EveryMethodVisitsTheSameNodesInBatchesOrOneByOne) {
  std::vector<SearchResult> results;
  for (const char* evaluation : {"classical", "network", "threats"}) {
    SCOPED_TRACE(evaluation);
    TestRequest request(varied, 6, results.empty() ? 0 : 128, results.size() == 2);
    results.push_back(request.run<RayWalk>());
    const SearchResult& expected = results.back();
    EXPECT_GT(expected.nodes, 5'000u);
    EXPECT_TRUE(request.run<MagicFancy>() == expected);
    EXPECT_TRUE(request.run<Hyperbola>() == expected);
    EXPECT_TRUE(request.run<KoggeStone>() == expected);
    EXPECT_TRUE(request.run<RotatedHyatt>() == expected);
    BatchWalk::batches = 0;
    EXPECT_TRUE(request.run<BatchWalk>() == expected);
    EXPECT_EQ(BatchWalk::batches, 0u);
    request.request.batch = true;
    EXPECT_TRUE(request.run<BatchWalk>() == expected);
    EXPECT_GT(BatchWalk::batches, expected.nodes / 10);
    EXPECT_TRUE(request.run<RayWalk>() == expected) << "which has no batch of its own";
  }
  EXPECT_FALSE(results[1] == results[2]);
}

TEST(Search, StopsAtItsNodeLimit) {
  TestRequest request({start_position, rich_fen}, 20);
  request.request.max_nodes = 5'000;
  const SearchResult result = request.run<MagicFancy>();
  EXPECT_EQ(result.nodes, 10'000u);
  EXPECT_GT(request.results[0].depth, 2u);
  EXPECT_LT(request.results[0].depth, 20u);
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

TEST(Evaluation, IsTheSameForBothColoursAndSeesMaterial) {
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

  Position<RayWalk> start(parse_fen(start_position));
  EXPECT_EQ(evaluate_classical(start), classical::tempo);
  EXPECT_EQ(material_balance(start), 0);
  Position<RayWalk> queen_up(parse_fen("4k3/8/8/8/8/8/8/3QK3 b - - 0 1"));
  EXPECT_LT(evaluate_classical(queen_up), -800);
  EXPECT_EQ(material_balance(queen_up), -950);
}

/// A position whose accumulators follow its moves.
struct Followed {
  Followed(std::string_view fen, bool with_threats)
      : network({.width = 128, .threats = with_threats}),
        threats(with_threats),
        position(parse_fen(fen)),
        stack(&network.calls, threats, network.accumulators.as<std::int16_t>()) {
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
    collect_features(position, threats, features);
    for (unsigned color = 0; color < 2; ++color) {
      const Square king = position.king(color == 0 ? Color::white : Color::black);
      network.calls.refresh(network.calls, fresh.as<std::int16_t>(), {color, king}, features);
      ASSERT_EQ(std::memcmp(fresh.as<void>(), stack.top_accumulator(color), fresh.bytes()), 0)
          << to_fen(position.state()) << " after " << after << ", colour " << color;
    }
  }

  TestNetwork network;
  LineMemory fresh{128 * sizeof(std::int16_t)};
  bool threats;
  Position<RayWalk> position;
  AccumulatorStack<Position<RayWalk>> stack;
};

/// Plays a random game, there and back.
void compare_updates_with_refreshes(std::string_view fen, bool threats, unsigned seed, unsigned& updates) {
  Followed game(fen, threats);
  std::mt19937_64 random(seed);
  std::vector<Move> line;
  for (unsigned step = 0; step < 400; ++step) {
    MoveList moves;
    generate<GenKind::all>(game.position, moves);
    const bool back = moves.size() == 0 || line.size() >= 60 || (!line.empty() && random() % 4 == 0);
    if (back) {
      game.unmake(line.back());
      line.pop_back();
    } else {
      line.push_back(moves[static_cast<unsigned>(random() % moves.size())]);
      game.make(line.back());
    }
    if (random() % 3 == 0) continue;  // leave some plies behind without an evaluation
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
  const std::vector<std::pair<std::string_view, const char*>> moves{
      {rich_fen, "e1g1"},
      {rich_fen, "e1c1"},
      {promotion_fen, "b4c5"},
      {"4k3/8/8/3pP3/8/8/8/B3K2R w K d6 0 1", "e5d6"},
      {"3r1r1k/2P1P3/8/8/8/8/8/2R1R2K w - - 0 1", "c7d8n"},
      {"3r1r1k/2P1P3/8/8/8/8/8/2R1R2K w - - 0 1", "e7e8q"}};
  for (const auto& [fen, name] : moves) {
    Followed game(fen, true);
    game.stack.evaluate(game.position);
    game.make(legal_move(game.position.state(), name).value());
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
  TestRequest request({rich_fen}, 6, 256, true);
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

// Exchanges

/// The value of an exchange is the largest threshold that it reaches: it reaches all below, and none above.
void expect_value(Position<RayWalk>& position, Move move, int value) {
  for (const int distance : {0, 1, 50, 100, 320, 1000}) {
    ASSERT_TRUE(exchange_at_least(position, move, value - distance)) << to_fen(position.state());
    ASSERT_FALSE(exchange_at_least(position, move, value + 1 + distance)) << to_fen(position.state());
  }
}

TEST(Exchange, CountsRecapturesAndKnowsSpecialMoves) {
  const auto expect = [](std::string_view fen, std::string_view move, int value) {
    Position<RayWalk> position(parse_fen(fen));
    expect_value(position, legal_move(position.state(), move).value(), value);
  };
  expect("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100);
  expect("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", 100 - 320);
  expect("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100);
  expect("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0);
  expect("3r3k/2P5/8/8/8/8/8/7K w - - 0 1", "c7d8q", 500 + 950 - 100);
  expect("3r3k/2P5/8/8/8/8/8/7K w - - 0 1", "c7c8q", -100);
  expect("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0);
}

/// What the side `next` gains at best by capturing on the target, or 0 if it had better not.
int plain_gain(Position<RayWalk>& position, Square target, PieceType on_target, Bitboard occupied, Color next) {
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
    Position<RayWalk> position(parse_fen(start_position));
    std::mt19937_64 random(seed);
    for (unsigned ply = 0; ply < 100; ++ply) {
      MoveList moves;
      generate<GenKind::all>(position, moves);
      if (moves.size() == 0) break;
      for (const Move move : moves) {
        if (move.is_castling() || move.is_en_passant() || move.is_promotion()) continue;
        const Bitboard occupied = (position.occupied() ^ bit(move.from())) | bit(move.to());
        const int plain = value_of(position.piece_on(move.to())) -
                          plain_gain(position, move.to(), position.piece_on(move.from()), occupied, ~position.side());
        ASSERT_NO_FATAL_FAILURE(expect_value(position, move, plain));
        ++compared;
      }
      position.make(moves[static_cast<unsigned>(random() % moves.size())]);
    }
  }
  EXPECT_GT(compared, 10'000u);
}

// The network

constexpr NetworkShape small{.width = 256, .threats = true};

/// Features without meaning, different for each `salt`.
ActiveFeatures some_features(unsigned salt) {
  ActiveFeatures features;
  for (unsigned i = 0; i < 24; ++i) {
    const auto square = static_cast<std::uint8_t>((i * 7 + salt * 13) % 64);
    features.pieces.add({static_cast<std::uint8_t>((i + salt) % 12), square});
    features.threats.add({static_cast<std::uint8_t>(i % 12), square, static_cast<std::uint8_t>((i + 5) % 12),
                          static_cast<std::uint8_t>((square + 9) % 64)});
  }
  return features;
}

struct Accumulator : LineMemory {
  explicit Accumulator(unsigned width) : LineMemory(width * sizeof(std::int16_t)) {}
  std::int16_t* data() { return as<std::int16_t>(); }
  std::vector<std::int16_t> values() { return {data(), data() + bytes() / sizeof(std::int16_t)}; }
};

TEST(Network, RefusesImpossibleWidthsAndTakesTensOfMegabytesWhenLarge) {
  for (const unsigned width : {0u, 64u, 100u, 1000u, 8320u, 1u << 30}) {
    EXPECT_THROW(network_bytes({.width = width, .threats = false}), UserError) << width;
  }
  EXPECT_NO_THROW(network_bytes({.width = 128, .threats = false}));
  EXPECT_NO_THROW(network_bytes({.width = 8192, .threats = true}));
  const std::size_t pieces = network_bytes({.width = 1024, .threats = false});
  EXPECT_EQ(network_bytes({.width = 1024, .threats = true}) - pieces, std::size_t{64} << 20);
  EXPECT_GT(pieces, std::size_t{24} << 20);
  EXPECT_LT(pieces, std::size_t{25} << 20);
}

TEST(Network, EveryKingSquareHasABucketAndMirrorsShareIt) {
  std::set<unsigned> used;
  for (unsigned king = 0; king < 64; ++king) {
    const unsigned bucket = king_bucket({0, king});
    EXPECT_LT(bucket, king_buckets);
    EXPECT_EQ(bucket, king_bucket({0, king ^ 7}));
    EXPECT_EQ(bucket, king_bucket({1, king ^ 56}));
    used.insert(bucket);
  }
  EXPECT_EQ(used.size(), king_buckets);
  EXPECT_TRUE(same_rows({0, 3}, {0, 3}));
  EXPECT_FALSE(same_rows({0, 3}, {0, 4}));   // d1 and e1: the same bucket, but mirrored
  EXPECT_TRUE(same_rows({0, 33}, {0, 41}));  // b5 and b6
}

TEST(Network, RowsAreSeenFromThePerspective) {
  // White's king on g1 sees a white rook on h1 as black's king on b8 sees a black rook on a8.
  const Perspective white{0, 6};
  const Perspective black{1, 57};
  EXPECT_EQ(piece_row(white, {3, 7}), piece_row(black, {9, 56}));
  EXPECT_EQ(threat_row(white, {3, 7, 6, 55}), threat_row(black, {9, 56, 0, 8}));
  EXPECT_NE(piece_row(white, {3, 7}), piece_row(black, {3, 7}));
  std::set<std::uint32_t> rows;
  for (std::uint8_t piece = 0; piece < 12; ++piece) {
    for (std::uint8_t square = 0; square < 64; ++square) rows.insert(piece_row(white, {piece, square}));
  }
  EXPECT_EQ(rows.size(), 12u * 64);
  EXPECT_LT(*rows.rbegin(), piece_rows);
}

TEST(Network, RefreshSumsTheRows) {
  TestNetwork network(small);
  const Perspective perspective{0, 12};
  const ActiveFeatures features = some_features(2);
  Accumulator sum(small.width);
  network.calls.refresh(network.calls, sum.data(), perspective, features);
  const NetworkWeights& weights = network.calls.weights;
  for (unsigned i = 0; i < small.width; ++i) {
    const auto of_row = [i](const auto* rows, std::size_t row) { return rows[row * small.width + i]; };
    int expected = weights.start[i];
    for (const PieceFeature& f : features.pieces) expected += of_row(weights.piece_rows, piece_row(perspective, f));
    for (const ThreatFeature& f : features.threats) expected += of_row(weights.threat_rows, threat_row(perspective, f));
    ASSERT_EQ(sum.data()[i], expected) << i;
  }
}

/// The layers, one number after the other.
int plain_evaluation(const NetworkWeights& weights, const std::int16_t* own, const std::int16_t* other) {
  const auto clip = [](int value) { return value < 0 ? 0 : (value > 127 ? 127 : value); };
  std::vector<int> first(weights.first_bias, weights.first_bias + first_layer_outputs);
  for (unsigned i = 0; i < 2 * weights.width; ++i) {
    const int input = clip(i < weights.width ? own[i] : other[i - weights.width]);
    for (unsigned j = 0; j < first_layer_outputs; ++j) {
      first[j] += input * weights.first_layer[first_layer_outputs * i + j];
    }
  }
  std::vector<int> second(weights.second_bias, weights.second_bias + second_layer_outputs);
  int output = 0;
  for (unsigned j = 0; j < second_layer_outputs; ++j) {
    for (unsigned i = 0; i < first_layer_outputs; ++i) {
      second[j] += clip(first[i] >> 7) * weights.second_layer[second_layer_outputs * i + j];
    }
    output += clip(second[j] >> 6) * weights.output_layer[j];
  }
  return output >> 7;
}

TEST(Network, EveryInstructionSetGivesThePlainScore) {
  for (const NetworkShape shape : {small, NetworkShape{.width = 384, .threats = false}}) {
    TestNetwork network(shape, 3);
    std::set<int> scores;
    for (unsigned salt = 0; salt < 20; ++salt) {
      ActiveFeatures features = some_features(salt);
      Accumulator own(shape.width);
      Accumulator other(shape.width);
      network.calls.refresh(network.calls, own.data(), {0, salt}, features);
      network.calls.refresh(network.calls, other.data(), {1, 63 - salt}, features);
      const int plain = plain_evaluation(network.calls.weights, own.data(), other.data());
      scores.insert(plain);
      for (unsigned isa = 0; isa <= static_cast<unsigned>(best_network_isa()); ++isa) {
        const NetworkCalls calls = network_calls(shape, network.weights.as<void>(), NetworkIsa{isa});
        EXPECT_EQ(calls.evaluate(calls, own.data(), other.data()), plain) << isa;
        Accumulator again(shape.width);
        calls.refresh(calls, again.data(), {0, salt}, features);
        EXPECT_EQ(again.values(), own.values()) << isa;
      }
    }
    EXPECT_GT(scores.size(), 5u);
  }
}

TEST(Network, ClipsWhateverTheAccumulatorsHold) {
  TestNetwork network(small);
  Accumulator own(small.width);
  Accumulator other(small.width);
  for (unsigned i = 0; i < small.width; ++i) {
    own.data()[i] = static_cast<std::int16_t>(i % 3 == 0 ? 32767 : (i % 3 == 1 ? -32768 : 127));
    other.data()[i] = static_cast<std::int16_t>(static_cast<int>(i) - 128);
  }
  EXPECT_EQ(network.calls.evaluate(network.calls, own.data(), other.data()),
            plain_evaluation(network.calls.weights, own.data(), other.data()));
}

TEST(Network, CountsTheLinesItTouches) {
  TestNetwork network(small);
  const NetworkWeights& weights = network.calls.weights;
  EXPECT_EQ(accumulator_lines(weights), 8u);
  FeatureChange change;
  change.pieces_added.add({0, 28});
  change.pieces_removed.add({0, 12});
  EXPECT_EQ(update_lines(weights, change), 4u * 8);
  for (std::uint8_t i = 0; i < 10; ++i) change.threats.came.add({0, i, 1, 40});
  EXPECT_EQ(update_lines(weights, change), 4u * 8 + 10 * 4);
  EXPECT_EQ(refresh_lines(weights, some_features(1)), 26u * 8 + 24 * 4);

  // No active input: only the later layers. Each group of four inputs then adds a line.
  Accumulator own(small.width);
  Accumulator other(small.width);
  EXPECT_EQ(network.calls.layer_lines(network.calls, own.data(), other.data()), 12u);
  own.data()[5] = 1;
  own.data()[6] = 300;
  other.data()[255] = 5;
  other.data()[0] = -5;
  EXPECT_EQ(network.calls.layer_lines(network.calls, own.data(), other.data()), 14u);
}

}  // namespace
}  // namespace slidebench::engine
