// SPDX-License-Identifier: MIT
//
// What is replayed: selections of a trace, the pressure beside it, and the pages under it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <vector>

#include "harness/chess/random_boards.hpp"
#include "harness/engine/fen.hpp"
#include "harness/measure/engine_work.hpp"
#include "harness/measure/replay_work.hpp"
#include "harness/measure/table_pages.hpp"
#include "harness/measure/timed_loop.hpp"
#include "harness/plugin/test_modules.hpp"
#include "harness/trace/piece_track.hpp"
#include "harness/trace/random_trace.hpp"
#include "harness/trace/test_support.hpp"
#include "harness/trace/writer.hpp"

namespace slidebench {
namespace {

/// A node as it is replayed.
struct ReplayedNode {
  Bitboard occupied;
  NodeTag tag;
  std::vector<QueryCode> queries = {};
  std::vector<std::uint8_t> batch = {};
  friend bool operator==(const ReplayedNode&, const ReplayedNode&) = default;
};

std::vector<ReplayedNode> nodes_of(Segment blocks) {
  std::vector<ReplayedNode> nodes;
  for (const TraceBlock& block : blocks) {
    const std::size_t first = nodes.size();
    for (std::uint32_t n = 0; n < block.nodes; ++n) {
      nodes.push_back({block.occupied[n], block.tags[n]});
      if (block.batches == nullptr) continue;
      const SliderBatch& batch = block.batches[n];
      nodes.back().batch.assign(batch.squares, batch.squares + batch.size());
    }
    for_each_query(block, [&](std::uint32_t node, QueryKind kind, Square s) {
      nodes[first + node].queries.push_back(encode_query(kind, s));
    });
  }
  return nodes;
}

std::vector<ReplayedNode> nodes_of(TraceSelection& selection) {
  std::vector<ReplayedNode> all;
  for (const Segment segment : selection.segments()) {
    for (const ReplayedNode& node : nodes_of(segment)) all.push_back(node);
  }
  return all;
}

ReplayWork work_on(const Trace& trace, std::string_view workload, const SelectionOptions& options = {},
                   const std::shared_ptr<PressureBlock>& pressure = nullptr) {
  return ReplayWork(*find_workload(workload), std::make_shared<TraceSelection>(trace, options), pressure);
}

class WorkTest : public testing::Test {
 protected:
  WorkTest() {
    build_random_trace(folder_ / "random.trace", {.nodes = 4000});
    trace_.emplace(Trace::open(folder_ / "random.trace"));
  }

  Contender contender(const std::string& id, ModuleRole role = ModuleRole::timed) const {
    return Contender(std::make_shared<Plugin>(module_named(id, role)));
  }

  /// The reference's module once more.
  Contender reference_as(ContenderRole role) const { return Contender(contender("magic_fancy").plugin, role); }

  void expect_oracles_sum(ReplayWork& work, const std::vector<std::string>& ids) const {
    for (const std::string& id : ids) {
      const Contender method = contender(id);
      for (std::size_t segment = 0; segment < work.segments(); ++segment)
        EXPECT_EQ(pass(method, work, segment), work.expected(method, segment)) << id << ", segment " << segment;
    }
  }

  test::TempFolder folder_;
  std::optional<Trace> trace_;
};

TEST_F(WorkTest, ASelectionLeavesNothingOutAndKeepsTheOrder) {
  TraceSelection all(*trace_, {.piece_queries = 100, .segment_queries = 1000});
  EXPECT_EQ(all.size(), trace_->queries());
  for (const Segment segment : all.segments()) {
    std::uint64_t inside = 0;
    for (const TraceBlock& piece : segment) inside += piece.queries;
    EXPECT_GE(inside, 1000u);
  }
  EXPECT_TRUE(nodes_of(all) == nodes_of(trace_->blocks()));
}

TEST_F(WorkTest, EveryWorkloadOfAMethodWithStateGivesTheOraclesSum) {
  const auto block = std::make_shared<PressureBlock>(parse_pressure("16@64K/node+32@64K/eval"), 1, false);
  const auto work_alone = std::make_shared<PressureBlock>(parse_pressure("64/query"), 1, false);
  EXPECT_TRUE(work_alone->works());
  for (const Workload& workload : workloads) {
    if (workload.needs_pieces) continue;  // which this trace does not tell
    SCOPED_TRACE(workload.name);
    const SelectionOptions options{.nodes_only = workload.unit != Workload::Unit::query, .piece_queries = 500};
    for (const auto& pressure : {std::shared_ptr<PressureBlock>(), block, work_alone}) {
      if (pressure == work_alone && options.nodes_only) continue;  // which comes after queries alone
      ReplayWork work = work_on(*trace_, workload.name, options, pressure);
      expect_oracles_sum(work, {"rotated_hyatt", "magic_fancy", "empty"});
    }
  }
}

TEST_F(WorkTest, BatchesHoldTheSlidersOfTheirNodes) {
  TraceSelection selection(*trace_, {.nodes_only = true, .batches = true});
  std::uint64_t nodes = 0, sliders = 0;
  for (const Segment segment : selection.segments()) {
    for (const TraceBlock& piece : segment) {
      for (std::uint32_t n = 0; n < piece.nodes; ++n, ++nodes) {
        const SliderSets& sets = piece.sliders[n];
        const SliderBatch& batch = piece.batches[n];
        Bitboard diagonal = 0, orthogonal = 0;
        for (unsigned i = 0; i < batch.diagonal_end(); ++i) diagonal |= bit(batch.squares[i]);
        for (unsigned i = batch.orthogonal_begin(); i < batch.size(); ++i) orthogonal |= bit(batch.squares[i]);
        ASSERT_EQ(diagonal, sets.white_diagonal | sets.black_diagonal);
        ASSERT_EQ(orthogonal, sets.white_orthogonal | sets.black_orthogonal);
        sliders += batch.size();
      }
    }
  }
  EXPECT_EQ(nodes, trace_->nodes());
  EXPECT_GT(sliders, nodes);
}

TEST_F(WorkTest, AWindowIsTheSameWhateverElseWasAskedFor) {
  build_random_trace(folder_ / "blocks.trace", {.nodes = 40'000, .seed = 2});
  const Trace trace = Trace::open(folder_ / "blocks.trace");
  ASSERT_GT(trace.blocks().size(), 2u);
  for (SelectionOptions options : {SelectionOptions{}, SelectionOptions{.kind = QueryKind::rook},
                                   SelectionOptions{.nodes_only = true, .batches = true},
                                   SelectionOptions{.nodes_only = true, .batches = true, .sliders = 6}}) {
    options.piece_queries = 1000;
    options.segment_queries = 5000;
    TraceSelection one_by_one(trace, options);
    TraceSelection at_once(trace, options);
    const std::span<const Segment> segments = at_once.segments();
    ASSERT_EQ(one_by_one.segment_count(), segments.size());
    ASSERT_GT(segments.size(), 2u);
    for (std::size_t w = segments.size(); w-- > 0;) {
      const Segment segment = one_by_one.segment(w);
      ASSERT_EQ(segment.size(), segments[w].size());
      for (std::size_t p = 0; p < segment.size(); ++p)
        EXPECT_TRUE(nodes_of(segment.subspan(p, 1)) == nodes_of(segments[w].subspan(p, 1)));
    }
  }
}

TEST_F(WorkTest, BatchesCanHaveOneSize) {
  for (const unsigned size : {1u, 6u, 16u}) {
    SCOPED_TRACE(size);
    const SelectionOptions options{.nodes_only = true, .batches = true, .sliders = size, .piece_queries = 500};
    TraceSelection selection(*trace_, options);
    for (const ReplayedNode& node : nodes_of(selection)) {
      ASSERT_EQ(node.batch.size(), size);
      for (const std::uint8_t square : node.batch) ASSERT_NE(node.occupied & bit(square), 0u);
    }
    ReplayWork work = work_on(*trace_, "batch", options);
    EXPECT_EQ(work.size(0).queries, size * work.size(0).nodes);
    expect_oracles_sum(work, {"rotated_hyatt", "hyperbola", "empty"});
  }
}

TEST_F(WorkTest, TheControlReplaysATenthOfTheQueriesAgain) {
  const Contender control = reference_as(ContenderRole::control);
  EXPECT_EQ(control.name, "magic_fancy.control");
  for (const char* workload : {"throughput", "latency"}) {
    ReplayWork work = work_on(*trace_, workload, {.piece_queries = 2000, .segment_queries = 8000});
    const std::uint64_t sum = pass(control, work, 0);
    EXPECT_EQ(sum, work.expected(control, 0)) << workload;
    EXPECT_NE(sum, work.expected(contender("magic_fancy"), 0)) << "it has more to do";
  }
}

TEST_F(WorkTest, WhoAsksTwiceAnswersAsIfAskedOnce) {
  const Contender twice = contender("magic_fancy", ModuleRole::twice);
  EXPECT_EQ(twice.name, "magic_fancy.twice");
  for (const char* workload : {"throughput", "setwise"}) {
    ReplayWork work = work_on(*trace_, workload);
    EXPECT_EQ(pass(twice, work, 0), work.expected(contender("magic_fancy"), 0)) << workload;
  }
}

/// Counts the touches of a pressure in a replay, and how often other work is done.
struct Touches {
  std::uint64_t count = 0;
  std::uint64_t works = 0;
  PressureHook hook(TagSet events) {
    return {.touch = [](void* self, NodeTag) { ++static_cast<Touches*>(self)->count; },
            .work = [](void* self) { ++static_cast<Touches*>(self)->works; },
            .context = this,
            .events = events};
  }
};

TEST_F(WorkTest, TouchesComeAtTheirEventsAndOtherWorkAfterEveryQuery) {
  const TraceBlock& block = trace_->blocks().front();
  for (const char* specification : {"16@64K/eval", "16@64K/node", "16@64K/probe+32@64K/eval"}) {
    const Pressure pressure = parse_pressure(specification);
    std::uint64_t events = 0;
    for (std::uint32_t n = 0; n < block.nodes; ++n) events += pressure_events(pressure).has(block.tags[n]) ? 1 : 0;
    ASSERT_GT(events, 0u);
    PressureBlock real(pressure, 1, false);
    for (const char* id : {"magic_fancy", "rotated_hyatt", "empty"}) {
      const Contender method = contender(id);
      for (const Workload& workload : workloads) {
        if (workload.needs_pieces) continue;  // which this trace does not tell
        SCOPED_TRACE(std::string(workload.name) + " of " + id + " under " + specification);
        const WorkloadKernels& kernels = workload.of(method.plugin->descriptor());
        Touches touched, worked;
        const std::uint64_t sum = kernels.with_pressure(block, touched.hook(real.hook().events));
        EXPECT_EQ(touched.count, events);
        EXPECT_EQ(touched.works, 0u);
        if (workload.unit != Workload::Unit::query) {
          EXPECT_EQ(kernels.with_work, nullptr);
          continue;
        }
        EXPECT_EQ(kernels.with_work(block, worked.hook(real.hook().events)), sum);
        EXPECT_EQ(worked.count, events);
        EXPECT_EQ(worked.works, block.queries);
        EXPECT_EQ(kernels.alone(block), sum);
      }
    }
  }
}

/// A trace of random walks that tells the pieces: moves made and taken back across the borders of blocks and pieces.
Trace trace_of_walks(const std::string& path) {
  TraceWriter writer(path);
  std::mt19937_64 random(9);
  for (unsigned walk = 0; walk < 40; ++walk) {
    PieceTrack track(random_board(random));
    PieceEvent event = PieceEvent::root(track.board());
    NodeEvent tag = NodeEvent::root;
    for (unsigned ply = 0; ply < 200; ++ply) {
      std::vector<QueryCode> queries;
      for (unsigned n = 0; n < 20; ++n) queries.push_back(encode_query(QueryKind::both, random() % 64));
      writer.add_node(track.board().occupied(), static_cast<NodeTag>(tag), {}, queries, event);
      MoveCode move = 0;
      const bool back = track.can_unmake() && (random() % 2 == 0 || !random_move(track.board(), random, move));
      if (!back && !random_move(track.board(), random, move)) break;
      back ? track.unmake() : track.make(move);
      event = back ? PieceEvent::unmake() : PieceEvent::make(move);
      tag = back ? NodeEvent::unmake : NodeEvent::make;
    }
  }
  writer.finish({{"kind", "random"}, {"recipe", "a test"}, {"sources", nlohmann::json::array()}});
  return Trace::open(path);
}

TEST_F(WorkTest, PiecesOfATraceTellTheirPiecesAndAKindThatNobodyAsksSelectsNone) {
  const Trace walks = trace_of_walks(folder_ / "walks.trace");
  ASSERT_GT(walks.blocks().size(), 1u);
  // A first node makes no move: its line has made it, or its board.
  const auto moves_of = [](const TraceBlock& block) { return moves_in(block) + makes_move(block.tags[0]); };
  std::uint64_t moves = 0;
  for (const TraceBlock& block : walks.blocks()) moves += moves_of(block);
  for (const std::uint64_t piece_queries : {50U, 1000U}) {
    const SelectionOptions options{.pieces = true, .piece_queries = piece_queries};
    ReplayWork update = work_on(walks, "update", options);
    expect_oracles_sum(update, {"rotated_hyatt"});
    std::uint64_t made = 0;
    TraceSelection selection(walks, options);
    for (const Segment segment : selection.segments()) {
      for (const TraceBlock& piece : segment) made += moves_of(piece);
    }
    EXPECT_EQ(made, moves);
  }
  EXPECT_EQ(TraceSelection(walks, {.kind = QueryKind::queen}).size(), 0u);
  EXPECT_EQ(work_on(walks, "throughput", {.kind = QueryKind::queen}).size(0).queries, 0u);
}

TEST_F(WorkTest, OnlyWhoKeepsSomethingTakesPartInUpdateBesideTheReference) {
  const ReplayWork update = work_on(*trace_, "update");
  EXPECT_TRUE(update.takes(contender("rotated_hyatt")));
  EXPECT_FALSE(update.takes(contender("empty"))) << "whose answers are no attack sets";
  EXPECT_TRUE(update.takes(contender("magic_fancy")));
  EXPECT_FALSE(update.takes(contender("hyperbola")));
  EXPECT_FALSE(update.takes(Contender::clock())) << "whose loop needs no work";
  EXPECT_TRUE(work_on(*trace_, "setwise").takes(contender("magic_fancy")));
}

/// A trace with moves, nodes that ask little or nothing, and nodes that go on.
Trace trace_of_moves(const std::string& path) {
  TraceWriter writer(path);
  std::mt19937_64 random(5);
  Bitboard occupied = 0xFFFF00000000FFFF;
  for (int node = 0; node < 3000; ++node) {
    const bool root = random() % 50 == 0;
    occupied = root ? random() : occupied ^ bit(random() % 64);
    if (!root && random() % 2 == 0) occupied ^= bit(random() % 64);
    const auto tag = static_cast<NodeTag>((root ? 0 : 1 + random() % 2) | (random() % 3 == 0 ? evaluated_flag : 0));
    std::vector<QueryCode> queries(random() % 4 == 0 ? random() % 40 : random() % 3);
    for (QueryCode& query : queries) query = encode_query(static_cast<QueryKind>(random() % 4), random() % 64);
    writer.add_node(occupied, tag, {}, queries);
  }
  writer.finish({{"kind", "test"}});
  return Trace::open(path);
}

/// What is to be kept of a trace, by the definition.
std::vector<ReplayedNode> expected_nodes(const Trace& trace, QueryKind kind, TagSet kept) {
  std::vector<ReplayedNode> nodes;
  for (const TraceBlock& block : trace.blocks()) {
    bool root = false;
    for (ReplayedNode& node : nodes_of(Segment(&block, 1))) {
      std::erase_if(node.queries, [kind](QueryCode query) { return query_kind(query) != kind; });
      root = root || node_event(node.tag) == NodeEvent::root;
      if (node.queries.empty() && !kept.has(node.tag)) continue;
      if (root) node.tag = static_cast<NodeTag>(node.tag & ~event_mask);
      nodes.push_back(node);
      root = false;
    }
  }
  return nodes;
}

TEST_F(WorkTest, OfOneKindNodesThatAskNothingAreLeftOutButForThePressuresAndNoAnswerChanges) {
  const Trace moves = trace_of_moves(folder_ / "moves.trace");
  for (const char* name : {"isolated", "16@64K/eval", "16@64K/node"}) {
    SCOPED_TRACE(name);
    const Pressure pressure = parse_pressure(name);
    const auto block = pressure.touches() ? std::make_shared<PressureBlock>(pressure, 1, false) : nullptr;
    std::uint64_t all_kinds_together = 0;
    for (const QueryKind kind : {QueryKind::bishop, QueryKind::rook, QueryKind::queen, QueryKind::both}) {
      const SelectionOptions options{.kind = kind, .kept = pressure_events(pressure), .piece_queries = 50};
      TraceSelection selection(moves, options);
      const std::vector<ReplayedNode> nodes = nodes_of(selection);
      EXPECT_TRUE(nodes == expected_nodes(moves, kind, options.kept));
      EXPECT_LT(nodes.size(), moves.nodes());
      EXPECT_EQ(selection.size(), moves.queries(kind));
      ReplayWork work = work_on(moves, "throughput", options, block);
      expect_oracles_sum(work, {"rotated_hyatt", "rotated_heinz", "hyperbola", "empty"});
      for (std::size_t w = 0; w < work.segments(); ++w)
        all_kinds_together += work.expected(contender("rotated_hyatt"), w);
    }
    ReplayWork whole = work_on(moves, "throughput", {}, block);
    std::uint64_t expected = 0;
    for (std::size_t w = 0; w < whole.segments(); ++w) expected += pass(contender("ray_walk"), whole, w);
    EXPECT_EQ(all_kinds_together, expected);
  }
}

EngineSettings search_from_start(std::uint64_t nodes) {
  return {.positions = {engine::parse_fen(engine::start_position)}, .nodes = nodes, .hash_mib = 1};
}

TEST_F(WorkTest, ASearchIsTheOraclesWhateverWasSearchedBefore) {
  EngineSettings settings = search_from_start(2000);
  settings.positions.push_back(engine::parse_fen("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 b - - 0 9"));
  SearchWork work({}, settings, false);
  std::vector<Contender> contenders{contender("magic_fancy"), contender("hyperbola"),
                                    reference_as(ContenderRole::twin)};
  const Contender keeps_boards = contender("rotated_hyatt");
  if (work.takes(keeps_boards)) contenders.push_back(keeps_boards);  // has an engine in some builds alone
  for (std::size_t i = 0; i < engine::hash_generations + 10; ++i) {
    const Contender& method = contenders[i % contenders.size()];
    const std::size_t segment = i / 2 % 2;
    work.prepare(method, segment, 0);
    ASSERT_EQ(work.run(method, segment, 0), work.expected(method, segment)) << i;
    EXPECT_EQ(work.size(segment).nodes, settings.nodes);
  }
}

TEST_F(WorkTest, TheControlSearchesATenthMoreNodes) {
  SearchWork work({}, search_from_start(2000), false);
  const Contender control = reference_as(ContenderRole::control);
  work.prepare(control, 0, 0);
  EXPECT_EQ(work.run(control, 0, 0), work.expected(control, 0));
  EXPECT_EQ(work.size(0).nodes, 2000u) << "the sample's time is divided by what all others search";
}

TEST_F(WorkTest, ASearchBeginsWithTheHashOfItsWarmUp) {
  const EngineSettings settings = search_from_start(2000);
  SearchWork work({}, settings, false);
  engine::SearchMemory empty = make_search_memory({}, settings.hash_mib, false);
  engine::SearchRequest request = empty.request(64, settings.nodes);
  request.positions = settings.positions.data();
  request.count = 1;
  const Contender method = contender("magic_fancy");
  EXPECT_NE(work.expected(method, 0), method.plugin->descriptor().engine.search(request).signature);
}

constexpr const char* smaps =
    "7f0000000000-7f0000400000 rw-p 00000000 00:00 0 \n"
    "Size:               4096 kB\n"
    "AnonHugePages:      2048 kB\n"
    "7f0000400000-7f0000600000 rw-p 00000000 00:00 0 \n"
    "Size:               2048 kB\n"
    "AnonHugePages:         0 kB\n";

TEST(TablePages, AreReadFromSmaps) {
  EXPECT_EQ(bytes_on_large_pages(smaps, 0x7f0000000000, 4u << 20), 2u << 20);
  EXPECT_EQ(bytes_on_large_pages(smaps, 0x7f0000000000, 1u << 20), 1u << 20);
  EXPECT_EQ(bytes_on_large_pages(smaps, 0x7f0000400000, 2u << 20), 0u);
  EXPECT_EQ(bytes_on_large_pages(smaps, 0x7f1000000000, 2u << 20), 0u);
  EXPECT_EQ(bytes_on_large_pages("", 0x7f0000000000, 1), 0u);
}

TEST(TablePages, ARefusalIsExplained) {
  const test::TempFolder root;
  EXPECT_NE(large_pages_refused(root / ""), "");
  const std::string setting = root / "sys/kernel/mm/transparent_hugepage";
  std::filesystem::create_directories(setting);
  std::ofstream(setting + "/enabled") << "always madvise [never]\n";
  EXPECT_NE(large_pages_refused(root / "").find("madvise"), std::string::npos);
  std::ofstream(setting + "/enabled") << "always [madvise] never\n";
  EXPECT_EQ(large_pages_refused(root / "", 4096), "");
  EXPECT_NE(large_pages_refused(root / "", 65536).find("64 KiB"), std::string::npos);
}

TEST_F(WorkTest, TablesLieOnThePagesThatWereAskedFor) {
  if (!large_pages_refused().empty()) GTEST_SKIP() << large_pages_refused();
  for (const bool large : {false, true}) {
    for (Plugin& plugin : load_folder(TEST_PLUGIN_DIR, ModuleRole::timed, host_isa())) {
      if (plugin.id() != "magic_plain") continue;
      advise_table_pages(plugin, large);
      plugin.initialise();
      const TablePages pages = table_pages(plugin, smaps_of_this_process());
      EXPECT_EQ(pages.bytes, (2u << 20) + (256u << 10));
      if (!large) {
        EXPECT_EQ(pages.large_bytes, 0u);
      }
      // The kernel may be out of 2 MiB pages: then it gives none, and says so in smaps.
      if (large && pages.large_bytes == 0) GTEST_SKIP() << "no 2 MiB page to be had";
    }
  }
}

}  // namespace
}  // namespace slidebench
