// SPDX-License-Identifier: MIT
#include "harness/pressure/pressure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

TEST(Pressure, SpecificationsSayHowMuchOfWhatAndWhen) {
  const Pressure all = parse_pressure("1@16M/probe+768@8M/eval/rows+192/query+16@1984/make/random+64@256K/node");
  std::string parts;
  for (const Touching& part : all.parts) parts += std::to_string(part.lines) + "@" + block_text(part) + " ";
  ASSERT_EQ(parts, "1@16M/probe/random 768@8M/eval/rows 16@1984/make/random 64@256K/node/random ");
  EXPECT_EQ(all.block_bytes(), (24u << 20) + 1984 + (256u << 10));
  EXPECT_EQ(all.parts[0].lines_at_once(), 1u);
  EXPECT_EQ(all.parts[1].lines_at_once(), 16u);
  EXPECT_EQ(all.instructions, 192u);
  EXPECT_EQ(parse_pressure("64@256K/node").instructions, 0u);

  const Pressure work = parse_pressure("64/query");
  EXPECT_FALSE(work.touches());
  EXPECT_FALSE(work.isolated());
  EXPECT_EQ(pressure_events(work).bits, 0u);
}

TEST(Pressure, EveryPresetIsValidAndKeepsItsName) {
  for (const PressurePreset& preset : pressure_presets) {
    const Pressure pressure = parse_pressure(std::string(preset.name));
    EXPECT_EQ(pressure.name, preset.name);
    EXPECT_EQ(pressure.isolated(), preset.specification.empty() && preset.chunk_queries == 0);
    EXPECT_EQ(pressure.chunk_queries, preset.chunk_queries);
  }
  EXPECT_FALSE(parse_pressure("isolated").touches());
}

TEST(Pressure, NonsenseIsRefused) {
  std::istringstream nonsense(
      "heavy 64 64@ 64@256K 64@256K/ 64@256K/move @256K/node -1@256K/node 64@K/node 64@256X/node 64@256K/node/ "
      "64@256K/node/columns 64@256K/node/rows/ 0@256K/node 64@100/node 5000@256K/node 8@256K/node/rows "
      "24@256K/node/rows 16@1000/node/rows 64@5G/node 64@99999999999999999999/node 64@18446744073709551615G/node "
      "99999999999@256K/node 64@256K/node+ +64@256K/node 64@256K/node+64 64@256K/node64@256K/node 192 0/query 20/query "
      "1000000/query 192/node 16/query+16/query");
  for (std::string text; nonsense >> text;) EXPECT_THROW(parse_pressure(text), UserError) << text;
  EXPECT_THROW(parse_pressure(""), UserError);
}

TEST(Pressure, EveryKindOfEventHasItsNodes) {
  const auto falls = [](const char* text, NodeTag tag) { return pressure_events(parse_pressure(text)).has(tag); };
  constexpr auto make = static_cast<NodeTag>(NodeEvent::make), unmake = static_cast<NodeTag>(NodeEvent::unmake);
  for (const NodeTag tag : {NodeTag{0}, make, unmake, evaluated_flag, probed_flag}) {
    EXPECT_TRUE(falls("64@256K/node", tag));
    EXPECT_EQ(falls("64@256K/make", tag), tag == make);
    EXPECT_EQ(falls("64@256K/eval", tag), tag == evaluated_flag);
    EXPECT_EQ(falls("64@256K/probe", tag), tag == probed_flag);
    EXPECT_EQ(falls("64@256K/probe+64@256K/eval", tag), tag == probed_flag || tag == evaluated_flag);
    EXPECT_FALSE(falls("isolated", tag));
    EXPECT_FALSE(falls("64@256K/node", tag | continued_flag)) << "the same position goes on";
    EXPECT_TRUE(falls("64@256K/node", tag | moved_flag)) << "tags reach beyond 32";
    EXPECT_EQ(falls("64@256K/eval", tag | moved_flag), tag == evaluated_flag);
  }
}

/// Every line (of rows: every first line) once a cycle, in an order that depends on the seed alone.
TEST(Pressure, OrderIsAPermutation) {
  for (const char* text : {"64@256K/node", "64@256K/node/rows"}) {
    const Touching pressure = parse_pressure(text).parts.front();
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
