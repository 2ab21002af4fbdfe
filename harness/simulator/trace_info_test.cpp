// SPDX-License-Identifier: MIT
//
// Random traces and the figures about traces.
#include "harness/simulator/trace_info.hpp"

#include <deque>
#include <random>
#include <stdexcept>
#include <utility>

#include "harness/simulator/recurrence.hpp"
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
  EXPECT_DOUBLE_EQ(info.recurrence_shares[0].value(), 2.0 / 5);
  EXPECT_DOUBLE_EQ(info.recurrence_shares[2].value(), 3.0 / 5);
  EXPECT_FALSE(info.fancy_lines[0]);
  EXPECT_DOUBLE_EQ(info.replayed_bytes_per_query.value(), (10.0 * 4 + 5) / 5);
  const nlohmann::json json = to_json(info);
  EXPECT_EQ(json.at("games"), 1);
  EXPECT_EQ(json.at("queries_by_kind").at("rook"), 5);
  EXPECT_EQ(json.at("provenance").at("kind"), "test");
  EXPECT_NE(to_text(info).find("recurs within 32"), std::string::npos);
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
  EXPECT_TRUE(to_json(info).at("recurrence_shares").at("32").is_null());
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

const ComparedFigure& figure(const std::vector<ComparedFigure>& figures, const std::string& name) {
  for (const ComparedFigure& f : figures) {
    if (f.name == name) return f;
  }
  throw std::out_of_range("no figure " + name);
}

TEST(info, search_traces_are_compared_by_searched_positions) {
  const TempFolder folder;
  const auto compared = [&folder](const nlohmann::json& provenance) {
    TraceWriter writer(folder / "t");
    writer.add_node(1, 0, {}, std::vector<QueryCode>(4, encode_query(QueryKind::both, 0)));
    writer.finish(provenance);
    return compare_with_engine(describe(Trace::open(folder / "t")));
  };
  const auto search =
      compared({{"search",
                 {{"visits", 8},
                  {"evaluations", 6},
                  {"calls_per_visit", {{"mean", 0.5}, {"median", 0}, {"p90", 1}, {"p99", 1}, {"max", 2}}},
                  {"callers", {{"piece_moves", 1}, {"exchange", 3}}}}}});
  EXPECT_DOUBLE_EQ(figure(search, "calls per position, mean").trace.value(), 0.5);
  EXPECT_DOUBLE_EQ(figure(search, "calls per position, most").trace.value(), 2);
  EXPECT_DOUBLE_EQ(figure(search, "evaluations per position").trace.value(), 0.75);
  EXPECT_DOUBLE_EQ(figure(search, "asked by exchange").trace.value(), 0.75);
  EXPECT_DOUBLE_EQ(figure(search, "asks for both").trace.value(), 1);
  EXPECT_EQ(figure(search, "calls per position, 99 %").engine, (std::pair{26.0, 32.0}));

  const auto plain = compared({{"kind", "game"}});
  EXPECT_DOUBLE_EQ(figure(plain, "calls per position, mean").trace.value(), 4);
  EXPECT_DOUBLE_EQ(figure(plain, "evaluations per position").trace.value(), 0);
  EXPECT_THROW(figure(plain, "asked by exchange"), std::out_of_range);

  // What a stranger wrote is taken for nothing, or refused where the schema knows better.
  const auto strange = compared({{"search", {{"calls_per_visit", "many"}}}});
  EXPECT_DOUBLE_EQ(figure(strange, "calls per position, mean").trace.value(), 4);
  test::expect_complaint("search.callers should be an object", [&] { compared({{"search", {{"callers", {1, 2}}}}}); });
}

TEST(table_lines, counts_different_lines_of_a_stretch) {
  TableLines lines;
  // The same both query: its record, a bishop set and a rook set; then another square.
  for (int i = 0; i < 1000; ++i) lines.add(encode_query(QueryKind::both, 0), 0);
  EXPECT_DOUBLE_EQ(lines.mean(TableLines::fancy, 0).value(), 3);
  EXPECT_DOUBLE_EQ(lines.mean(TableLines::plain, 0).value(), 3);
  for (int i = 0; i < 1000; ++i) lines.add(encode_query(QueryKind::rook, static_cast<Square>(i % 2)), 0);
  EXPECT_DOUBLE_EQ(lines.mean(TableLines::fancy, 0).value(), (3 + 4) / 2.0);
  EXPECT_DOUBLE_EQ(lines.mean(TableLines::plain, 0).value(), (3 + 3) / 2.0);  // two records share a line
  EXPECT_FALSE(lines.mean(TableLines::fancy, 1));
}

TEST(table_lines, all_occupancies_need_the_whole_table) {
  TableLines lines;
  // Every relevant occupancy of the rook on a1 and on b2: 4,096 and 1,024 sets, of which 8 share a line.
  std::uint64_t queries = 0;
  for (const Square s : {Square{0}, Square{9}}) {
    const Bitboard mask = rook_relevant(s);
    Bitboard occupied = 0;
    do {
      lines.add(encode_query(QueryKind::rook, s), occupied);
      occupied = (occupied - mask) & mask;
      ++queries;
    } while (occupied != 0);
  }
  ASSERT_EQ(queries, 4096u + 1024u);
  while (queries++ < 10'000) lines.add(encode_query(QueryKind::rook, 0), 0);
  EXPECT_DOUBLE_EQ(lines.mean(TableLines::fancy, 1).value(), 512 + 128 + 2);
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

TEST(recurrence, agrees_with_a_plain_search) {
  std::mt19937_64 random(11);
  RecurrenceFinder finder;
  std::deque<std::pair<QueryCode, Bitboard>> past;
  for (int i = 0; i < 20'000; ++i) {
    // Few squares and a sparse board, so that recurrences at all distances happen.
    const auto query = static_cast<QueryCode>((random() & 0xC0) | (random() % 16));
    Bitboard occupied = 0xFFFF;
    for (int words = 0; words < 4; ++words) occupied &= random();
    const Bitboard relevant = occupied & relevant_squares(query_kind(query), query_square(query));
    std::uint64_t expected = 0;
    for (std::size_t back = 1; back <= past.size() && expected == 0; ++back) {
      if (past[past.size() - back] == std::pair(query, relevant)) expected = back;
    }
    ASSERT_EQ(finder.add(query, occupied), expected) << i;
    past.emplace_back(query, relevant);
    if (past.size() > RecurrenceFinder::window) past.pop_front();
  }
}

}  // namespace
}  // namespace slidebench
