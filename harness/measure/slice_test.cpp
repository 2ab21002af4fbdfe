// SPDX-License-Identifier: MIT
#include "harness/measure/slice.hpp"

#include <gtest/gtest.h>

#include "harness/measure/contender.hpp"

namespace slidebench {
namespace {

TEST(TimeSlices, RunsThemInOrderWarmedAndAddsUpThePasses) {
  std::vector<int> order;
  std::vector<Slice> slices;
  for (int i = 0; i < 3; ++i) {
    slices.push_back({[&order, i] { order.push_back(-i); },
                      [&order, i] {
                        order.push_back(i);
                        return static_cast<std::uint64_t>(i);
                      },
                      static_cast<std::uint64_t>(i + 1)});
  }
  const std::vector<SliceTime> times = time_slices(slices);
  EXPECT_EQ(order, (std::vector<int>{0, 0, -1, 1, 1, -2, 2, 2, 2}));
  ASSERT_EQ(times.size(), 3u);
  EXPECT_EQ(times[2].checksum, 6u);
  for (const SliceTime& time : times) EXPECT_GT(time.time_ns, 0);
}

TEST(TimeSlices, OfNothingIsNothing) { EXPECT_TRUE(time_slices({}).empty()); }

TEST(Clock, AddsOneAtATime) { EXPECT_EQ(run_clock(16 * 1000), 16u * 1000); }

}  // namespace
}  // namespace slidebench
