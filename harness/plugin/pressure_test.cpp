// SPDX-License-Identifier: MIT
#include "harness/plugin/pressure.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/trace/errors.hpp"

namespace slidebench {
namespace {

TEST(Pressure, SpecificationsSayHowMuchOfWhatAndWhen) {
  const Pressure scattered = parse_pressure("64@256K/node");
  EXPECT_EQ(scattered.lines, 64u);
  EXPECT_EQ(scattered.block_bytes, 256u << 10);
  EXPECT_EQ(scattered.when, PressureWhen::node);
  EXPECT_EQ(scattered.pattern, PressurePattern::random);
  EXPECT_EQ(scattered.lines_at_once(), 1u);

  const Pressure rows = parse_pressure("768@8M/eval/rows");
  EXPECT_EQ(rows.lines, 768u);
  EXPECT_EQ(rows.block_bytes, 8u << 20);
  EXPECT_EQ(rows.when, PressureWhen::evaluation);
  EXPECT_EQ(rows.pattern, PressurePattern::rows);
  EXPECT_EQ(rows.lines_at_once(), 16u);
}

TEST(Pressure, EveryPresetIsValidAndKeepsItsName) {
  for (const PressurePreset& preset : pressure_presets) {
    const Pressure pressure = parse_pressure(std::string(preset.name));
    EXPECT_EQ(pressure.name, preset.name);
    EXPECT_EQ(pressure.touches(), !preset.specification.empty());
    EXPECT_EQ(pressure.chunk_queries, preset.chunk_queries);
  }
  EXPECT_FALSE(parse_pressure("isolated").touches());
}

TEST(Pressure, NonsenseIsRefused) {
  for (const char* text : {"",
                           "heavy",
                           "64",
                           "64@",
                           "64@256K",
                           "64@256K/",
                           "64@256K/move",
                           "@256K/node",
                           "-1@256K/node",
                           "64@K/node",
                           "64@256X/node",
                           "64@256K/node/",
                           "64@256K/node/columns",
                           "64@256K/node/rows/",
                           "0@256K/node",
                           "64@100/node",
                           "5000@256K/node",
                           "8@256K/node/rows",
                           "24@256K/node/rows",
                           "16@1000/node/rows",
                           "64@5G/node",
                           "64@99999999999999999999/node",
                           "64@18446744073709551615G/node",
                           "99999999999@256K/node"}) {
    EXPECT_THROW(parse_pressure(text), UserError) << text;
  }
}

TEST(Pressure, TouchesAtNodesOrAtEvaluations) {
  const Pressure node = parse_pressure("64@256K/node");
  const Pressure evaluation = parse_pressure("64@256K/eval");
  EXPECT_TRUE(is_pressure_event(node, 0));
  EXPECT_TRUE(is_pressure_event(node, evaluated_flag));
  EXPECT_FALSE(is_pressure_event(evaluation, 0));
  EXPECT_TRUE(is_pressure_event(evaluation, evaluated_flag));
  EXPECT_FALSE(is_pressure_event(node, continued_flag)) << "the same position goes on";
  EXPECT_FALSE(is_pressure_event(parse_pressure("isolated"), evaluated_flag));
}

/// Every line (of rows: every first line) once a cycle, in an order that depends on the seed alone.
TEST(Pressure, OrderIsAPermutation) {
  for (const char* text : {"64@256K/node", "64@256K/node/rows"}) {
    const Pressure pressure = parse_pressure(text);
    std::vector<std::uint32_t> order = touch_order(pressure, 7);
    EXPECT_EQ(order, touch_order(pressure, 7));
    EXPECT_NE(order, touch_order(pressure, 8));
    EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
    std::sort(order.begin(), order.end());
    std::vector<std::uint32_t> all(4096 / pressure.lines_at_once());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i * pressure.lines_at_once();
    EXPECT_EQ(order, all) << text;
  }
}

}  // namespace
}  // namespace slidebench
