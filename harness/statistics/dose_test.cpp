// SPDX-License-Identifier: MIT
#include "harness/statistics/dose.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace slidebench {
namespace {

/// An engine of 500 ns a node that pays so many more for a dose; four builds, which differ by 2 %.
CellSamples dosed(const std::function<double(const Dose&)>& extra_ns) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal(0, 0.004);
  std::vector<Sample> samples;
  for (unsigned l = 0; l < 16; ++l) {
    for (unsigned r = 0; r < 6; ++r) {
      for (const Dose& dose : usual_doses()) {
        Sample s;
        s.process_run = l;
        s.round = r;
        s.contender = s.method = to_string(dose);
        s.role = dose.kind.empty() ? ContenderRole::reference : ContenderRole::method;
        s.placement = l % 4;
        s.cell = {.workload = "duel", .trace = "nodes1000"};
        s.queries = s.nodes = 1000;
        s.time_ns = 1000 * (500 + extra_ns(dose)) * (1 + 0.02 * (l % 4)) * std::exp(normal(random));
        samples.push_back(s);
      }
    }
  }
  return sort_into_cells(samples).front();
}

TEST(Dose, FindsWhatAUnitCosts) {
  const DoseResult result = fit_doses(dosed([](const Dose& dose) {
    return dose.amount * (dose.kind == "cycles" ? 0.5 : dose.kind == "lines" ? 12.0 : 0.0);
  }));
  EXPECT_NEAR(result.ns_per_node, 515, 5);
  ASSERT_EQ(result.slopes.size(), 3u);
  const double truths[] = {0.5, 0.0, 12.0};
  for (std::size_t i = 0; i < 3; ++i) {
    const DoseSlope& slope = result.slopes[i];
    EXPECT_LE(slope.ns_per_node.low, truths[i] * 1.03) << slope.kind;
    EXPECT_GE(slope.ns_per_node.high, truths[i]) << slope.kind;
    EXPECT_LT(slope.ns_per_node.high - slope.ns_per_node.low, slope.kind == "lines" ? 4 : 0.3) << slope.kind;
    EXPECT_TRUE(slope.is_straight()) << slope.kind;
  }
}

TEST(Dose, SeesWhatIsNotStraight) {
  const DoseResult result =
      fit_doses(dosed([](const Dose& dose) { return dose.kind == "cycles" && dose.amount > 12 ? 40.0 : 0.0; }));
  EXPECT_FALSE(result.slopes.at(0).is_straight());
  EXPECT_TRUE(result.slopes.at(1).is_straight());
  EXPECT_NEAR(result.slopes.at(0).points.at(2).ns_per_node.value, 40, 3);
}

TEST(Dose, NamesAreThoseThatEnginesRead) {
  EXPECT_EQ(to_string(Dose{}), "none");
  EXPECT_EQ(to_string(Dose{"lines", 2}), "lines=2");
  EXPECT_EQ(usual_doses().size(), 9u);
}

}  // namespace
}  // namespace slidebench
