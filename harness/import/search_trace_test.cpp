// SPDX-License-Identifier: MIT
//
// What is recorded of a search: by hand, and of real searches. Positions from games, games that are followed, and files
// of FENs.
#include "harness/import/search_trace.hpp"

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/engine/fen.hpp"
#include "harness/engine/run_engine.hpp"
#include "harness/engine/search_memory.hpp"
#include "harness/import/played_game.hpp"
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
using test::write_file;

const std::string opera = R"([Event "Opera"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0

)";

const std::string immortal = R"([Event "Immortal"]
[Result "1-0"]

1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6 11. Rg1 cxb5
12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6 Bxg1 19. e5 Qxa1+ 20. Ke2 Na6
21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7# 1-0

)";

using Nodes = std::vector<std::string>;

/// What a search does, a step at a time.
using Step = std::function<void(SearchRecorder&)>;

Step begin(Bitboard occupied, const SliderSets& sliders = {}) {
  return [=](SearchRecorder& r) { r.begin(occupied, sliders); };
}
Step ask(QueryKind kind, Square s, Bitboard occupied, Caller caller) {
  return [=](SearchRecorder& r) { r.query({kind, s, occupied, caller}); };
}
Step bishop(Square s, Bitboard occupied) { return ask(QueryKind::bishop, s, occupied, Caller::checks); }
Step rook(Square s, Bitboard occupied, Caller c = Caller::checks) { return ask(QueryKind::rook, s, occupied, c); }
Step both(Square s, Bitboard occupied, Caller c = Caller::checks) { return ask(QueryKind::both, s, occupied, c); }
Step make(Bitboard occupied) {
  return [=](SearchRecorder& r) { r.made(NodeEvent::make, occupied, {}); };
}
Step unmake(Bitboard occupied) {
  return [=](SearchRecorder& r) { r.unmade(NodeEvent::unmake, occupied, {}); };
}
const Step eval = [](SearchRecorder& r) { r.evaluated(); };
const Step probe = [](SearchRecorder& r) { r.probed(); };

/// A recorder whose nodes are kept.
struct Recording {
  Nodes nodes;
  std::vector<SliderSets> sliders;
  SearchRecorder recorder{[this](Bitboard occupied, NodeTag tag, const SliderSets& sets,
                                 std::span<const QueryCode> queries, const PieceEvent&) {
    nodes.push_back(test::text_of_node(occupied, tag, queries));
    sliders.push_back(sets);
  }};

  explicit Recording(const std::vector<Step>& steps) {
    for (const Step& step : steps) step(recorder);
    recorder.end();
  }
};

TEST(search_recorder, the_last_query_before_a_move_belongs_to_it) {
  const Recording r({begin(0xF), both(0, 0xF), rook(1, 0xF), both(0, 0x1E), make(0x1E), probe, eval, unmake(0xF)});
  EXPECT_EQ(r.nodes, (Nodes{"root f: x0 r1", "make eval probe 1e: x0", "unmake f:"}));
}

TEST(search_recorder, threats_of_a_move_count_for_what_it_leads_to) {
  constexpr Caller threats = Caller::threats;  // those of the root a refresh
  const Recording r({begin(7), both(0, 7), eval, rook(0, 7, threats), both(1, 7, threats), both(2, 7, threats),
                     both(0, 0xE), make(0xE), both(3, 0xE, threats), unmake(7), both(0, 3), make(3), unmake(7)});
  // The root 2, the first move 4, the second 1.
  EXPECT_EQ(r.recorder.calls_per_visit().size(), 3u);
  EXPECT_EQ(r.recorder.calls_per_visit().quantile(1), 1u);
  EXPECT_EQ(r.recorder.calls_per_visit().quantile(50), 2u);
  EXPECT_EQ(r.recorder.calls_per_visit().quantile(100), 4u);
  EXPECT_EQ(r.recorder.calls_per_visit().sum(), 7u);
}

TEST(search_recorder, halves_moves_and_evaluations_become_nodes) {
  // Two halves of one square and occupancy are one both; a third begins anew.
  EXPECT_EQ(Recording({begin(1), rook(0, 1), bishop(0, 1), bishop(0, 1), rook(1, 1)}).nodes, Nodes{"root 1: x0 b0 r1"});
  EXPECT_EQ(Recording({begin(3), rook(1, 3), bishop(1, 1)}).nodes, (Nodes{"root 3: r1", "make 1: b1"}));
  // A move starts from the position, even where an exchange is by chance about the occupancy after it.
  EXPECT_EQ(Recording({begin(7), both(0, 0xE, Caller::exchange), both(0, 0xE), make(0xE)}).nodes,
            (Nodes{"root 7:", "make e: x0", "unmake 7:", "make e: x0"}));
  // A position evaluated twice is two nodes.
  EXPECT_EQ(Recording({begin(1), eval, probe, probe, eval}).nodes, (Nodes{"root eval probe 1:", "null eval 1:"}));
}

TEST(search_recorder, other_occupancies_are_made_and_unmade) {
  const SliderSets sliders{.white_diagonal = 1, .white_orthogonal = 2, .black_diagonal = 0, .black_orthogonal = 4};
  constexpr Caller exchange = Caller::exchange;
  const Recording r({begin(7, sliders), both(0, 6, exchange), both(0, 4, exchange), rook(1, 7, Caller::piece_moves),
                     both(0, 3, exchange), eval});
  EXPECT_EQ(r.nodes, (Nodes{"root 7:", "make 6: x0", "make 4: x0", "unmake 7: r1", "make 3: x0", "unmake eval 7:"}));
  EXPECT_EQ(r.sliders[1].white_diagonal, 0u);  // sliders stand on occupied squares
  EXPECT_EQ(r.sliders[1].white_orthogonal, 2u);
  EXPECT_EQ(r.sliders[5].white_diagonal, 1u);
  EXPECT_EQ(r.recorder.callers()[static_cast<std::size_t>(Caller::exchange)], 3u);
  EXPECT_EQ(r.recorder.callers()[static_cast<std::size_t>(Caller::piece_moves)], 1u);
}

TEST(recorded_position, knows_who_asks) {
  using Calls = std::map<Caller, unsigned>;
  struct Listener final : EngineListener {
    Calls calls;
    RecordedQuery last{};
    unsigned events = 0;
    void query(const RecordedQuery& q) override {
      last = q;
      ++calls[q.caller];
    }
    void made(Bitboard, Move) override { ++events; }
    void unmade(Bitboard) override { ++events; }
    void null_made(Bitboard) override { ++events; }
    void null_unmade(Bitboard) override { ++events; }
    void evaluated() override { ++events; }
    void probed() override { ++events; }
  };
  Listener listener;
  const auto calls_of = [&listener](const std::function<void()>& action) {
    listener.calls.clear();
    action();
    return listener.calls;
  };
  // White: king e1, rook a1, queen d1, bishop c4; black: king e8, rook d8.
  const PositionState state = parse_fen("3rk3/8/8/8/2B5/8/8/R2QK3 w - - 0 1");
  const ListeningScope listening(&listener);
  RecordedPosition<Hyperbola> position(state, {});
  EXPECT_EQ(listener.calls, (Calls{{Caller::checks, 1}}));
  EXPECT_EQ(listener.last, (RecordedQuery{QueryKind::both, 4, position.occupied(), Caller::checks}));
  MoveList moves;
  EXPECT_EQ(calls_of([&] { generate<GenKind::all>(position, moves); }),
            (Calls{{Caller::king_moves, 4}, {Caller::pins, 1}, {Caller::piece_moves, 3}}));  // king: d2, e2, f1, f2
  const Calls exchange = calls_of([&] { exchange_at_least(position, Move(3, 59), 0); });
  EXPECT_TRUE(exchange.size() == 1 && exchange.contains(Caller::exchange));
  EXPECT_EQ(calls_of([&] { evaluate_classical(position); }), (Calls{{Caller::evaluation, 6}}));  // sliders and kings
  EXPECT_EQ(listener.events, 0u);
  const ListeningScope silence(nullptr);
  EXPECT_EQ(calls_of([&] { evaluate_classical(position); }), Calls{});
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
  SearchTrace() { write_file(games_, opera + immortal); }

  nlohmann::json build(const std::string& name, const SearchTraceOptions& options) {
    build_search_trace({games_}, folder_ / name, options);
    return Trace::open(folder_ / name).provenance();
  }

  const test::TempFolder folder_;
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

TEST_F(SearchTrace, holds_every_query_of_the_same_search_without_a_recorder_and_its_pieces) {
  for (const unsigned width : {0u, 128u}) {
    SCOPED_TRACE(width);
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
    EXPECT_EQ(trace.queries(), CountingRayWalk::queries);
    EXPECT_EQ(provenance.at("search").at("nodes"), result.nodes);
    EXPECT_EQ(provenance.at("search").at("evaluations"), result.evaluations);
    EXPECT_EQ(info.evaluated_nodes, result.evaluations);
    EXPECT_EQ(info.events[0], options_.positions);
    const auto calls = provenance.at("search").at("callers").get<std::map<std::string, std::uint64_t>>();
    std::uint64_t asked = 0;
    for (const auto& [caller, count] : calls) asked += count;
    EXPECT_EQ(asked, trace.queries());
    EXPECT_EQ(calls.at("evaluation") > 0, width == 0);
    EXPECT_EQ(calls.at("threats") > 0, width != 0);
    EXPECT_GT(calls.at("exchange"), 0u);
    EXPECT_TRUE(trace.has_pieces());
    std::uint64_t bytes_of_pieces = 0;
    for (const TraceBlock& block : trace.blocks()) {
      bytes_of_pieces += align_column(block.board_count * sizeof(PackedBoard));
      bytes_of_pieces += align_column(block.move_count * sizeof(MoveCode));
    }
    EXPECT_LE(bytes_of_pieces, trace.nodes());
  }
}

TEST_F(SearchTrace, refuses_nonsense) {
  const auto refused = [this](const std::string& part, auto change) {
    SearchTraceOptions options = options_;
    change(options);
    expect_complaint(part, [&] { build("never", options); });
    EXPECT_EQ(folder_.names(), std::vector<std::string>{"games.pgn"});
  };
  refused("threats", [](auto& o) { o.threats = true; });
  refused("multiple of 128", [](auto& o) { o.network = 100; });
  refused("ask for fewer", [](auto& o) { o.positions = 7; });
  expect_complaint("both input and output", [this] { build_search_trace({games_}, games_, options_); });
}

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
  EXPECT_EQ(two.games.report.games, 1u);
  EXPECT_EQ(two.games.report.plies, 33u);
  EXPECT_EQ(two.games.provenance.at("sources").at(0).at("name"), "games.pgn");
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
  expect_complaint("sample of 0 positions, not 8",
                   [this] { sample("[Result \"*\"]\n\n*\n", {.count = 8, .seed = 1, .fewer = true}); });
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
  write_file(folder_ / "q.fen", "# two positions\r\n\n" + read_file(folder_ / "p.fen"));
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
