// SPDX-License-Identifier: MIT
#include "harness/counters/event_counters.hpp"

#include <gtest/gtest.h>

namespace slidebench {
namespace {

using Passes = std::vector<std::vector<std::size_t>>;

TEST(PerQuery, subtracts_the_empty_loop) {
  EXPECT_DOUBLE_EQ(per_query({1500, 1000}, {500, 1000}).value(), 1.0);
  EXPECT_DOUBLE_EQ(per_query({1500, 1000}, {1000, 2000}).value(), 1.0) << "of another length";
  EXPECT_DOUBLE_EQ(per_query({400, 1000}, {500, 1000}).value(), -0.1) << "a negative difference is kept";
  // Absent is not zero.
  EXPECT_FALSE(per_query({std::nullopt, 10}, {1, 10}));
  EXPECT_FALSE(per_query({1, 10}, {std::nullopt, 10}));
  EXPECT_FALSE(per_query({2, 0}, {1, 10}));
  EXPECT_FALSE(per_query({2, 10}, {1, 0}));
}

TEST(PlanPasses, keeps_conflicting_events_apart) {
  const auto zero_hates_one = [](const std::vector<std::size_t>& pass) { return !(pass[0] == 0 && pass.back() == 1); };
  EXPECT_EQ(plan_passes(4, 4, zero_hates_one), (Passes{{0, 2, 3}, {1}}));
}

}  // namespace
}  // namespace slidebench
