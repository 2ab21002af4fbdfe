// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "extras/model/ladder/core_costs.hpp"
#include "extras/model/ladder/latency_ladder.hpp"
#include "extras/model/predict/other_reads.hpp"
#include "extras/model/predict/prediction.hpp"
#include "harness/base/errors.hpp"
#include "harness/plugin/test_modules.hpp"
#include "harness/simulator/access_stream.hpp"
#include "harness/simulator/stack_distance.hpp"
#include "harness/trace/test_support.hpp"

namespace slidebench {
namespace {

TEST(LadderSizes, TwoAnOctaveInWholeLines) {
  EXPECT_EQ(ladder_sizes(16u << 10), (std::vector<std::uint64_t>{4096, 5824, 8192, 11584, 16384}));
  const std::vector<std::uint64_t> all = ladder_sizes(256u << 20);
  EXPECT_EQ(all.size(), 33u);
  EXPECT_EQ(all.back(), std::uint64_t{256} << 20);
  for (const std::uint64_t bytes : all) EXPECT_EQ(bytes % 64, 0u);
}

TEST(LadderSizes, RefusesWhatIsNoLadder) {
  EXPECT_EQ(ladder_sizes(4096), std::vector<std::uint64_t>{4096});
  EXPECT_THROW(ladder_sizes(4095), UserError);
  EXPECT_THROW(ladder_sizes(0), UserError);
  EXPECT_THROW(ladder_sizes(largest_ladder_bytes + 1), UserError);
}

TEST(RandomCycle, IsOneCycleThroughEverything) {
  for (const std::uint32_t n : {1u, 2u, 3u, 64u, 1000u}) {
    std::mt19937_64 random(n);
    const std::vector<std::uint32_t> next = random_cycle(n, random);
    std::vector<bool> seen(n);
    std::uint32_t at = 0;
    for (std::uint32_t step = 0; step < n; ++step) {
      EXPECT_FALSE(seen[at]) << "a shorter cycle among " << n;
      seen[at] = true;
      at = next[at];
    }
    EXPECT_EQ(at, 0u);
  }
}

TEST(RandomCycle, DrawsAllCyclesAlike) {
  // Four elements have 3! cycles; each should come up in a sixth of 6,000 draws, give or take four deviations.
  std::mt19937_64 random(1);
  std::map<std::vector<std::uint32_t>, int> found;
  for (int i = 0; i < 6000; ++i) ++found[random_cycle(4, random)];
  ASSERT_EQ(found.size(), 6u);
  for (const auto& [cycle, times] : found) EXPECT_NEAR(times, 1000, 4 * 29);
}

TEST(Ladder, HasEverySizeWithOrderedQuartilesAndWhatLiesBetweenTwoReads) {
  const std::vector<LadderStep> steps = measure_ladder({.max_bytes = 128u << 10, .seconds = 0.01});
  ASSERT_EQ(steps.size(), ladder_sizes(128u << 10).size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].bytes, ladder_sizes(128u << 10)[i]);
    EXPECT_EQ(steps[i].pages, "4k");
    EXPECT_GE(steps[i].chases, 3u);
    EXPECT_LE(steps[i].low_ns, steps[i].median_ns);
    EXPECT_LE(steps[i].median_ns, steps[i].high_ns);
  }
  EXPECT_EQ(steps.front().lines_between, 63 + RevisitedLines::lines);
  EXPECT_EQ(steps.front().pages_between, RevisitedLines::lines);
  EXPECT_EQ(steps[8].lines_between, 1023 + RevisitedLines::lines);
  EXPECT_EQ(steps[8].pages_between, 15 + RevisitedLines::lines);
}

TEST(RevisitedLines, AreChasedOnceRoundWhereverTheyLie) {
  std::mt19937_64 random(3);
  for (const bool large : {false, true}) {
    const auto others = std::make_shared<const OtherLines>(OtherLines{1u << 20, memory_for_chase(1u << 20, large)});
    RevisitedLines few(others, 4096, large, random);
    for (int move = 0; move < 20; ++move) {
      few.move(random);
      EXPECT_EQ(few.round_trip(), RevisitedLines::lines);
    }
  }
}

TEST(Ladder, RefusesABadPlan) {
  EXPECT_THROW(measure_ladder({.max_bytes = 64}), UserError);
  EXPECT_THROW(measure_ladder({.pages = {"1g"}}), UserError);
  EXPECT_THROW(measure_ladder({.pages = {}}), UserError);
  EXPECT_THROW(measure_ladder({.pages = {"4k", "4k"}}), UserError);
  EXPECT_THROW(measure_ladder({.seconds = 0}), UserError);
  EXPECT_THROW(measure_ladder({.seconds = std::numeric_limits<double>::quiet_NaN()}), UserError);
}

const std::vector<LadderStep> two_by_two{{4096, "4k", 0, 5, 65536, 63, 0, 1.25, 1.2, 1.5},
                                         {5824, "4k", 0, 5, 65536, 90, 1, 1.5, 1.25, 2},
                                         {4096, "2m", 1, 5, 65536, 63, 0, 1, 0.5, 1.5},
                                         {5824, "2m", 1, 5, 65536, 90, 1, 2, 1.5, 2.5}};

TEST(LadderCsv, HasALineAStep) {
  EXPECT_EQ(
      ladder_csv({two_by_two[0], two_by_two[3]}),
      "bytes,pages,large_page_share,chases,loads_per_chase,lines_between,pages_between,ns_per_load,ns_per_load_q1,"
      "ns_per_load_q3\n"
      "4096,4k,0.000,5,65536,63,0,1.2500,1.2000,1.5000\n"
      "5824,2m,1.000,5,65536,90,1,2.0000,1.5000,2.5000\n");
}

TEST(LadderTable, HasALineASizeAndAColumnAKindOfPage) {
  const std::string table = ladder_table(two_by_two);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 3);
  const std::string gap(17, ' ');
  EXPECT_NE(table.find("4 KiB" + gap + "1.25 [1.20, 1.50]" + gap + "1.00 [0.50, 1.50]\n"), std::string::npos) << table;
}

/// Nodes at random: makes and unmakes, some of them evaluated, with two queries each.
class RandomNodes {
 public:
  explicit RandomNodes(std::uint32_t nodes) {
    std::mt19937_64 random(7);
    for (std::uint32_t node = 0; node < nodes; ++node) {
      const Bitboard half = random();
      occupied_.push_back(half & random());
      const auto event = static_cast<NodeTag>(node == 0 ? NodeEvent::root : NodeEvent::make);
      tags_.push_back(static_cast<NodeTag>(event | (random() % 3 == 0 ? evaluated_flag : 0)));
      runs_.push_back(static_cast<RunLengths>(1u << 4 * static_cast<unsigned>(QueryKind::rook) |
                                              1u << 4 * static_cast<unsigned>(QueryKind::both)));
      squares_.push_back(static_cast<std::uint8_t>(random() % 64));
      squares_.push_back(static_cast<std::uint8_t>(random() % 64));
    }
    sliders_.resize(nodes);
    block_ = {occupied_.data(), tags_.data(), runs_.data(), squares_.data(), sliders_.data(), nodes, 2 * nodes};
  }
  Segment segment() const { return {&block_, 1}; }

 private:
  std::vector<Bitboard> occupied_;
  std::vector<NodeTag> tags_;
  std::vector<RunLengths> runs_;
  std::vector<std::uint8_t> squares_;
  std::vector<SliderSets> sliders_;
  TraceBlock block_{};
};

TEST(NeverCheaper, PoolsWhatGoesDown) {
  const std::vector<CostPoint> points = never_cheaper({{1, 1}, {2, 3}, {4, 2}, {8, 5}});
  EXPECT_EQ(points[0].ns, 1);
  EXPECT_EQ(points[1].ns, 2.5);
  EXPECT_EQ(points[2].ns, 2.5);
  EXPECT_EQ(points[3].ns, 5);
}

TEST(Interpolate, IsStraightInTheLogarithmAndFlatOutside) {
  const std::vector<CostPoint> points{{1024, 1}, {4096, 3}};
  EXPECT_EQ(interpolate(points, 10), 1);
  EXPECT_DOUBLE_EQ(interpolate(points, 2048), 2);
  EXPECT_EQ(interpolate(points, 1e9), 3);
}

TEST(ReadCosts, ChargesLinesByLargePagesAndPagesByWhatSmallOnesAdd) {
  MeasuredLadder ladder;
  for (double lines = 64; lines <= 1 << 18; lines *= 2) {
    const double ns = lines <= 512 ? 1 : 4;
    ladder.large_pages.push_back({lines, lines / 64, ns});
    ladder.small_pages.push_back({lines, lines / 64 + 63, ns + (lines / 64 + 63 > 72 ? 2 : 0)});
  }
  const ReadCosts costs(ladder);
  EXPECT_EQ(costs.line_ns(0), 0);
  EXPECT_EQ(costs.line_ns(400), 0);
  EXPECT_NEAR(costs.line_ns(10'000), 3, 1e-9);
  EXPECT_EQ(costs.page_ns(60), 0);
  EXPECT_NEAR(costs.page_ns(200), 2, 1e-9);
}

TEST(ReadCosts, WithoutLargePagesLinesPayForAll) {
  const ReadCosts costs({{{64, 1, 1}, {1 << 14, 256, 9}}, {}});
  EXPECT_NEAR(costs.line_ns(1 << 14), 8, 0.2);
  EXPECT_EQ(costs.page_ns(1000), 0);
}

const std::string ladder_head =
    "pages,large_page_share,lines_between,pages_between,ns_per_load,ns_per_load_q1,ns_per_load_q3\n";

TEST(LadderFile, IsReadByItsQuartilesOrRefusedWithItsName) {
  const test::TempFolder folder;
  const std::string path = folder / "ladder.csv";
  EXPECT_THROW(read_ladder(path), UserError);
  test::write_file(path, ladder_head + "4k,0.000,63,0,1,1,1\n4k,0.000,127,1,2,1.5,3\n2m,0.500,63,0,1,1,1\n");
  const MeasuredLadder ladder = read_ladder(path).high;
  ASSERT_EQ(ladder.small_pages.size(), 2u);
  EXPECT_EQ(ladder.small_pages[1].ns, 3);
  EXPECT_TRUE(ladder.large_pages.empty()) << "the kernel gave half of them";
  for (const std::string& text :
       {std::string(), std::string("a,b\n1,2\n"), ladder_head, ladder_head + "4k,0,x,1,2,2,2\n",
        ladder_head + "4k,0,63,0,0,0,0\n", ladder_head + "2m,1,63,0,2,2,2\n"}) {
    test::write_file(path, text);
    test::expect_complaint(path, [&] { read_ladder(path); });
  }
}

TEST(ReadPaths, SeesWhatIsReadAheadAndWhatInASecondStep) {
  const RandomNodes nodes(20'000);
  const Segment segment = nodes.segment();
  for (const auto& [id, second_step] : std::map<std::string, std::string>{
           {"magic_fancy", ""}, {"magic_byte", "sets"}, {"magic_perfect", "sets"}, {"kindergarten", ""}}) {
    const Plugin method = traced_module(id);
    const AddressSpace space(method.tables(), {}, false);
    const ReadPaths paths(method, space, {&segment, 1});
    for (std::uint16_t table = 0; table < space.table_count(); ++table) {
      EXPECT_EQ(paths.serial(table), space.regions()[table].name == second_step)
          << id << " " << space.regions()[table].name;
    }
    if (id != "magic_fancy") continue;
    const Region& records = space.regions()[1];
    ASSERT_EQ(records.name, "records");
    EXPECT_TRUE(paths.ahead(encode_query(QueryKind::rook, 0), records.address) ||
                paths.ahead(encode_query(QueryKind::rook, 0), records.address + 32));
    EXPECT_FALSE(paths.ahead(encode_query(QueryKind::rook, 0), space.regions()[0].address));
  }
}

/// All lines of a stream in one stack, whoever reads them.
class OneStack : public EventConsumer {
 public:
  explicit OneStack(std::uint16_t tables) : tables_(tables) {}
  void consume(std::span<const MemoryEvent> events) override {
    for (const MemoryEvent& event : events) {
      if (event.kind != MemoryEvent::Kind::access) continue;
      const std::uint64_t last = (event.address + event.bytes - 1) / cache_line_bytes;
      for (std::uint64_t line = event.address / cache_line_bytes; line <= last; ++line) {
        const StackDistance::Reuse reuse = stack_.access(static_cast<std::uint32_t>(line), 0);
        if (event.region < tables_) distances_.push_back(reuse.distance);
      }
    }
  }
  std::vector<std::uint64_t> take() { return std::exchange(distances_, {}); }

 private:
  std::uint16_t tables_;
  StackDistance stack_;
  std::vector<std::uint64_t> distances_;
};

TEST(OtherReads, AddsUpToTheStackDistanceAmongAllTouches) {
  const RandomNodes nodes(4'000);
  const Segment segment = nodes.segment();
  const Plugin method = traced_module("magic_fancy");
  for (const char* text : {"isolated", "3@16K/node", "20@64K/eval", "32@64K/eval/rows", "5@16K/node+16@1M/eval/rows"}) {
    const Pressure pressure = parse_pressure(text);
    const AddressSpace space(method.tables(), pressure, false);
    OneStack all(space.table_count());
    EventConsumer* const only = &all;
    AccessStream stream(method.descriptor(), space, {.pressure = pressure});
    stream.replay(segment, {&only, 1});
    all.take();
    stream.replay(segment, {&only, 1});
    const std::vector<std::uint64_t> simulated = all.take();

    const AddressSpace alone(method.tables(), {}, false);
    const SegmentProfile profile = profile_segment(method, alone, ReadPaths(method, alone, {&segment, 1}), segment);
    const OtherReads others(segment, pressure);
    ASSERT_EQ(profile.reads.size(), simulated.size()) << text;
    std::uint32_t read = 0;
    for (const ProfiledQuery& query : profile.queries) {
      for (; read < query.reads_end; ++read) {
        const ProfiledRead& r = profile.reads[read];
        ASSERT_EQ(r.lines + others.touched_between(r.line_node, query.node), static_cast<double>(simulated[read]))
            << text << ", read " << read;
      }
    }
  }
}

TEST(OtherReads, SpreadsTouchedLinesOverPages) {
  const RandomNodes nodes(100);
  const OtherReads others(nodes.segment(), parse_pressure("64@1M/node"));
  EXPECT_EQ(others.touched_between(3, 4), 64);
  EXPECT_NEAR(others.pages_between(3, 4), 256 * (1 - std::pow(1 - 64.0 / 16384, 64)), 1.1) << "and a page of the trace";
  EXPECT_EQ(others.touched_between(1, 200), 64 * 199);
  EXPECT_EQ(others.touches_at(5), 64u);
  EXPECT_EQ(others.touch_distance(), 16384);
}

constexpr OverlapBounds bounds{.window_instructions = 200, .reads_in_flight = 10};
constexpr Computation computation{.throughput_ns = 2, .latency_ns = 6, .instructions = 20};

/// What each of a thousand queries of the same cost takes.
double ns_per_query(const QueryCost& cost, bool chained, const OverlapBounds& within = bounds,
                    const Computation& computed = computation, double touch_ns = 0) {
  return MachineModel(within, computed, chained, touch_ns).run(std::vector<QueryCost>(1000, cost));
}

TEST(MachineModel, ComputationMissesOfAChainAndTouchesAddUp) {
  EXPECT_NEAR(ns_per_query({}, false), 2, 0.01);
  EXPECT_NEAR(ns_per_query({}, true), 6, 0.01);
  EXPECT_NEAR(ns_per_query({.chain_ns = 50, .chain_reads = 1}, true), 56, 0.1);
  EXPECT_NEAR(ns_per_query({.touches = 30}, false, bounds, computation, 2), 62, 0.5);
}

/// Ten queries are in flight: a read ahead of 40 ns is over before the nine chains before it are, one of 80 ns is not.
TEST(MachineModel, ReadsAheadHideBehindTheChain) {
  EXPECT_NEAR(ns_per_query({.ahead_ns = 40, .ahead_reads = 1}, true), 6, 0.2);
  EXPECT_GT(ns_per_query({.ahead_ns = 80, .ahead_reads = 1}, true), 7.5);
}

TEST(MachineModel, IndependentMissesOverlapUpToTheSlotsAndTheSegment) {
  const QueryCost miss{.chain_ns = 100, .chain_reads = 1};
  EXPECT_NEAR(ns_per_query(miss, false, {.window_instructions = 4000, .reads_in_flight = 10}), 10, 0.2);
  EXPECT_NEAR(ns_per_query(miss, false, {.window_instructions = 80, .reads_in_flight = 10}), 25, 2);
}

/// 2,000 instructions in 100 ns, of which the window holds 200: 10 ns of a miss of 50 are hidden.
TEST(MachineModel, ALongWayBetweenQueriesHidesWhatTheSegmentHolds) {
  const Computation busy{.throughput_ns = 100, .latency_ns = 0, .instructions = 2000};
  EXPECT_NEAR(ns_per_query({.chain_ns = 50, .chain_reads = 1}, false, bounds, busy), 140, 0.5);
}

TEST(Prediction, OfTablesInTheFirstLevelIsWhatIsComputed) {
  const RandomNodes nodes(300);
  const Plugin method = traced_module("kindergarten");
  const ProfiledSegments segments = profile(method, {nodes.segment()}, false);
  const ReadCosts flat({{{64, 1, 1}, {1 << 22, 1 << 16, 1}}, {}});
  const PredictedTime time = PressedQueries(segments, {}, {flat, flat, flat}).time(computation, true, bounds);
  EXPECT_NEAR(time.median, 6, 0.1);
  EXPECT_EQ(segments.profiles.front().queries.size(), 600u);
}

TEST(MemoryOverlap, FindsTheSegmentWhereReadsComeApart) {
  std::vector<SpacedReads> measured;
  for (double additions = 0; additions <= 512; additions += 32) {
    measured.push_back({additions, (additions > 200 ? 200.0 : 100.0) + 2 * additions * 0.05});
  }
  EXPECT_EQ(window_from(measured, 0.05), 224);
  EXPECT_EQ(window_from({{0, 100}, {32, 103}}, 0.05), 32) << "always together";
}

TEST(MemoryOverlap, IsMeasured) {
  EXPECT_GE(measure_overlap(1).reads, 1);
  EXPECT_GE(measure_misprediction_ns(1), 0);
}

}  // namespace
}  // namespace slidebench
