// SPDX-License-Identifier: MIT
//
// How the records of a log become nodes.
#include "harness/import/log_grouping.hpp"

#include <gtest/gtest.h>

#include <string>

#include "harness/import/test_support.hpp"

namespace slidebench {
namespace {

/// What has been handed on, a text a node.
class Grouped {
 public:
  explicit Grouped(unsigned merge_both = 1)
      : grouping_(merge_both, [this](Bitboard occupied, NodeTag tag, const SliderSets& sliders,
                                     std::span<const QueryCode> queries, const PieceEvent& event) {
          nodes.push_back(test::text_of_node(occupied, tag, queries));
          pieces.push_back(text(event));
          diagonal.push_back(sliders.white_diagonal | sliders.black_diagonal);
          most_queries = std::max(most_queries, queries.size());
        }) {}

  /// Records as "root ff", "b e4 ff"; no event has more words.
  Grouped& add(const std::vector<LogRecord>& records) {
    for (const LogRecord& record : records) grouping_.add(record);
    return *this;
  }

  Grouped& end() {
    grouping_.end_log();
    return *this;
  }

  const GroupingCounts& counts() const { return grouping_.counts(); }
  const Distribution& visits() const { return grouping_.calls_per_visit(); }

  std::vector<std::string> nodes;
  std::vector<std::string> pieces;  ///< what becomes of them, a text a node
  std::vector<Bitboard> diagonal;   ///< sliders
  std::size_t most_queries = 0;

 private:
  static std::string text(const PieceEvent& event) {
    if (event.kind != PieceEvent::Kind::make) {
      return event.kind == PieceEvent::Kind::root ? "board" : event.kind == PieceEvent::Kind::unmake ? "back" : "-";
    }
    return text_of(LogMove{from_square(event.move), to_square(event.move)});
  }

  LogGrouping grouping_;
};

LogRecord root(Bitboard occupied) { return {LogEvent::root, 0, occupied}; }
LogRecord make(Bitboard occupied = 0) { return {LogEvent::make, 0, occupied}; }
LogRecord unmake(Bitboard occupied = 0) { return {LogEvent::unmake, 0, occupied}; }
LogRecord bishop(Square s, Bitboard occupied) { return {LogEvent::bishop, s, occupied}; }
LogRecord rook(Square s, Bitboard occupied) { return {LogEvent::rook, s, occupied}; }
LogRecord queen(Square s, Bitboard occupied) { return {LogEvent::queen, s, occupied}; }
LogRecord both(Square s, Bitboard occupied) { return {LogEvent::both, s, occupied}; }
const LogRecord null_move{LogEvent::null_move, 0, 0};
const LogRecord eval{LogEvent::evaluated, 0, 0};
const LogRecord probe{LogEvent::probed, 0, 0};

LogRecord board(const char* placement) {
  LogRecord record{LogEvent::board, 0, 0};
  record.board = *parse_placement(placement);
  return record;
}
LogRecord move(const char* text) {
  LogRecord record{LogEvent::move, 0, 0};
  record.move = *parse_move(text);
  return record;
}

using Nodes = std::vector<std::string>;

TEST(log_grouping, queries_between_two_events_are_a_node) {
  Grouped grouped;
  grouped.add({root(0xF), bishop(1, 0xF), queen(2, 0xF), make(0xE), rook(3, 0xE), eval, both(4, 0xE), unmake(0xF)})
      .end();
  EXPECT_EQ(grouped.nodes, (Nodes{"root f: b1 q2", "make eval e: r3 x4", "unmake f:"}));
  EXPECT_EQ(grouped.counts().queries, 4u);
  EXPECT_EQ(grouped.counts().occupancy_changes, 0u);
  EXPECT_EQ(grouped.counts().unknown_occupancies, 0u);
}

TEST(log_grouping, a_move_leads_to_the_occupancy_of_the_first_query_after_it) {
  Grouped grouped;
  grouped.add({root(0xF), make(), probe, rook(3, 0xE), make(), unmake(), rook(3, 0xE)}).end();
  EXPECT_EQ(grouped.nodes, (Nodes{"root f:", "make probe e: r3", "make e:", "unmake e: r3"}));
  EXPECT_EQ(grouped.counts().unknown_occupancies, 1u);
  EXPECT_EQ(grouped.counts().occupancy_changes, 0u);
}

TEST(log_grouping, an_occupancy_that_changes_without_a_move_is_a_node_and_counted) {
  Grouped grouped;
  grouped.add({root(0xF), rook(1, 0xF), rook(1, 0x7), rook(1, 0x3), rook(1, 0xF), rook(2, 0xF)}).end();
  EXPECT_EQ(grouped.nodes, (Nodes{"root f: r1", "make 7: r1", "make 3: r1", "unmake f: r1 r2"}));
  EXPECT_EQ(grouped.counts().occupancy_changes, 3u);
}

TEST(log_grouping, a_null_move_and_its_end_keep_the_occupancy) {
  Grouped grouped;
  grouped.add({root(0xF), null_move, probe, rook(1, 0xF), make(0x7), unmake(0xF), unmake(), rook(2, 0xF)}).end();
  EXPECT_EQ(grouped.nodes, (Nodes{"root f:", "null probe f: r1", "make 7:", "unmake f:", "null f: r2"}));
  EXPECT_EQ(grouped.counts().unknown_occupancies, 0u);
}

TEST(log_grouping, evaluated_or_probed_again) {
  Grouped grouped;
  grouped.add({root(0xF), eval, probe, rook(1, 0xF), eval, probe, probe}).end();
  EXPECT_EQ(grouped.nodes, (Nodes{"root eval probe f: r1", "null eval probe f:", "null probe f:"}));
  EXPECT_EQ(grouped.counts().evaluations, 2u);
}

TEST(log_grouping, every_log_begins_with_a_root) {
  Grouped grouped;
  grouped.add({eval, make(), null_move, rook(1, 0xF), make()}).end();
  grouped.add({unmake(), make(0x7), rook(1, 0x7)}).end();
  EXPECT_EQ(grouped.nodes, (Nodes{"root f: r1", "make f:", "root 7: r1"}));
  EXPECT_EQ(grouped.counts().dropped, 4u);
}

TEST(log_grouping, neighbours_become_both) {
  Grouped grouped;
  grouped
      .add({root(0xF), bishop(1, 0xF), rook(1, 0xF), rook(2, 0xF), bishop(2, 0xF), bishop(3, 0xF), rook(4, 0xF),
            bishop(5, 0xF), queen(6, 0xF), rook(5, 0xF), queen(7, 0xF), bishop(7, 0xF), bishop(8, 0xF), bishop(8, 0xF)})
      .end();
  EXPECT_EQ(grouped.nodes, (Nodes{"root f: x1 x2 b3 r4 b5 q6 r5 q7 b7 b8 b8"}));
  EXPECT_EQ(grouped.counts().merged, 2u);
  EXPECT_EQ(grouped.counts().queries, 13u);
}

TEST(log_grouping, the_distance_of_what_is_merged_counts_recorded_queries) {
  const std::vector<LogRecord> records{root(0xF),    bishop(1, 0xF), bishop(2, 0xF), rook(2, 0xF),
                                       rook(1, 0xF), bishop(3, 0xF), queen(4, 0xF),  rook(3, 0xF)};
  const auto merged = [&records](unsigned distance) {
    Grouped grouped(distance);
    return grouped.add(records).end().nodes;
  };
  EXPECT_EQ(merged(0), (Nodes{"root f: b1 b2 r2 r1 b3 q4 r3"}));
  EXPECT_EQ(merged(1), (Nodes{"root f: b1 x2 r1 b3 q4 r3"}));
  EXPECT_EQ(merged(2), (Nodes{"root f: b1 x2 r1 x3 q4"}));
  EXPECT_EQ(merged(3), (Nodes{"root f: x1 x2 x3 q4"}));
}

TEST(log_grouping, halves_of_different_nodes_are_not_merged) {
  Grouped grouped(100);
  grouped.add({root(0xF), bishop(1, 0xF), rook(1, 0x7), make(0x7), bishop(1, 0x7), null_move, rook(1, 0x7)}).end();
  EXPECT_EQ(grouped.counts().merged, 0u);
}

TEST(log_grouping, calls_by_visits) {
  Grouped grouped;
  grouped
      .add({root(0xF), rook(1, 0xF), make(0x7), rook(1, 0x7), rook(2, 0x7), null_move, unmake(), rook(3, 0x7),
            unmake(0xF), rook(2, 0xF), unmake(), unmake()})
      .end();
  EXPECT_EQ(grouped.visits().size(), 3u);  // the null move, the move, the root
  EXPECT_EQ(grouped.visits().sum(), 5u);
  EXPECT_EQ(grouped.visits().quantile(0), 0u);
  EXPECT_EQ(grouped.visits().quantile(100), 3u);
}

TEST(log_grouping, moves_that_are_never_taken_back) {
  Grouped grouped;
  grouped.add({root(0xF)});
  for (int i = 0; i < 5000; ++i) grouped.add({make(0x7), rook(1, 0x7)});
  grouped.end();
  EXPECT_EQ(grouped.visits().size(), 5001u);
  EXPECT_EQ(grouped.visits().quantile(100), 1u);
}

TEST(log_grouping, a_node_without_end_is_handed_on_in_parts) {
  Grouped grouped(1024);
  grouped.add({root(0xF), eval});
  for (int i = 0; i < 20'000; ++i) grouped.add({i % 2 == 0 ? bishop(1, 0xF) : queen(2, 0xF)});
  grouped.add({eval, rook(3, 0xF)}).end();
  ASSERT_GT(grouped.nodes.size(), 3u);
  EXPECT_TRUE(grouped.nodes[0].starts_with("root eval f: b1 q2"));
  EXPECT_TRUE(grouped.nodes[1].starts_with("null more f: b1 q2"));
  EXPECT_EQ(grouped.nodes.back(), "null eval f: r3");
  EXPECT_LE(grouped.most_queries, 4096u + 1024u);
}

// White: bishop a1, rook b1, king c1.
constexpr const char* three_pieces = "8/8/8/8/8/8/8/BRK5";

TEST(log_grouping, moves_of_pieces_are_told_with_their_nodes) {
  Grouped grouped;
  grouped
      .add({board(three_pieces), root(7), bishop(0, 7), move("b1b2"), rook(9, 0x205), make(0x205), rook(9, 0x205),
            null_move, unmake(), unmake(), queen(1, 7)})
      .end();
  EXPECT_EQ(grouped.nodes,
            (Nodes{"root 7: b0", "make 205: r9", "make 205: r9", "null 205:", "null 205:", "unmake 7: q1"}));
  EXPECT_EQ(grouped.pieces, (Nodes{"board", "-", "b1b2", "-", "-", "back"}));
  EXPECT_EQ(grouped.diagonal, (std::vector<Bitboard>{1, 1, 1, 1, 1, 1}));
}

TEST(log_grouping, other_occupancies_move_no_pieces) {
  Grouped grouped;
  grouped
      .add({board(three_pieces), root(7), rook(1, 6), rook(1, 7), rook(1, 3), move("a1d4"), make(), eval, bishop(1, 6),
            unmake()})
      .end();
  EXPECT_EQ(grouped.nodes, (Nodes{"root 7:", "make 6: r1", "unmake 7: r1", "make 3: r1",
                                  "make eval 8000006:", "make 6: b1", "unmake 7:"}));
  EXPECT_EQ(grouped.pieces, (Nodes{"board", "-", "-", "-", "a1d4", "-", "back"}));
  EXPECT_EQ(grouped.diagonal, (std::vector<Bitboard>{1, 0, 1, 1, 0x8000000, 0, 1}));
}

TEST(log_grouping, a_move_without_an_occupancy_leads_to_that_of_the_pieces) {
  Grouped grouped;
  grouped.add({board(three_pieces), root(7), move("c1c2"), make(), move("a1b2"), make(), unmake(), unmake()}).end();
  EXPECT_EQ(grouped.nodes, (Nodes{"root 7:", "make 403:", "make 602:", "unmake 403:", "unmake 7:"}));
  EXPECT_EQ(grouped.counts().unknown_occupancies, 0u);
}

TEST(log_grouping, the_rest_of_a_long_node_moves_nothing) {
  Grouped grouped(0);
  grouped.add({board(three_pieces), root(7)});
  for (int i = 0; i < 10'000; ++i) grouped.add({bishop(0, 7)});
  grouped.end();
  EXPECT_EQ(grouped.pieces, (Nodes{"board", "-", "-"}));
  EXPECT_EQ(grouped.diagonal, (std::vector<Bitboard>{1, 1, 1}));
}

TEST(log_grouping, several_logs_with_boards) {
  Grouped grouped;
  grouped.add({board(three_pieces), root(7), board(three_pieces)}).end();
  grouped.add({move("a1a2"), board(three_pieces), root(7), move("a1b2"), make(0x206)}).end();
  EXPECT_EQ(grouped.pieces, (Nodes{"board", "board", "a1b2"}));
  EXPECT_EQ(grouped.counts().dropped, 1u);
  EXPECT_THROW(grouped.add({root(7)}), PieceFault);
}

TEST(log_grouping, pieces_that_do_not_fit) {
  const auto refused = [](const std::vector<LogRecord>& records) {
    Grouped grouped;
    EXPECT_THROW(grouped.add(records), PieceFault);
  };
  refused({board(three_pieces), root(6)});
  refused({board(three_pieces), rook(1, 6)});
  refused({root(7), board(three_pieces)});
  refused({board(three_pieces), root(7), unmake()});
  refused({board(three_pieces), root(7), null_move, unmake(6)});
  refused({board(three_pieces), root(7), move("a1b2"), make(7)});
}

}  // namespace
}  // namespace slidebench
