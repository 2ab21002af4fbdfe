// SPDX-License-Identifier: MIT
#include "harness/counters/event_counters.hpp"

#include <gtest/gtest.h>

namespace slidebench {
namespace {

using Passes = std::vector<std::vector<std::size_t>>;

bool always(const std::vector<std::size_t>&) { return true; }

TEST(PerQuery, subtracts_the_empty_loop) {
  EXPECT_DOUBLE_EQ(per_query({1500, 1000}, {500, 1000}).value(), 1.0);
  EXPECT_DOUBLE_EQ(per_query({500, 1000}, {500, 1000}).value(), 0.0);
}

TEST(PerQuery, takes_an_empty_loop_of_other_length) {
  EXPECT_DOUBLE_EQ(per_query({1500, 1000}, {1000, 2000}).value(), 1.0);
}

TEST(PerQuery, keeps_a_negative_difference) { EXPECT_DOUBLE_EQ(per_query({400, 1000}, {500, 1000}).value(), -0.1); }

TEST(PerQuery, absent_is_not_zero) {
  EXPECT_FALSE(per_query({std::nullopt, 10}, {1, 10}));
  EXPECT_FALSE(per_query({1, 10}, {std::nullopt, 10}));
  EXPECT_FALSE(per_query({2, 0}, {1, 10}));
  EXPECT_FALSE(per_query({2, 10}, {1, 0}));
}

TEST(PlanPasses, fills_each_pass_to_the_limit) {
  EXPECT_EQ(plan_passes(7, 4, always), (Passes{{0, 1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(plan_passes(4, 4, always), (Passes{{0, 1, 2, 3}}));
  EXPECT_EQ(plan_passes(0, 4, always), Passes{});
}

TEST(PlanPasses, keeps_conflicting_events_apart) {
  const auto zero_hates_one = [](const std::vector<std::size_t>& pass) { return !(pass[0] == 0 && pass.back() == 1); };
  EXPECT_EQ(plan_passes(4, 4, zero_hates_one), (Passes{{0, 2, 3}, {1}}));
}

TEST(PlanPasses, gives_each_event_its_own_pass_if_nothing_fits_together) {
  const auto alone = [](const std::vector<std::size_t>& pass) { return pass.size() == 1; };
  EXPECT_EQ(plan_passes(3, 4, alone), (Passes{{0}, {1}, {2}}));
}

}  // namespace
}  // namespace slidebench
