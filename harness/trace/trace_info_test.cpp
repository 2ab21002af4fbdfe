// SPDX-License-Identifier: MIT
//
// Random traces and the figures about traces.
#include "harness/trace/trace_info.hpp"

#include <random>

#include "harness/trace/random_trace.hpp"
#include "harness/trace/test_support.hpp"
#include "harness/trace/writer.hpp"

namespace slidebench {
namespace {

using test::expect_complaint;
using test::read_file;
using test::TempFolder;

TEST(random_trace, is_deterministic) {
  const TempFolder folder;
  build_random_trace(folder / "a", {.nodes = 5'000, .seed = 7});
  build_random_trace(folder / "b", {.nodes = 5'000, .seed = 7});
  build_random_trace(folder / "c", {.nodes = 5'000, .seed = 8});
  EXPECT_EQ(read_file(folder / "a"), read_file(folder / "b"));
  EXPECT_NE(read_file(folder / "a"), read_file(folder / "c"));
}

TEST(random_trace, bytes_of_a_seed_are_fixed) {
  const TempFolder folder;
  build_random_trace(folder / "a", {.nodes = 2, .seed = 1});
  const Trace trace = Trace::open(folder / "a");
  std::mt19937_64 random(1);
  Bitboard occupied = random();
  occupied &= random();
  EXPECT_EQ(trace.blocks()[0].occupied[0], occupied);
  for (unsigned i = 0; i < query_kinds; ++i) {
    EXPECT_EQ(trace.blocks()[0].squares[i], random() >> 58);
  }
}

TEST(random_trace, looks_as_described) {
  const TempFolder folder;
  build_random_trace(folder / "a");
  const TraceInfo info = describe(Trace::open(folder / "a"));
  EXPECT_EQ(info.nodes, 65'536u);
  EXPECT_EQ(info.events[0], 65'536u);
  EXPECT_EQ(info.evaluated_nodes, 32'768u);
  EXPECT_NEAR(info.mean_occupied_squares, 16, 0.1);
  for (const std::uint64_t queries : info.queries_by_kind) EXPECT_EQ(queries, 65'536u);
  EXPECT_EQ(info.queries_per_node.max, 4u);
  EXPECT_NEAR(info.same_occupancy_share.value(), 0.75, 0.001);
  EXPECT_DOUBLE_EQ(info.replayed_bytes_per_query.value(), 3.5);
}

TEST(random_trace, needs_nodes) {
  expect_complaint("at least one node", [] { build_random_trace("/dev/null", {.nodes = 0, .seed = 1}); });
}

TEST(info, small_trace_by_hand) {
  const TempFolder folder;
  TraceWriter writer(folder / "t");
  const std::vector<QueryCode> rook_a1{encode_query(QueryKind::rook, 0)};
  const std::vector<QueryCode> three(3, encode_query(QueryKind::rook, 0));
  writer.add_node(0x01, static_cast<NodeTag>(NodeEvent::root), {}, rook_a1);
  writer.add_node(0x03, static_cast<NodeTag>(NodeEvent::make) | evaluated_flag, {}, rook_a1);
  writer.add_node(0x01, static_cast<NodeTag>(NodeEvent::unmake) | probed_flag, {}, {});
  writer.add_node(0x01, static_cast<NodeTag>(NodeEvent::null_move), {}, three);
  writer.finish({{"kind", "test"}});
  const TraceInfo info = describe(Trace::open(folder / "t"));
  EXPECT_EQ(info.nodes, 4u);
  EXPECT_EQ(info.events, (std::array<std::uint64_t, 4>{1, 1, 1, 1}));
  EXPECT_EQ(info.evaluated_nodes, 1u);
  EXPECT_EQ(info.probed_nodes, 1u);
  EXPECT_EQ(info.queries, 5u);
  EXPECT_DOUBLE_EQ(info.queries_per_node.mean, 1.25);
  EXPECT_EQ(info.queries_per_node.median, 1u);
  EXPECT_EQ(info.queries_per_node.p90, 3u);
  EXPECT_EQ(info.queries_per_node.p99, 3u);
  EXPECT_EQ(info.queries_per_node.max, 3u);
  EXPECT_FALSE(info.queries_between_evaluations);
  EXPECT_DOUBLE_EQ(info.mean_occupied_squares, 1.25);
  EXPECT_DOUBLE_EQ(info.same_occupancy_share.value(), 2.0 / 4);
  EXPECT_DOUBLE_EQ(info.replayed_bytes_per_query.value(), (10.0 * 4 + 5) / 5);
  const nlohmann::json told = to_json(info);
  EXPECT_EQ(told.at("games"), 1);
  EXPECT_EQ(told.at("queries_by_kind").at("rook"), 5);
  EXPECT_EQ(told.at("provenance").at("kind"), "test");
  EXPECT_NE(to_text(info).find("same occupancy as before    50.0 %"), std::string::npos);
}

TEST(info, continued_nodes_count_as_one) {
  const TempFolder folder;
  TraceWriter writer(folder / "t");
  writer.add_node(7, evaluated_flag, {}, std::vector<QueryCode>(40, encode_query(QueryKind::rook, 0)));
  writer.add_node(1, 1, {}, std::vector<QueryCode>(2, encode_query(QueryKind::rook, 0)));
  writer.finish(nlohmann::json::object());
  const TraceInfo info = describe(Trace::open(folder / "t"));
  EXPECT_EQ(info.nodes, 2u);
  EXPECT_EQ(info.evaluated_nodes, 1u);
  EXPECT_EQ(info.queries_per_node.max, 40u);
  EXPECT_DOUBLE_EQ(info.mean_occupied_squares, 2);
  EXPECT_DOUBLE_EQ(info.replayed_bytes_per_query.value(), (10.0 * 4 + 42) / 42);
}

TEST(info, trace_without_queries) {
  const TempFolder folder;
  TraceWriter writer(folder / "t");
  writer.add_node(1, 0, {}, {});
  writer.finish(nlohmann::json::object());
  const TraceInfo info = describe(Trace::open(folder / "t"));
  EXPECT_FALSE(info.replayed_bytes_per_query);
  EXPECT_TRUE(to_json(info).at("same_occupancy_share").is_null());
  EXPECT_FALSE(to_text(info).empty());
}

TEST(info, queries_between_evaluations) {
  const TempFolder folder;
  TraceWriter writer(folder / "t");
  const QueryCode query = encode_query(QueryKind::rook, 0);
  writer.add_node(1, 0, {}, std::vector<QueryCode>(9, query));  // before the first evaluation: nobody's
  for (const unsigned queries : {1u, 3u, 8u, 2u}) {
    writer.add_node(1, evaluated_flag, {}, std::vector<QueryCode>(queries, query));
    writer.add_node(3, 1, {}, std::vector<QueryCode>(17, query));  // goes on in a further stored node
  }
  writer.finish(nlohmann::json::object());
  const TraceInfo info = describe(Trace::open(folder / "t"));
  ASSERT_TRUE(info.queries_between_evaluations);
  EXPECT_DOUBLE_EQ(info.queries_between_evaluations->mean, 17 + 4);
  EXPECT_EQ(info.queries_between_evaluations->median, 20u);
  EXPECT_EQ(info.queries_between_evaluations->max, 25u);
}

TEST(distribution, quantiles) {
  Distribution d;
  EXPECT_EQ(d.quantile(50), 0u);
  EXPECT_DOUBLE_EQ(d.mean(), 0);
  for (std::uint64_t i = 1; i <= 100; ++i) d.add(101 - i);
  EXPECT_EQ(d.quantile(50), 50u);
  EXPECT_EQ(d.quantile(99), 99u);
  EXPECT_EQ(d.quantile(100), 100u);
  EXPECT_EQ(d.quantile(0), 1u);
  EXPECT_DOUBLE_EQ(d.mean(), 50.5);
}

}  // namespace
}  // namespace slidebench
