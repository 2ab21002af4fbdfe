// SPDX-License-Identifier: MIT
//
// The published counts, read back through PAPI by the code that reads hardware events.
#include "harness/counters/simulated_counters.hpp"

#include <gtest/gtest.h>

#include <map>

#include "harness/counters/hardware_counters.hpp"

namespace slidebench {
namespace {

#ifdef SLIDEBENCH_TEST_EXPECTS_PAPI
std::map<std::string, CounterReading> by_metric(const std::vector<CounterReading>& readings) {
  std::map<std::string, CounterReading> map;
  for (const CounterReading& reading : readings) map[reading.metric] = reading;
  return map;
}

TEST(SimulatedCounters, ReadWhatWasPublished) {
  EventCounters counters = open_simulated_counters();
  ASSERT_TRUE(counters.available()) << counters.reason();
  published_values()[0] += 1'000'000;  // before the interval: must not be counted
  const auto readings = by_metric(counters.count([] {
    for (std::size_t i = 0; i < published_counts.size(); ++i) {
      published_values()[i] += static_cast<long long>(100 + i);
    }
  }));
  // Six events are read in two passes, and each pass runs the work.
  for (std::size_t i = 0; i < published_counts.size(); ++i) {
    const CounterReading& reading = readings.at(published_counts[i].metric);
    EXPECT_EQ(reading.value, 100 + i) << reading.metric;
    EXPECT_EQ(reading.source, "simulated");
    EXPECT_EQ(reading.event, std::string("sde:::slidebench::") + published_counts[i].event);
  }
}

TEST(SimulatedCounters, AnEventWithoutChangeReadsZero) {
  EventCounters counters = open_simulated_counters();
  ASSERT_TRUE(counters.available()) << counters.reason();
  for (const CounterReading& reading : counters.count([] {})) EXPECT_EQ(reading.value, 0u) << reading.metric;
}

TEST(SimulatedCounters, AMisspeltEventIsRefusedNotReadAsMinusOne) {
  EventCounters counters = open_simulated_counters({{"l1d_misses", {published_event_name("L1D_MISSES")}}});
  EXPECT_FALSE(counters.available());
  EXPECT_NE(counters.reason().find("L1D_MISSES"), std::string::npos) << counters.reason();
}

TEST(SimulatedCounters, DoNotDisturbTheHardwareCounters) {
  EventCounters hardware = open_hardware_counters();
  EventCounters simulated = open_simulated_counters();
  ASSERT_TRUE(simulated.available()) << simulated.reason();
  simulated.count([&hardware] { hardware.count([] { ++published_values()[1]; }); });
  const auto readings = by_metric(simulated.count([] { published_values()[1] += 5; }));
  EXPECT_EQ(readings.at("l1d_misses").value, 5u);
}

#else

TEST(SimulatedCounters, SayThatTheyWereBuiltWithoutPapi) {
  const EventCounters counters = open_simulated_counters();
  EXPECT_FALSE(counters.available());
  EXPECT_EQ(counters.reason(), "built without PAPI");
}

#endif

TEST(SimulatedCounters, EventNamesAndMetricsAreDistinct) {
  std::map<std::string, int> names;
  for (const PublishedCount& count : published_counts) ++names[count.event], ++names[count.metric];
  EXPECT_EQ(names.size(), 2 * published_counts.size());
}

}  // namespace
}  // namespace slidebench
