// SPDX-License-Identifier: MIT
#include "harness/simulator/experiment.hpp"

#include <gtest/gtest.h>

#include "harness/plugin/test_modules.hpp"
#include "harness/simulator/access_stream.hpp"
#include "harness/simulator/cache_spec.hpp"
#include "harness/trace/random_trace.hpp"

namespace slidebench {
namespace {

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
