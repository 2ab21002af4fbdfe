// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <random>

#include "harness/simulator/log_bins.hpp"
#include "harness/simulator/reuse_analyser.hpp"
#include "harness/simulator/stack_distance.hpp"
#include "harness/simulator/test_rig.hpp"

namespace slidebench {
namespace {

/// Mostly near the last one, sometimes anywhere: short and long distances.
Lines local_lines(std::size_t count, std::uint32_t lines) {
  std::mt19937_64 random(3);
  Lines accesses(count);
  std::uint64_t place = 0;
  for (std::uint32_t& line : accesses) {
    place = random() % 8 == 0 ? random() % lines : (place + random() % 5) % lines;
    line = static_cast<std::uint32_t>(place);
  }
  return accesses;
}

TEST(LogBins, CoverTheNumbersInOrder) {
  for (std::uint64_t value = 0; value < 100'000; ++value) {
    const std::size_t bin = LogBins::index(value);
    ASSERT_LE(LogBins::lower(bin), value);
    ASSERT_LT(value, LogBins::lower(bin + 1));
    const std::uint64_t width = LogBins::lower(bin + 1) - LogBins::lower(bin);
    ASSERT_TRUE(value < LogBins::exact ? bin == value : width * 16 <= LogBins::lower(bin)) << value;
  }
  EXPECT_EQ(LogBins::lower(LogBins::index(std::uint64_t{1} << 40)), std::uint64_t{1} << 40);
}

TEST(StackDistance, AgreesWithBruteForce) {
  // Long enough to be renumbered a few times; the clock ticks at every third access.
  const Lines accesses = local_lines(40'000, 300);
  StackDistance distances;
  std::list<std::uint32_t> stack;
  std::vector<std::uint32_t> last_tick(300);
  for (std::uint32_t i = 0; i < accesses.size(); ++i) {
    const std::uint32_t line = accesses[i];
    const StackDistance::Reuse reuse = distances.access(line, i / 3);
    const auto found = std::find(stack.begin(), stack.end(), line);
    ASSERT_EQ(reuse.first, found == stack.end());
    if (!reuse.first) {
      ASSERT_EQ(reuse.distance, static_cast<std::uint64_t>(std::distance(stack.begin(), found)));
      ASSERT_EQ(reuse.elapsed, i / 3 - last_tick[line]);
      stack.erase(found);
    }
    stack.push_front(line);
    last_tick[line] = i / 3;
  }
  EXPECT_EQ(distances.lines(), stack.size());
}

TEST(StackDistance, GrowsWithTheLinesAlone) {
  // 20,000 lines are more than the numbers it starts with: a sweep has distance 19,999 throughout.
  StackDistance distances;
  for (unsigned pass = 0; pass < 3; ++pass) {
    for (std::uint32_t line = 0; line < 20'000; ++line) {
      const StackDistance::Reuse reuse = distances.access(line, 0);
      ASSERT_EQ(reuse.first, pass == 0);
      ASSERT_TRUE(pass == 0 || reuse.distance == 19'999) << reuse.distance;
    }
  }
}

/// What a simulator of such caches counts.
std::uint64_t simulated_misses(const AddressSpace& space, const std::vector<MemoryEvent>& events,
                               const std::string& caches, Level level = Level::l1) {
  Simulator simulator(parse_cache_system(caches), space);
  simulator.consume(events);
  return simulator.counts().at(level).misses.of_method();
}

std::string fully_associative_l1(std::uint32_t lines) { return "L1=" + std::to_string(64 * lines) + "/full"; }

TEST(Reuse, ImpliesTheMissesOfEveryFullyAssociativeCache) {
  const AddressSpace space = one_table(64 * 1000);
  const std::vector<MemoryEvent> events = read_lines(space, local_lines(30'000, 1000));
  ReuseAnalyser reuse;
  reuse.consume(events);
  for (const std::uint32_t lines : {1u, 2u, 3u, 7u, 16u, 17u, 64u, 100u, 333u, 512u, 900u, 999u, 1000u, 2000u}) {
    EXPECT_EQ(reuse.misses(lines), simulated_misses(space, events, fully_associative_l1(lines))) << lines;
  }
  EXPECT_EQ(reuse.misses(0), reuse.accesses());
  EXPECT_EQ(reuse.misses(1'000'000), reuse.compulsory());
}

TEST(Reuse, CountsPagesToo) {
  const AddressSpace space = one_table(64 * 4096);
  const std::vector<MemoryEvent> events = read_lines(space, local_lines(20'000, 4096));
  ReuseAnalyser reuse(4096);
  reuse.consume(events);
  for (const std::uint32_t entries : {1u, 4u, 16u, 32u, 64u}) {
    const std::string caches = "L1=32K/8,DTLB=" + std::to_string(entries);
    EXPECT_EQ(reuse.misses(entries), simulated_misses(space, events, caches, Level::dtlb)) << entries;
  }
}

TEST(Reuse, IgnoresPressureAndTrace) {
  ReuseAnalyser reuse;
  reuse.consume(std::vector<MemoryEvent>{access_at(0), access_at(640, 8, pressure_owner),
                                         access_at(1280, 8, trace_owner), access_at(64, 8, update_owner), access_at(0),
                                         access_at(60, 8)});
  EXPECT_EQ(reuse.accesses(), 5u);
  EXPECT_EQ(reuse.compulsory(), 2u);
  EXPECT_EQ(reuse.misses(1), 4u);
}

TEST(Reuse, IsExactUnderPressureAndGrowsFromNone) {
  // A table of 40 lines and a block under pressure: at every event, so many touches of the block.
  constexpr std::uint32_t touches = 7, block_lines = 50;
  const TableInfo table{"table", nullptr, 40 * 64};
  Pressure pressure;
  pressure.parts.push_back({.lines = touches, .block_bytes = 64ull * block_lines});
  const AddressSpace space(std::span(&table, 1), pressure, false);
  const std::uint64_t block = space.regions()[space.pressure_region()].address;
  std::vector<MemoryEvent> events;
  const Lines lines = local_lines(60'000, 40);
  std::uint64_t cursor = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i % 9 == 0) {
      const bool is_event = i % 2 == 0;
      const NodeTag tag = is_event ? evaluated_flag : 0;
      events.push_back({tag, 0, 0, 0, MemoryEvent::Kind::node});
      for (std::uint32_t touch = 0; is_event && touch < touches; ++touch) {
        events.push_back(access_at(block + 64 * (cursor++ % block_lines), 8, pressure_owner));
      }
    }
    events.push_back(access_at(space.regions()[0].address + 64ull * lines[i]));
  }
  ReuseAnalyser reuse;
  reuse.consume(events);
  // All distances and nearly all gaps are below 64, where bins are exact, and gaps beyond fill the block anyway.
  for (std::uint32_t size = 1; size <= 100; size += 3) {
    const std::uint64_t simulated = simulated_misses(space, events, fully_associative_l1(size));
    EXPECT_NEAR(reuse.misses(size, {touches, block_lines}), static_cast<double>(simulated), 1e-6) << size;
  }
  EXPECT_NEAR(reuse.misses(20, Load{}), static_cast<double>(reuse.misses(20)), 1e-6);
  EXPECT_GT(reuse.misses(20, {16, 1000}), static_cast<double>(reuse.misses(20)));
}

}  // namespace
}  // namespace slidebench
