// SPDX-License-Identifier: MIT
//
// perft with PEXT. Apart from the others: compiled for BMI2.
#include <gtest/gtest.h>

#include "harness/engine/test_perft_counts.hpp"
#include "methods/pext/pext.hpp"

namespace slidebench::engine {
namespace {

class PextPerft : public testing::Test {
 protected:
  void SetUp() override {
    if (!__builtin_cpu_supports("bmi2")) GTEST_SKIP() << "this CPU has no BMI2";
  }
};

TEST_F(PextPerft, ShallowCounts) {
  for (const PerftCount& expected : shallow_counts) expect_count<Pext>(expected);
}

TEST_F(PextPerft, CountsOfOneRule) {
  for (const PerftCount& expected : rule_counts) expect_count<Pext>(expected);
}

}  // namespace
}  // namespace slidebench::engine
