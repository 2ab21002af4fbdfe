// SPDX-License-Identifier: MIT
//
// Random traces and the figures about traces.
#include "harness/trace/trace_info.hpp"

#include "harness/trace/random_trace.hpp"
#include "harness/trace/test_support.hpp"
#include "harness/trace/writer.hpp"

namespace slidebench::test {
namespace {

TEST(random_trace, looks_as_described) {
  const TempFolder folder;
  build_random_trace(folder / "a");
  const TraceInfo info = describe(Trace::open(folder / "a"));
  EXPECT_EQ(info.nodes, 65'536u);
  EXPECT_EQ(info.events[0], 65'536u);
  EXPECT_EQ(info.evaluated_nodes, 32'768u);
  EXPECT_NEAR(info.mean_occupied_squares, 16, 0.1);
  for (const std::uint64_t queries : info.queries_by_kind) EXPECT_EQ(queries, 65'536u);
  EXPECT_EQ(info.queries, 4 * 65'536u);
  EXPECT_EQ(info.queries_per_node.max, 4u);
  EXPECT_NEAR(info.same_occupancy_share.value(), 0.75, 0.001);
  EXPECT_DOUBLE_EQ(info.replayed_bytes_per_query.value(), 3.5);
  expect_complaint("at least one node", [] { build_random_trace("/dev/null", {.nodes = 0, .seed = 1}); });
}

/// A node, and how often it asks for the rook on a1.
struct AskingNode {
  Bitboard occupied;
  unsigned tag;
  std::size_t queries;
};

TraceInfo info_of(const std::vector<AskingNode>& nodes) {
  const TempFolder folder;
  TraceWriter writer(folder / "t");
  for (const AskingNode& node : nodes) {
    const std::vector<QueryCode> queries(node.queries, encode_query(QueryKind::rook, 0));
    writer.add_node(node.occupied, static_cast<NodeTag>(node.tag), {}, queries);
  }
  writer.finish({{"kind", "test"}});
  return describe(Trace::open(folder / "t"));
}

constexpr unsigned root = 0, make = 1, unmake = 2, null_move = 3;  // of NodeEvent

TEST(info, small_trace_by_hand) {
  const TraceInfo info =
      info_of({{1, root, 1}, {3, make | evaluated_flag, 1}, {1, unmake | probed_flag, 0}, {1, null_move, 3}});
  nlohmann::json told = to_json(info);
  told.erase("digest");
  told.erase("trace_bytes");
  const nlohmann::json expected = nlohmann::json::parse(R"({
    "nodes": 4, "games": 1, "nodes_by_event": {"root": 1, "make": 1, "unmake": 1, "null_move": 1},
    "evaluated_nodes": 1, "probed_nodes": 1,
    "queries": 5, "queries_by_kind": {"bishop": 0, "rook": 5, "queen": 0, "both": 0},
    "queries_per_node": {"mean": 1.25, "median": 1, "p90": 3, "p99": 3, "max": 3}, "queries_between_evaluations": null,
    "mean_occupied_squares": 1.25, "same_occupancy_share": 0.5, "replayed_bytes_per_query": 9,
    "provenance": {"kind": "test"}})");
  EXPECT_EQ(told, expected);
  EXPECT_NE(to_text(info).find("same occupancy as before    50.0 %"), std::string::npos);
}

TEST(info, trace_without_queries) {
  const TraceInfo info = info_of({{1, root, 0}});
  EXPECT_FALSE(info.replayed_bytes_per_query);
  EXPECT_TRUE(to_json(info).at("same_occupancy_share").is_null());
  EXPECT_FALSE(to_text(info).empty());
}

TEST(info, a_continued_node_counts_as_one_also_between_evaluations) {
  std::vector<AskingNode> nodes{{1, root, 9}};  // before the first evaluation: nobody's
  for (const std::size_t queries : {1u, 3u, 8u, 2u}) {
    nodes.push_back({1, evaluated_flag, queries});
    nodes.push_back({3, make, 17});  // goes on in a further stored node
  }
  const TraceInfo info = info_of(nodes);
  EXPECT_EQ(info.nodes, 9u);
  EXPECT_EQ(info.evaluated_nodes, 4u);
  EXPECT_EQ(info.queries_per_node.max, 17u);
  EXPECT_DOUBLE_EQ(info.mean_occupied_squares, 13.0 / 9);
  EXPECT_DOUBLE_EQ(info.replayed_bytes_per_query.value(), (10.0 * 13 + 91) / 91);
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
}  // namespace slidebench::test
