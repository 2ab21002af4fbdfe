// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "harness/simulator/stream_detector.hpp"
#include "harness/simulator/test_rig.hpp"

namespace slidebench {
namespace {

using Fetched = std::vector<std::uint64_t>;

Fetched fetched(StreamDetector& detector, std::uint64_t line) {
  const std::span<const std::uint64_t> lines = detector.request(line);
  return {lines.begin(), lines.end()};
}

TEST(StreamDetector, StartsAtTheThirdLineInARow) {
  StreamDetector up(64), down(64);
  EXPECT_EQ(fetched(up, 10), Fetched());
  EXPECT_EQ(fetched(up, 11), Fetched());
  EXPECT_EQ(fetched(up, 11), Fetched());
  EXPECT_EQ(fetched(up, 12), Fetched({13, 14}));
  EXPECT_EQ(fetched(up, 13), Fetched({15, 16}));
  for (const std::uint64_t line : {40u, 39u}) EXPECT_EQ(fetched(down, line), Fetched());
  EXPECT_EQ(fetched(down, 38), Fetched({37, 36}));
}

TEST(StreamDetector, BeginsAnewAfterAJumpOrATurn) {
  StreamDetector detector(64);
  for (const std::uint64_t line : {10u, 11u, 20u, 21u}) EXPECT_EQ(fetched(detector, line), Fetched());
  EXPECT_EQ(fetched(detector, 22), Fetched({23, 24}));
  EXPECT_EQ(fetched(detector, 21), Fetched());
  EXPECT_EQ(fetched(detector, 20), Fetched({19, 18}));
}

TEST(StreamDetector, StaysWithinThePage) {
  StreamDetector detector(64);
  for (const std::uint64_t line : {60u, 61u}) EXPECT_EQ(fetched(detector, line), Fetched());
  EXPECT_EQ(fetched(detector, 62), Fetched({63}));
  EXPECT_EQ(fetched(detector, 63), Fetched());
  EXPECT_EQ(fetched(detector, 64), Fetched());  // another page, another stream
}

TEST(StreamDetector, RunsTwentyLinesAhead) {
  StreamDetector detector(64);
  for (std::uint64_t line = 0; line < 20; ++line) detector.request(line);
  EXPECT_EQ(fetched(detector, 20), Fetched({39, 40}));
  EXPECT_EQ(fetched(detector, 21), Fetched({41}));
  EXPECT_EQ(fetched(detector, 22), Fetched({42}));
}

TEST(StreamDetector, KeepsThirtyTwoPages) {
  for (const std::uint64_t others : {31u, 32u}) {
    StreamDetector detector(64);
    for (const std::uint64_t line : {0u, 1u}) detector.request(line);
    for (std::uint64_t page = 1; page <= others; ++page) detector.request(64 * page);
    EXPECT_EQ(fetched(detector, 2).empty(), others == 32) << others;
  }
}

Lines ascending(std::uint32_t first, std::uint32_t count) {
  Lines lines;
  for (std::uint32_t i = 0; i < count; ++i) lines.push_back(first + i);
  return lines;
}

TEST(NextLine, AMissBringsTheNextLineAHitDoesNot) {
  Rig rig("L1=256/full,PREFETCH=next-line");
  EXPECT_EQ(rig.misses_of(Level::l1, {0, 1, 2, 3}), 2u);  // 1 and 3 are there already
  EXPECT_EQ(rig.counts().prefetched.total(), 2u);
  EXPECT_EQ(rig.counts().useful_prefetches.total(), 2u);
  EXPECT_EQ(rig.counts().at(Level::l1).accesses.total(), 4u);
  EXPECT_EQ(rig.misses_of(Level::l1, {0, 1, 2, 3}), 0u);
  EXPECT_EQ(rig.counts().useful_prefetches.total(), 0u);  // once each
}

TEST(NextLine, UselessLinesPushOutOthers) {
  Rig rig("L1=256/full,PREFETCH=next-line");
  rig.read({0, 10, 20});  // 21 20 11 10; 0 and 1 had to go
  EXPECT_EQ(rig.misses_of(Level::l1, {0}), 1u);
  Rig without("L1=256/full");
  without.read({0, 10, 20});
  EXPECT_EQ(without.misses_of(Level::l1, {0}), 0u);
}

TEST(NextLine, StaysWithinThePage) {
  Rig rig("L1=256/full,PREFETCH=next-line");
  EXPECT_EQ(rig.misses_of(Level::l1, {63, 64}), 2u);
}

TEST(NextLine, FillsL2AsWell) {
  Rig rig("L1=256/full,L2=1K/full,PREFETCH=next-line");
  rig.read({0, 8, 16, 24});
  EXPECT_EQ(rig.misses_of(Level::l1, {1}), 1u);
  EXPECT_EQ(rig.counts().at(Level::l2).misses.total(), 0u);
}

TEST(Stream, BringsLinesIntoL2) {
  Rig rig("L1=64/full,L2=4K/full,L3=8K/full,PREFETCH=stream");
  EXPECT_EQ(rig.misses_of(Level::l2, ascending(0, 10)), 3u);
  EXPECT_EQ(rig.counts().at(Level::l1).misses.total(), 10u);
  EXPECT_EQ(rig.counts().at(Level::l2).accesses.total(), 10u);
  EXPECT_EQ(rig.counts().at(Level::l3).misses.total(), 3u);
  EXPECT_EQ(rig.counts().prefetched.total(), 16u);  // 3 to 18
  EXPECT_EQ(rig.counts().useful_prefetches.total(), 7u);
  // The third line again goes on where the stream was: nothing new to fetch but 20 lines ahead.
  EXPECT_EQ(rig.misses_of(Level::l2, ascending(10, 9)), 0u);
}

TEST(Stream, TakesALineOutOfAVictimL3) {
  Rig rig("L1=64/full,L2=256/full,L3=1K/full:victim,PREFETCH=stream");
  rig.read({3, 20, 30, 40, 50});                  // 3 is in L3
  rig.read({0, 1, 2});                            // and is fetched now, with 4
  EXPECT_EQ(rig.misses_of(Level::l2, {3}), 0u);   // asks for 5 and 6 too; L2: 6 5 3 4
  EXPECT_EQ(rig.misses_of(Level::l3, {60}), 1u);  // 4 goes to L3
  EXPECT_EQ(rig.misses_of(Level::l3, {4}), 0u);
}

TEST(Stream, TheFirstReadOfAPrefetchedLineIsNoMissAndALaterOneNotCompulsory) {
  Rig rig("L1=64/full,L2=256/full,PREFETCH=stream");
  rig.read({0, 1, 2, 3});
  EXPECT_EQ(rig.counts().at(Level::l2).compulsory.total(), 3u);
  rig.read({20, 40, 60, 80});  // L2 forgets all of them
  EXPECT_EQ(rig.misses_of(Level::l2, {3}), 1u);
  EXPECT_EQ(rig.counts().at(Level::l2).compulsory.total(), 0u);
}

}  // namespace
}  // namespace slidebench
