// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "harness/simulator/stream_detector.hpp"
#include "harness/simulator/test_rig.hpp"

namespace slidebench {
namespace {

struct Request {
  std::uint64_t line;
  std::vector<std::uint64_t> fetched;
};

void expect_fetched(StreamDetector detector, const std::vector<Request>& requests) {
  for (const auto& [line, fetched] : requests) {
    const std::span<const std::uint64_t> lines = detector.request(line);
    EXPECT_EQ(std::vector<std::uint64_t>(lines.begin(), lines.end()), fetched) << line;
  }
}

TEST(StreamDetector, StartsAtTheThirdLineInARow) {
  expect_fetched(StreamDetector(64), {{10, {}}, {11, {}}, {11, {}}, {12, {13, 14}}, {13, {15, 16}}});
  expect_fetched(StreamDetector(64), {{40, {}}, {39, {}}, {38, {37, 36}}});
}

TEST(StreamDetector, BeginsAnewAfterAJumpOrATurn) {
  expect_fetched(StreamDetector(64),
                 {{10, {}}, {11, {}}, {20, {}}, {21, {}}, {22, {23, 24}}, {21, {}}, {20, {19, 18}}});
}

TEST(StreamDetector, StaysWithinThePage) {
  // 64 is another page, and so another stream.
  expect_fetched(StreamDetector(64), {{60, {}}, {61, {}}, {62, {63}}, {63, {}}, {64, {}}});
}

TEST(StreamDetector, RunsTwentyLinesAhead) {
  StreamDetector detector(64);
  for (std::uint64_t line = 0; line < 20; ++line) detector.request(line);
  expect_fetched(detector, {{20, {39, 40}}, {21, {41}}, {22, {42}}});
}

TEST(StreamDetector, KeepsThirtyTwoPages) {
  for (const std::uint64_t others : {31u, 32u}) {
    StreamDetector detector(64);
    for (const std::uint64_t line : {0u, 1u}) detector.request(line);
    for (std::uint64_t page = 1; page <= others; ++page) detector.request(64 * page);
    EXPECT_EQ(detector.request(2).empty(), others == 32) << others;
  }
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
  // 21 20 11 10 are left: 0 and 1 had to go.
  EXPECT_EQ(misses_after("L1=256/full,PREFETCH=next-line", {0, 10, 20}, Level::l1, {0}), 1u);
  EXPECT_EQ(misses_after("L1=256/full", {0, 10, 20}, Level::l1, {0}), 0u);
}

TEST(NextLine, StaysWithinThePage) {
  EXPECT_EQ(misses_after("L1=256/full,PREFETCH=next-line", {}, Level::l1, {63, 64}), 2u);
}

TEST(NextLine, FillsL2AsWell) {
  const std::string caches = "L1=256/full,L2=1K/full,PREFETCH=next-line";
  EXPECT_EQ(misses_after(caches, {0, 8, 16, 24}, Level::l1, {1}), 1u);
  EXPECT_EQ(misses_after(caches, {0, 8, 16, 24}, Level::l2, {1}), 0u);
}

TEST(Stream, BringsLinesIntoL2) {
  Rig rig("L1=64/full,L2=4K/full,L3=8K/full,PREFETCH=stream");
  EXPECT_EQ(rig.misses_of(Level::l2, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), 3u);
  EXPECT_EQ(rig.counts().at(Level::l1).misses.total(), 10u);
  EXPECT_EQ(rig.counts().at(Level::l2).accesses.total(), 10u);
  EXPECT_EQ(rig.counts().at(Level::l3).misses.total(), 3u);
  EXPECT_EQ(rig.counts().prefetched.total(), 16u);  // 3 to 18
  EXPECT_EQ(rig.counts().useful_prefetches.total(), 7u);
  // The third line again goes on where the stream was: nothing new to fetch but 20 lines ahead.
  EXPECT_EQ(rig.misses_of(Level::l2, {10, 11, 12, 13, 14, 15, 16, 17, 18}), 0u);
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
