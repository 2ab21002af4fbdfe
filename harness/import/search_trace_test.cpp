// SPDX-License-Identifier: MIT
//
// What is recorded of a search: by hand, and of real searches.
#include "harness/import/search_trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/engine/fen.hpp"
#include "harness/engine/run_engine.hpp"
#include "harness/engine/search_memory.hpp"
#include "harness/import/position_sample.hpp"
#include "harness/trace/reader.hpp"
#include "harness/trace/test_support.hpp"
#include "harness/trace/trace_info.hpp"
#include "methods/calculation/hyperbola.hpp"
#include "methods/calculation/ray_walk.hpp"

namespace slidebench::engine {
namespace {

using test::expect_complaint;
using test::read_file;
using test::TempFolder;

const char* const games_of_the_test = R"([Event "Opera"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0

[Event "Immortal"]
[Result "1-0"]

1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6 11. Rg1 cxb5
12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6 Bxg1 19. e5 Qxa1+ 20. Ke2 Na6
21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7# 1-0

)";

struct TestNode {
  Bitboard occupied;
  NodeTag tag;
  SliderSets sliders;
  std::vector<QueryCode> queries;
  PieceEvent pieces;
};

/// A recorder whose nodes are kept.
struct Recording {
  std::vector<TestNode> nodes;
  SearchRecorder recorder{[this](Bitboard occupied, NodeTag tag, const SliderSets& sliders,
                                 std::span<const QueryCode> queries, const PieceEvent& pieces) {
    nodes.push_back({occupied, tag, sliders, {queries.begin(), queries.end()}, pieces});
  }};

  void ask(QueryKind kind, Square s, Bitboard occupied, Caller caller = Caller::checks) {
    recorder.query({kind, s, occupied, caller});
  }
  void expect(std::size_t i, NodeEvent event, NodeTag flags, Bitboard occupied,
              const std::vector<QueryCode>& queries) const {
    ASSERT_LT(i, nodes.size());
    EXPECT_EQ(nodes[i].tag, static_cast<NodeTag>(event) | flags) << i;
    EXPECT_EQ(nodes[i].occupied, occupied) << i;
    EXPECT_EQ(nodes[i].queries, queries) << i;
  }
};

constexpr QueryCode both_0 = encode_query(QueryKind::both, 0);
constexpr QueryCode rook_1 = encode_query(QueryKind::rook, 1);

TEST(search_recorder, the_last_query_before_a_move_belongs_to_it) {
  Recording r;
  r.recorder.begin(0xF, {});
  r.ask(QueryKind::both, 0, 0xF);
  r.ask(QueryKind::rook, 1, 0xF);
  r.ask(QueryKind::both, 0, 0x1E);
  r.recorder.made(NodeEvent::make, 0x1E, {});
  r.recorder.probed();
  r.recorder.evaluated();
  r.recorder.unmade(NodeEvent::unmake, 0xF, {});
  r.recorder.end();
  ASSERT_EQ(r.nodes.size(), 3u);
  r.expect(0, NodeEvent::root, 0, 0xF, {both_0, rook_1});
  r.expect(1, NodeEvent::make, probed_flag | evaluated_flag, 0x1E, {both_0});
  r.expect(2, NodeEvent::unmake, 0, 0xF, {});
  EXPECT_EQ(r.recorder.calls_per_visit().size(), 2u);
  EXPECT_EQ(r.recorder.calls_per_visit().sum(), 3u);
  EXPECT_EQ(r.recorder.calls_per_visit().quantile(100), 2u);
}

TEST(search_recorder, threats_of_a_move_count_for_what_it_leads_to) {
  Recording r;
  r.recorder.begin(7, {});
  r.ask(QueryKind::both, 0, 7);
  r.recorder.evaluated();
  r.ask(QueryKind::rook, 0, 7, Caller::threats);  // a refresh
  r.ask(QueryKind::both, 1, 7, Caller::threats);
  r.ask(QueryKind::both, 2, 7, Caller::threats);
  r.ask(QueryKind::both, 0, 0xE);
  r.recorder.made(NodeEvent::make, 0xE, {});
  r.ask(QueryKind::both, 3, 0xE, Caller::threats);
  r.recorder.unmade(NodeEvent::unmake, 7, {});
  r.ask(QueryKind::both, 0, 3);
  r.recorder.made(NodeEvent::make, 3, {});
  r.recorder.unmade(NodeEvent::unmake, 7, {});
  r.recorder.end();
  // The root 2, the first move 4, the second 1.
  EXPECT_EQ(r.recorder.calls_per_visit().size(), 3u);
  EXPECT_EQ(r.recorder.calls_per_visit().quantile(1), 1u);
  EXPECT_EQ(r.recorder.calls_per_visit().quantile(50), 2u);
  EXPECT_EQ(r.recorder.calls_per_visit().quantile(100), 4u);
  EXPECT_EQ(r.recorder.calls_per_visit().sum(), 7u);
}

TEST(search_recorder, two_halves_are_one_both) {
  Recording r;
  r.recorder.begin(1, {});
  r.ask(QueryKind::rook, 0, 1);
  r.ask(QueryKind::bishop, 0, 1);  // both
  r.ask(QueryKind::bishop, 0, 1);  // a third half begins anew
  r.ask(QueryKind::rook, 1, 1);    // another square
  r.recorder.end();
  r.expect(0, NodeEvent::root, 0, 1, {both_0, encode_query(QueryKind::bishop, 0), rook_1});
}

TEST(search_recorder, halves_on_two_occupancies_stay_apart) {
  Recording r;
  r.recorder.begin(3, {});
  r.ask(QueryKind::rook, 1, 3);
  r.ask(QueryKind::bishop, 1, 1);
  r.recorder.end();
  ASSERT_EQ(r.nodes.size(), 2u);
  r.expect(0, NodeEvent::root, 0, 3, {rook_1});
  r.expect(1, NodeEvent::make, 0, 1, {encode_query(QueryKind::bishop, 1)});
}

TEST(search_recorder, other_occupancies_are_made_and_unmade) {
  Recording r;
  const SliderSets sliders{.white_diagonal = 1, .white_orthogonal = 2, .black_diagonal = 0, .black_orthogonal = 4};
  r.recorder.begin(7, sliders);
  r.ask(QueryKind::both, 0, 6, Caller::exchange);
  r.ask(QueryKind::both, 0, 4, Caller::exchange);
  r.ask(QueryKind::rook, 1, 7, Caller::piece_moves);
  r.ask(QueryKind::both, 0, 3, Caller::exchange);
  r.recorder.evaluated();
  r.recorder.end();
  ASSERT_EQ(r.nodes.size(), 6u);
  r.expect(0, NodeEvent::root, 0, 7, {});
  r.expect(1, NodeEvent::make, 0, 6, {both_0});
  r.expect(2, NodeEvent::make, 0, 4, {both_0});
  r.expect(3, NodeEvent::unmake, 0, 7, {rook_1});
  r.expect(4, NodeEvent::make, 0, 3, {both_0});
  r.expect(5, NodeEvent::unmake, evaluated_flag, 7, {});
  EXPECT_EQ(r.nodes[1].sliders.white_diagonal, 0u);  // sliders stand on occupied squares
  EXPECT_EQ(r.nodes[1].sliders.white_orthogonal, 2u);
  EXPECT_EQ(r.nodes[5].sliders.white_diagonal, 1u);
  EXPECT_EQ(r.recorder.callers()[static_cast<std::size_t>(Caller::exchange)], 3u);
  EXPECT_EQ(r.recorder.callers()[static_cast<std::size_t>(Caller::piece_moves)], 1u);
}

TEST(search_recorder, a_move_starts_from_the_position) {
  Recording r;
  r.recorder.begin(7, {});
  r.ask(QueryKind::both, 0, 0xE, Caller::exchange);  // by chance the occupancy after the move
  r.ask(QueryKind::both, 0, 0xE);
  r.recorder.made(NodeEvent::make, 0xE, {});
  r.recorder.end();
  ASSERT_EQ(r.nodes.size(), 4u);
  r.expect(1, NodeEvent::make, 0, 0xE, {both_0});
  r.expect(2, NodeEvent::unmake, 0, 7, {});
  r.expect(3, NodeEvent::make, 0, 0xE, {both_0});
}

TEST(search_recorder, a_position_evaluated_twice_is_two_nodes) {
  Recording r;
  r.recorder.begin(1, {});
  r.recorder.evaluated();
  r.recorder.probed();
  r.recorder.probed();
  r.recorder.evaluated();
  r.recorder.end();
  ASSERT_EQ(r.nodes.size(), 2u);
  r.expect(0, NodeEvent::root, evaluated_flag | probed_flag, 1, {});
  r.expect(1, NodeEvent::null_move, evaluated_flag, 1, {});
}

TEST(search_recorder, pieces_move_with_the_node_of_their_move) {
  using Kind = PieceEvent::Kind;
  Recording r;
  r.recorder.begin(7, {}, PieceEvent::root(PieceBoard::empty()));
  r.ask(QueryKind::both, 0, 6, Caller::exchange);
  r.ask(QueryKind::both, 1, 0xE);
  r.recorder.made(NodeEvent::make, 0xE, {}, PieceEvent::make(99));
  r.recorder.evaluated();
  r.recorder.evaluated();
  r.recorder.unmade(NodeEvent::unmake, 7, {}, PieceEvent::unmake());
  r.recorder.end();
  std::vector<Kind> kinds;
  for (const TestNode& node : r.nodes) kinds.push_back(node.pieces.kind);
  EXPECT_EQ(kinds, (std::vector{Kind::root, Kind::none, Kind::none, Kind::make, Kind::none, Kind::unmake}));
  EXPECT_EQ(r.nodes[3].pieces.move, 99);
}

TEST(recorded_position, knows_who_asks) {
  struct Listener final : EngineListener {
    std::vector<RecordedQuery> queries;
    unsigned events = 0;
    void query(const RecordedQuery& q) override { queries.push_back(q); }
    void made(Bitboard, Move) override { ++events; }
    void unmade(Bitboard) override { ++events; }
    void null_made(Bitboard) override { ++events; }
    void null_unmade(Bitboard) override { ++events; }
    void evaluated() override { ++events; }
    void probed() override { ++events; }

    unsigned count(Caller caller) const {
      return static_cast<unsigned>(std::count_if(queries.begin(), queries.end(),
                                                 [caller](const RecordedQuery& q) { return q.caller == caller; }));
    }
  };
  using Recorded = RecordedPosition<Hyperbola>;
  Listener listener;
  // White: king e1, rook a1, queen d1, bishop c4; black: king e8, rook d8.
  const PositionState state = parse_fen("3rk3/8/8/8/2B5/8/8/R2QK3 w - - 0 1");
  const ListeningScope listening(&listener);
  Recorded position(state, {});
  ASSERT_EQ(listener.queries.size(), 1u);
  EXPECT_EQ(listener.queries[0], (RecordedQuery{QueryKind::both, 4, position.occupied(), Caller::checks}));

  listener.queries.clear();
  MoveList moves;
  generate<GenKind::all>(position, moves);
  EXPECT_EQ(listener.count(Caller::piece_moves), 3u);
  EXPECT_EQ(listener.count(Caller::pins), 1u);
  EXPECT_EQ(listener.count(Caller::king_moves), 4u);  // d2, e2, f1, f2; d1 is his own
  EXPECT_EQ(listener.queries.size(), 8u);

  listener.queries.clear();
  exchange_at_least(position, Move(3, 59), 0);
  EXPECT_EQ(listener.count(Caller::exchange), listener.queries.size());
  EXPECT_GT(listener.queries.size(), 0u);

  listener.queries.clear();
  evaluate_classical(position);
  EXPECT_EQ(listener.count(Caller::evaluation), 6u);  // four sliders and two kings
  EXPECT_EQ(listener.queries.size(), 6u);
  EXPECT_EQ(listener.events, 0u);

  listener.queries.clear();
  {
    const ListeningScope silence(nullptr);
    evaluate_classical(position);
  }
  EXPECT_TRUE(listener.queries.empty());
}

/// The queries that a method counts by itself, as the engine of a module would ask them.
struct CountingRayWalk : RayWalk {
  static inline std::uint64_t queries = 0;
  static Bitboard bishop(Square s, Bitboard occupied) { return ++queries, RayWalk::bishop(s, occupied); }
  static Bitboard rook(Square s, Bitboard occupied) { return ++queries, RayWalk::rook(s, occupied); }
  static Bitboard queen(Square s, Bitboard occupied) {
    return ++queries, RayWalk::bishop(s, occupied) | RayWalk::rook(s, occupied);
  }
  static BishopRook both(Square s, Bitboard occupied) {
    ++queries;
    return {RayWalk::bishop(s, occupied), RayWalk::rook(s, occupied)};
  }
};

class SearchTrace : public testing::Test {
 protected:
  SearchTrace() { test::write_file(games_, games_of_the_test); }

  nlohmann::json build(const std::string& name, const SearchTraceOptions& options) {
    build_search_trace({games_}, folder_ / name, options);
    return Trace::open(folder_ / name).provenance();
  }

  TempFolder folder_;
  std::string games_ = folder_ / "games.pgn";
  SearchTraceOptions options_{.positions = 3, .seed = 1, .depth = 5, .max_nodes = 400, .network = 0, .threats = false};
};

TEST_F(SearchTrace, is_deterministic) {
  build("a", options_);
  build("b", options_);
  EXPECT_EQ(read_file(folder_ / "a"), read_file(folder_ / "b"));
  options_.seed = 2;
  build("c", options_);
  EXPECT_NE(read_file(folder_ / "a"), read_file(folder_ / "c"));
}

TEST_F(SearchTrace, holds_every_query_of_the_same_search_without_a_recorder) {
  for (const unsigned width : {0u, 128u}) {
    options_.network = width;
    options_.threats = width != 0;
    const nlohmann::json provenance = build("t", options_);
    const Trace trace = Trace::open(folder_ / "t");
    const TraceInfo info = describe(trace);
    const auto sample = sample_positions({games_}, folder_ / "t", {options_.positions, options_.seed}).positions;

    const SearchMemory memory(options_.network, options_.threats, std::size_t{1} << 18);
    SearchRequest request = memory.request(options_.depth, options_.max_nodes);
    request.positions = sample.data();
    request.count = sample.size();
    CountingRayWalk::queries = 0;
    const SearchResult result = run_search<CountingRayWalk>(request);
    EXPECT_EQ(trace.queries(), CountingRayWalk::queries) << width;
    EXPECT_EQ(provenance.at("search").at("nodes"), result.nodes) << width;
    EXPECT_EQ(provenance.at("search").at("evaluations"), result.evaluations) << width;
    EXPECT_EQ(info.evaluated_nodes, result.evaluations) << width;
    EXPECT_EQ(info.events[0], options_.positions);
    std::uint64_t asked = 0;
    for (const auto& [caller, calls] : provenance.at("search").at("callers").items()) {
      asked += calls.get<std::uint64_t>();
    }
    EXPECT_EQ(asked, trace.queries()) << width;
  }
}

TEST_F(SearchTrace, callers_follow_the_evaluation) {
  const nlohmann::json classical = build("a", options_).at("search").at("callers");
  EXPECT_GT(classical.at("evaluation"), 0);
  EXPECT_EQ(classical.at("threats"), 0);
  options_.network = 128;
  options_.threats = true;
  const nlohmann::json network = build("b", options_).at("search").at("callers");
  EXPECT_EQ(network.at("evaluation"), 0);
  EXPECT_GT(network.at("threats"), 0);
  EXPECT_GT(network.at("exchange"), 0);
}

TEST_F(SearchTrace, moves_and_their_way_back_balance) {
  build("t", options_);
  const Trace trace = Trace::open(folder_ / "t");
  Bitboard root = 0;
  Bitboard last = 0;
  for (const TraceBlock& block : trace.blocks()) {
    for (std::uint32_t i = 0; i < block.nodes; ++i) {
      if (node_event(block.tags[i]) == NodeEvent::root) {
        EXPECT_EQ(last, root);  // the search before has taken everything back
        root = block.occupied[i];
      }
      if (node_event(block.tags[i]) == NodeEvent::null_move) {
        EXPECT_EQ(block.occupied[i], last);
      }
      last = block.occupied[i];
    }
  }
  EXPECT_EQ(last, root);
}

TEST_F(SearchTrace, tells_the_pieces) {
  build("t", options_);
  const Trace trace = Trace::open(folder_ / "t");
  EXPECT_TRUE(trace.has_pieces());
  std::uint64_t boards = 0, moves = 0, made = 0;
  for (const TraceBlock& block : trace.blocks()) {
    boards += block.board_count;
    moves += block.move_count - block.line;
    made += static_cast<std::uint64_t>(std::count_if(block.tags + 1, block.tags + block.nodes, makes_move));
  }
  EXPECT_EQ(moves, made);
  EXPECT_GT(moves, options_.positions);
  EXPECT_GE(boards, options_.positions);
}

TEST_F(SearchTrace, the_pieces_take_a_byte_a_node_at_most) {
  for (const unsigned width : {0u, 128u}) {
    options_.network = width;
    options_.threats = width != 0;
    build("t", options_);
    const Trace trace = Trace::open(folder_ / "t");
    std::uint64_t bytes = 0;
    for (const TraceBlock& block : trace.blocks()) {
      const BlockLayout at = block_layout({.nodes = block.nodes,
                                           .queries = block.queries,
                                           .boards = block.board_count,
                                           .moves = block.move_count,
                                           .line = block.line});
      bytes += at.bytes - at.boards;
    }
    EXPECT_LE(bytes, trace.nodes()) << width;
  }
}

TEST_F(SearchTrace, refuses_nonsense) {
  const auto refused = [this](const std::string& part, auto change) {
    SearchTraceOptions options = options_;
    change(options);
    expect_complaint(part, [&] { build("never", options); });
    EXPECT_EQ(folder_.names(), std::vector<std::string>{"games.pgn"});
  };
  refused("plies deep", [](auto& o) { o.depth = 0; });
  refused("plies deep", [](auto& o) { o.depth = 65; });
  refused("at least 1 node", [](auto& o) { o.max_nodes = 0; });
  refused("threats", [](auto& o) { o.threats = true; });
  refused("multiple of 128", [](auto& o) { o.network = 100; });
  refused("cannot sample 0", [](auto& o) { o.positions = 0; });
  refused("ask for fewer", [](auto& o) { o.positions = 7; });
  expect_complaint("both input and output", [this] { build_search_trace({games_}, games_, options_); });
}

}  // namespace
}  // namespace slidebench::engine
