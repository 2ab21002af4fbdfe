// SPDX-License-Identifier: MIT
#include "harness/counters/counter_math.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace slidebench {
namespace {

using Passes = std::vector<std::vector<std::size_t>>;

bool always(const std::vector<std::size_t>&) { return true; }

TEST(PerQuery, subtracts_the_empty_loop) {
  EXPECT_DOUBLE_EQ(per_query(1500, 500, 1000).value(), 1.0);
  EXPECT_DOUBLE_EQ(per_query(500, 500, 1000).value(), 0.0);
}

TEST(PerQuery, keeps_a_negative_difference) { EXPECT_DOUBLE_EQ(per_query(400, 500, 1000).value(), -0.1); }

TEST(PerQuery, keeps_the_last_digit_of_large_counts) {
  const std::uint64_t large = std::numeric_limits<std::uint64_t>::max();
  EXPECT_DOUBLE_EQ(per_query(large, large - 1, 1).value(), 1.0);
  EXPECT_DOUBLE_EQ(per_query(large - 1, large, 1).value(), -1.0);
}

TEST(PerQuery, absent_is_not_zero) {
  EXPECT_FALSE(per_query(std::nullopt, 1, 10));
  EXPECT_FALSE(per_query(1, std::nullopt, 10));
  EXPECT_FALSE(per_query(2, 1, 0));
}

TEST(CheckCount, holds_at_the_tolerance_and_fails_beyond_it) {
  EXPECT_EQ(check_count(110, 100, 0.125).verdict, Consistency::consistent);
  EXPECT_EQ(check_count(875, 1000, 0.125).verdict, Consistency::consistent);
  EXPECT_EQ(check_count(874, 1000, 0.125).verdict, Consistency::inconsistent);
  EXPECT_EQ(check_count(1126, 1000, 0.125).verdict, Consistency::inconsistent);
  EXPECT_DOUBLE_EQ(check_count(50, 100, 0.125).ratio.value(), 0.5);
}

TEST(CheckCount, says_nothing_without_a_count_or_an_expectation) {
  EXPECT_EQ(check_count(std::nullopt, 100, 0.1).verdict, Consistency::not_measured);
  EXPECT_FALSE(check_count(std::nullopt, 100, 0.1).ratio);
  EXPECT_EQ(check_count(5, 0, 0.1).verdict, Consistency::not_measured);
}

TEST(CheckNullFills, expects_a_fill_for_every_line_of_the_trace) {
  EXPECT_EQ(check_empty_fills(1'050, 64'000).verdict, Consistency::consistent);
  EXPECT_EQ(check_empty_fills(1'200, 64'000).verdict, Consistency::inconsistent);
  EXPECT_EQ(check_empty_fills(500, 64'000, 128).verdict, Consistency::consistent);
  EXPECT_EQ(check_empty_fills(500, 64'000, 0).verdict, Consistency::not_measured);
}

TEST(CheckNullFills, catches_an_event_that_never_counts) {
  EXPECT_EQ(check_empty_fills(0, 64'000).verdict, Consistency::inconsistent);
}

TEST(CheckRepeatedInstructions, wants_a_tenth_of_a_per_cent) {
  EXPECT_EQ(check_repeated_instructions(1'000'000, 1'000'900).verdict, Consistency::consistent);
  EXPECT_EQ(check_repeated_instructions(1'000'000, 1'002'000).verdict, Consistency::inconsistent);
  EXPECT_EQ(check_repeated_instructions(std::nullopt, 1).verdict, Consistency::not_measured);
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
