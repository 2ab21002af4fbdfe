// SPDX-License-Identifier: MIT
//
// What a method reads of a trace, and what whole experiments observe of it.
#include "harness/simulator/access_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "harness/base/errors.hpp"
#include "harness/plugin/test_modules.hpp"
#include "harness/plugin/verification.hpp"
#include "harness/simulator/cache_spec.hpp"
#include "harness/simulator/experiment.hpp"
#include "harness/trace/random_trace.hpp"

namespace slidebench {
namespace {

/// A game, twice: make after make, every kind of query at every position. Owns its arrays.
struct GameBlock {
  std::vector<Bitboard> occupied;
  std::vector<NodeTag> tags;
  std::vector<RunLengths> runs;
  std::vector<std::uint8_t> squares;
  std::vector<SliderSets> sliders;

  GameBlock() {
    for (unsigned game = 0; game < 2; ++game) {
      for (const Bitboard position : verification_game_occupancies()) {
        const NodeTag flags = tags.size() % 2 == 0 ? evaluated_flag : 0;
        occupied.push_back(position);
        tags.push_back(static_cast<NodeTag>(flags | static_cast<NodeTag>(NodeEvent::make)));
        runs.push_back(0x2112);
        sliders.push_back({});
        const std::size_t first = occupied.size() * 11;
        for (unsigned i = 0; i < 6; ++i) squares.push_back(static_cast<std::uint8_t>((first + i * 7) % 64));
      }
      tags[game * verification_game_occupancies().size()] = evaluated_flag | static_cast<NodeTag>(NodeEvent::root);
    }
  }

  TraceBlock view() const { return part(0, occupied.size()); }
  TraceBlock part(std::size_t first, std::size_t last) const {
    const auto nodes = static_cast<std::uint32_t>(last - first);
    return {&occupied[first], &tags[first], &runs[first], &squares[6 * first], &sliders[first], nodes, 6 * nodes};
  }
};

using Access = std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>;  // table, offset, bytes

std::vector<Access> accesses_of(const PluginDescriptor& method, const TraceBlock& block) {
  std::vector<Access> seen;
  method.trace_accesses(
      [](void* context, std::uint32_t table, std::uint32_t offset, std::uint32_t bytes) {
        static_cast<std::vector<Access>*>(context)->emplace_back(table, offset, bytes);
      },
      &seen);
  method.replay.throughput.alone(block);
  method.trace_accesses(nullptr, nullptr);
  return seen;
}

/// What the kernel reads, without the board that it builds at the start of a block.
std::vector<Access> kernel_accesses(const PluginDescriptor& method, const TraceBlock& block) {
  std::vector<Access> all = accesses_of(method, block);
  const NodeTag no_change = static_cast<NodeTag>(NodeEvent::null_move);
  const RunLengths no_queries = 0;
  const TraceBlock only_start{block.occupied, &no_change, &no_queries, block.squares, block.sliders, 1, 0};
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(accesses_of(method, only_start).size()));
  return all;
}

struct EventRecorder : EventConsumer {
  void consume(std::span<const MemoryEvent> batch) override { events.insert(events.end(), batch.begin(), batch.end()); }
  std::vector<MemoryEvent> events;
};

std::vector<Access> stream_accesses(const EventRecorder& recorder, const AddressSpace& space) {
  std::vector<Access> accesses;
  for (const MemoryEvent& event : recorder.events) {
    if (event.kind != MemoryEvent::Kind::access || !is_method(event.owner)) continue;
    accesses.emplace_back(event.region, event.address - space.regions()[event.region].address, event.bytes);
  }
  return accesses;
}

EventRecorder record(const Plugin& method, const AddressSpace& space, std::span<const TraceBlock> blocks,
                     const StreamOptions& options = {}) {
  EventRecorder recorder;
  EventConsumer* const consumer = &recorder;
  AccessStream(method.descriptor(), space, options).replay(blocks, {&consumer, 1});
  return recorder;
}

/// What a stream tells of a method.
struct Replayed {
  Replayed(Plugin of, std::span<const TraceBlock> blocks, const StreamOptions& options = {})
      : method(std::move(of)),
        space(method.tables(), options.pressure, false),
        recorder(record(method, space, blocks, options)) {}

  std::vector<Access> accesses() const { return stream_accesses(recorder, space); }

  /// Lines of the block under pressure.
  std::vector<std::uint64_t> touched() const {
    std::vector<std::uint64_t> lines;
    for (const MemoryEvent& event : recorder.events) {
      if (event.owner != pressure_owner) continue;
      EXPECT_EQ(event.kind, MemoryEvent::Kind::access);
      EXPECT_EQ(event.region, space.pressure_region());
      EXPECT_EQ(event.bytes, 8u);
      lines.push_back((event.address - space.regions()[space.pressure_region()].address) / 64);
    }
    return lines;
  }

  Plugin method;
  AddressSpace space;
  EventRecorder recorder;
};

class AccessStreamTest : public testing::Test {
 protected:
  GameBlock game;
  const TraceBlock block = game.view();
};

TEST_F(AccessStreamTest, IsWhatTheKernelReads) {
  bool with_state = false;
  for (Plugin& method : runnable_modules(ModuleRole::traced)) {
    const Replayed seen(std::move(method), {&block, 1});
    EXPECT_EQ(seen.accesses(), kernel_accesses(seen.method.descriptor(), block)) << seen.method.id();
    with_state |= seen.method.descriptor().board.has_state;
  }
  EXPECT_TRUE(with_state) << "no method with a board of its own was tested";
}

TEST_F(AccessStreamTest, DoesNotDependOnTheCuttingIntoBlocks) {
  const TraceBlock parts[] = {game.part(0, 1), game.part(1, 30), game.part(30, game.occupied.size())};
  for (const char* id : {"magic_fancy", "rotated_hyatt"}) {
    const std::vector<Access> whole = Replayed(traced_module(id), {&block, 1}).accesses();
    EXPECT_EQ(Replayed(traced_module(id), parts).accesses(), whole) << id;
  }
}

TEST_F(AccessStreamTest, ABoardIsUpdatedBeforeTheQueries) {
  const Replayed seen(traced_module("rotated_hyatt"), {&block, 1});
  bool asked = false;
  std::uint64_t updates = 0;
  for (const MemoryEvent& event : seen.recorder.events) {
    if (event.kind == MemoryEvent::Kind::node) asked = false;
    if (event.kind == MemoryEvent::Kind::query) asked = true;
    if (event.kind == MemoryEvent::Kind::access && event.owner == update_owner) {
      EXPECT_FALSE(asked);
      ++updates;
    }
  }
  // 32 men at each of the two roots; two or three squares per move, four when castling.
  const auto moves = static_cast<std::uint64_t>(game.occupied.size() - 2);
  EXPECT_GE(updates, 64 + 2 * moves - 20);
  EXPECT_LE(updates, 64 + 3 * moves);
}

TEST_F(AccessStreamTest, TellsNodesAndQueriesInOrderAndReadsTheTraceIfAsked) {
  const Replayed replayed(traced_module("empty"), {&block, 1}, {.trace_reads = true});
  std::vector<QueryCode> expected, seen;
  std::vector<NodeTag> tags;
  std::uint64_t bytes = 0;
  for_each_query(block, [&](std::uint32_t, QueryKind kind, Square s) { expected.push_back(encode_query(kind, s)); });
  for (const MemoryEvent& event : replayed.recorder.events) {
    if (event.kind == MemoryEvent::Kind::query) seen.push_back(static_cast<QueryCode>(event.owner));
    if (event.kind == MemoryEvent::Kind::node) tags.push_back(static_cast<NodeTag>(event.address));
    if (event.owner != trace_owner) continue;
    bytes += event.bytes;
    EXPECT_LT(event.address, replayed.space.end());
  }
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(tags, game.tags);
  EXPECT_EQ(bytes, 10u * block.nodes + block.queries);
  // The method itself reads nothing.
  EXPECT_EQ(Replayed(traced_module("empty"), {&block, 1}).recorder.events.size(), expected.size() + tags.size());
}

TEST_F(AccessStreamTest, InterleavesPressureInItsOwnOrder) {
  game.tags[2] = evaluated_flag | continued_flag | static_cast<NodeTag>(NodeEvent::null_move);  // no event
  const Pressure pressure = parse_pressure("32@4K/eval/rows");
  const Replayed seen(traced_module("empty"), {&block, 1}, {.pressure = pressure, .pressure_seed = 9});
  std::vector<std::uint64_t> expected;
  const std::vector<std::uint32_t> order = touch_order(pressure.parts.front(), 9);
  const auto events = static_cast<std::size_t>(std::count_if(
      game.tags.begin(), game.tags.end(), [&](NodeTag tag) { return pressure_events(pressure).has(tag); }));
  for (std::size_t row = 0; row < 2 * events; ++row) {
    for (std::uint32_t i = 0; i < lines_per_row; ++i) expected.push_back(order[row % order.size()] + i);
  }
  EXPECT_EQ(seen.touched(), expected);
}

TEST_F(AccessStreamTest, TouchesLinesInAnyOrderIfAsked) {
  const Pressure pressure = parse_pressure("8@4K/eval");
  const auto touches = [&](TouchOrder order, std::uint64_t seed) {
    const StreamOptions options{.pressure = pressure, .pressure_seed = seed, .touches = order};
    std::vector<std::uint64_t> lines = Replayed(traced_module("empty"), {&block, 1}, options).touched();
    EXPECT_LT(std::ranges::max(lines), 64u);
    return lines;
  };
  const std::vector<std::uint64_t> cyclic = touches(TouchOrder::cyclic, 1);
  const std::vector<std::uint64_t> independent = touches(TouchOrder::independent, 1);
  ASSERT_GT(cyclic.size(), 128u);
  EXPECT_EQ(independent.size(), cyclic.size());
  EXPECT_EQ(independent, touches(TouchOrder::independent, 1));
  EXPECT_NE(independent, touches(TouchOrder::independent, 2));
  // Among as many touches as the block has lines: all of them, or about 1 - 1/e.
  const auto distinct = [](const std::vector<std::uint64_t>& lines) {
    return std::set<std::uint64_t>(lines.begin(), lines.begin() + 64).size();
  };
  EXPECT_EQ(distinct(cyclic), 64u);
  EXPECT_NEAR(static_cast<double>(distinct(independent)), 64 * 0.63, 10);
}

TEST_F(AccessStreamTest, ABoardCanBeRestarted) {
  const TraceBlock middle = game.part(5, 25);  // no root among them
  for (const char* id : {"magic_fancy", "rotated_hyatt"}) {
    const Plugin method = traced_module(id);
    const AddressSpace space(method.tables(), Pressure{}, false);
    AccessStream stream(method.descriptor(), space);
    for (unsigned pass = 0; pass < 2; ++pass) {
      EventRecorder recorder;
      EventConsumer* const consumer = &recorder;
      stream.restart_board();
      stream.replay({&middle, 1}, {&consumer, 1});
      EXPECT_EQ(stream_accesses(recorder, space), kernel_accesses(method.descriptor(), middle)) << id;
    }
  }
}

TEST_F(AccessStreamTest, RefusesATimedModuleAndATableThatIsNotListed) {
  const Plugin timed = module_named("magic_fancy");
  const AddressSpace space(timed.tables(), Pressure{}, false);
  EXPECT_THROW(AccessStream(timed.descriptor(), space), UserError);
  const Plugin method = traced_module("magic_fancy");
  const std::vector<TableInfo> tables = method.tables();
  const AddressSpace first_only({tables.data(), 1}, Pressure{}, false);
  EXPECT_THROW(record(method, first_only, {&block, 1}), UserError);
}

TEST(AddressSpace, KeepsAlignmentAndPageSizesApart) {
  const TableInfo tables[] = {{"small", nullptr, 100},
                              {"large", nullptr, 100'000},
                              {"middle", nullptr, 64u << 10},
                              {"largest", nullptr, 3u << 20}};
  const Pressure pressure = parse_pressure("64@256K/node");
  for (const bool large_pages : {false, true}) {
    const AddressSpace space(tables, pressure, large_pages);
    const std::vector<Region>& r = space.regions();
    ASSERT_EQ(r.size(), 6u);
    EXPECT_EQ(r[0].name, "small");
    EXPECT_EQ(r[2].address, r[0].address + 128);  // 64-byte alignment
    EXPECT_EQ(r[1].address % (2u << 20), 0u);
    EXPECT_EQ(r[3].address, r[1].address + (2u << 20));
    EXPECT_EQ(space.on_large_page(r[0].address), false);
    EXPECT_EQ(space.on_large_page(r[1].address), large_pages);
    EXPECT_EQ(space.on_large_page(r[4].address), large_pages);
    EXPECT_EQ(space.on_large_page(r[5].address), false);
    for (std::size_t i = 0; i < r.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_TRUE(r[i].address + r[i].bytes <= r[j].address || r[j].address + r[j].bytes <= r[i].address);
      }
    }
    EXPECT_EQ(space.end(), r[5].address + r[5].bytes);
  }
}

class ExperimentTest : public testing::Test {
 protected:
  static Trace random_trace() {
    const std::string path = testing::TempDir() + "/experiment.trace";
    build_random_trace(path, {.nodes = 3000, .seed = 5});
    return Trace::open(path);
  }

  /// The whole trace as one segment.
  std::vector<ReplaySegment> whole() const { return {trace_.blocks()}; }

  /// Its nodes in segments of so many.
  struct Cut {
    std::vector<TraceBlock> blocks;
    std::vector<ReplaySegment> segments;
  };
  Cut cut(std::uint32_t nodes) const {
    Cut cut;
    for (const TraceBlock& block : trace_.blocks()) {
      const std::uint8_t* square = block.squares;
      for (std::uint32_t first = 0; first < block.nodes; first += nodes) {
        TraceBlock part{block.occupied + first, block.tags + first,
                        block.runs + first,     square,
                        block.sliders + first,  std::min(nodes, block.nodes - first)};
        for (std::uint32_t i = 0; i < part.nodes; ++i) part.queries += queries_in(part.runs[i]);
        square += part.queries;
        cut.blocks.push_back(part);
      }
    }
    for (const TraceBlock& block : cut.blocks) cut.segments.emplace_back(&block, 1);
    return cut;
  }

  const Trace trace_ = random_trace();
};

Experiment experiment(const std::string& caches, bool cold, const std::string& pressure = "isolated") {
  return {.caches = {parse_cache_system(caches)}, .pressure = parse_pressure(pressure), .cold = cold};
}

TEST_F(ExperimentTest, WarmTablesThatFitMissNothing) {
  const Plugin pext = traced_module("magic_fancy");
  const Experiment warm = experiment("L1=2M/16,L2=4M/16,DTLB=1024,STLB=2048/8", false);
  const Observation seen = observe(pext, whole(), warm);
  const SimulatedCache& cache = seen.caches.front();
  EXPECT_EQ(seen.queries, trace_.queries());
  EXPECT_GT(cache.counts.at(Level::l1).accesses.of_method(), 0u);
  for (const LevelCounts& level : cache.counts.levels) EXPECT_EQ(level.misses.total(), 0u);
  // What was apart is what no cold cache can have: every line that the method reads, once.
  EXPECT_EQ(cache.cold_compulsory(Level::l1), seen.coverage->lines());
  EXPECT_EQ(cache.cold_compulsory(Level::l2), seen.coverage->lines());
  EXPECT_GT(cache.cold_compulsory(Level::dtlb), 0u);
}

TEST_F(ExperimentTest, EveryQueryCountsOnceWhateverTheWindows) {
  for (const char* id : {"magic_fancy", "rotated_hyatt"}) {
    const Plugin method = traced_module(id);
    const Observation cold = observe(method, whole(), experiment("L1=32K/8", true));
    for (const std::uint32_t nodes : {64u, 1000u}) {
      const Observation warm = observe(method, cut(nodes).segments, experiment("L1=32K/8", false));
      EXPECT_EQ(warm.queries, cold.queries);
      // The trace consists of roots, so that a board is built at every node.
      EXPECT_EQ(warm.caches.front().counts.at(Level::l1).accesses.of_method(),
                cold.caches.front().counts.at(Level::l1).accesses.of_method());
      EXPECT_EQ(warm.caches.front().counts.queries, cold.queries);
      EXPECT_EQ(warm.caches.front().cold_compulsory(Level::l1), cold.caches.front().cold_compulsory(Level::l1));
      EXPECT_EQ(warm.coverage->lines(), cold.coverage->lines());
    }
  }
}

TEST_F(ExperimentTest, SmallWindowsFitWhereTheWholeDoesNot) {
  const Plugin method = traced_module("magic_plain");
  const Experiment warm = experiment("L1=32K/512", false);
  const auto misses = [&](const std::vector<ReplaySegment>& segments) {
    return observe(method, segments, warm).caches.front().counts.at(Level::l1).misses.of_method();
  };
  EXPECT_EQ(misses(cut(8).segments), 0u);  // at most 512 lines a segment
  EXPECT_GT(misses(whole()), trace_.queries() / 10);
}

TEST_F(ExperimentTest, CausesAddUpWithoutCompulsoryOnes) {
  const Plugin method = traced_module("magic_plain");
  const Observation seen = observe(method, whole(), experiment("skylake", false));
  for (const LevelCounts& level : seen.caches.front().counts.levels) {
    const ThreeCs cs = level.three_cs();
    EXPECT_EQ(cs.compulsory, 0);
    EXPECT_EQ(cs.capacity + cs.conflict, static_cast<std::int64_t>(level.misses.total()));
  }
}

TEST_F(ExperimentTest, ADrawHasPlacesOfItsOwnTheSameTlbsAndOnePassOrTwo) {
  const Plugin method = traced_module("magic_plain");
  const Cut cut = ExperimentTest::cut(500);
  for (const bool cold : {false, true}) {
    Experiment drawn = experiment("skylake", cold, "32@8M/node");
    drawn.draws = 3;
    const Observation seen = observe(method, cut.segments, drawn);
    const AddressSpace space(method.tables(), drawn.pressure, false);
    Simulator third(drawn.caches.front(), space, {.placement_seed = 3});
    EventConsumer* const consumer = &third;
    AccessStream stream(method.descriptor(), space, {.pressure = drawn.pressure});
    for (const ReplaySegment segment : cut.segments) {
      for (unsigned pass = cold ? 1 : 0; pass < 2; ++pass) {
        third.set_warming_up(pass == 0);
        stream.replay(segment, {&consumer, 1});
      }
    }
    for (unsigned level = 0; level < level_count; ++level) {
      const LevelCounts& counts = seen.caches[2].counts.levels[level];
      const LevelCounts& expected = third.counts().levels[level];
      EXPECT_EQ(counts.misses.of_method(), expected.misses.of_method());
      EXPECT_EQ(counts.compulsory.of_method(), expected.compulsory.of_method());
      EXPECT_EQ(counts.accesses.total(), expected.accesses.total());
      EXPECT_EQ(seen.caches[2].warm_up.levels[level].accesses.total() == 0, cold);
    }
    const auto l2_misses = [&](unsigned draw) { return seen.caches[draw].counts.at(Level::l2).misses.total(); };
    EXPECT_TRUE(cold || l2_misses(0) != l2_misses(1));
  }
}

TEST_F(ExperimentTest, TakesTheFirstWindows) {
  const Cut cut = ExperimentTest::cut(500);
  const std::uint64_t two = std::uint64_t{cut.blocks[0].queries} + cut.blocks[1].queries;
  EXPECT_EQ(first_segments(cut.segments, two).size(), 2u);
  EXPECT_EQ(first_segments(cut.segments, two + 1).size(), 3u);
  EXPECT_EQ(first_segments(cut.segments, 0).size(), 0u);
  EXPECT_EQ(first_segments(cut.segments, UINT64_MAX).size(), cut.segments.size());
}

}  // namespace
}  // namespace slidebench
