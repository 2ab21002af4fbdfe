// SPDX-License-Identifier: MIT
//
// How the records of a log become nodes, and what its boards and moves tell of the pieces.
#include "harness/import/log_grouping.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "harness/import/test_support.hpp"
#include "harness/trace/test_support.hpp"

namespace slidebench {
namespace {

using Nodes = std::vector<std::string>;

/// What becomes of logs, a text a node, such as "make 205: r9 [1 200 0 0] b1b2": the sliders stand in brackets, in
/// hexadecimal, and then comes what becomes of the pieces.
struct Grouped {
  explicit Grouped(unsigned merge_both = 1)
      : grouping(merge_both, [this](Bitboard occupied, NodeTag tag, const SliderSets& sliders,
                                    std::span<const QueryCode> queries, const PieceEvent& event) {
          nodes.push_back(test::text_of_node(occupied, tag, queries) + text(sliders) + text(event));
          most_queries = std::max(most_queries, queries.size());
          if (event.kind == PieceEvent::Kind::root) board = pack(event.board);
        }) {}

  /// A log in the text form, with commas between its lines.
  Grouped& add(std::string log) {
    std::replace(log.begin(), log.end(), ',', '\n');
    test::write_file(folder / "log", log + "\n");
    QueryLog records(folder / "log");
    while (const auto record = records.next()) grouping.add(*record);
    grouping.end_log();
    return *this;
  }

  static std::string text(const SliderSets& s) {
    if ((s.white_diagonal | s.white_orthogonal | s.black_diagonal | s.black_orthogonal) == 0) return "";
    return fmt::format(" [{:x} {:x} {:x} {:x}]", s.white_diagonal, s.white_orthogonal, s.black_diagonal,
                       s.black_orthogonal);
  }

  static std::string text(const PieceEvent& event) {
    if (event.kind == PieceEvent::Kind::none) return "";
    if (event.kind == PieceEvent::Kind::root) return " board";
    if (event.kind == PieceEvent::Kind::unmake) return " back";
    const MoveKind kind = kind_of(event.move);
    const PieceType promotion = kind == MoveKind::promotion ? promotion_of(event.move) : PieceType::none;
    const std::string move = " " + text_of(LogMove{from_square(event.move), to_square(event.move), promotion});
    if (kind == MoveKind::castling) return move + " castling";
    return kind == MoveKind::en_passant ? move + " en passant" : move;
  }

  Nodes nodes;
  PackedBoard board{};  ///< of the last root
  std::size_t most_queries = 0;
  const test::TempFolder folder;
  LogGrouping grouping;
};

/// The first lines of a log that tells the pieces.
std::string begun(const std::string& placement) {
  return fmt::format("board {}, root {:x}", placement, unpack(*parse_placement(placement)).occupied());
}

constexpr const char* start_board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const std::string three_pieces = begun("8/8/8/8/8/8/8/BRK5");

/// What becomes of logs, and why.
struct Example {
  const char* rule;
  std::vector<std::string> logs;
  Nodes nodes;
  GroupingCounts counts;
};

std::array<std::uint64_t, 6> numbers(const GroupingCounts& c) {
  return {c.queries, c.merged, c.dropped, c.evaluations, c.occupancy_changes, c.unknown_occupancies};
}

void expect_examples(const std::vector<Example>& examples) {
  for (const Example& example : examples) {
    Grouped grouped;
    for (const std::string& log : example.logs) grouped.add(log);
    EXPECT_EQ(grouped.nodes, example.nodes) << example.rule;
    EXPECT_EQ(numbers(grouped.grouping.counts()), numbers(example.counts)) << example.rule;
  }
}

TEST(log_grouping, records_become_nodes) {
  expect_examples({
      {"queries between two events are a node",
       {"root f, b b1 f, q c1 f, make e, r d1 e, eval, x e1 e, unmake f"},
       {"root f: b1 q2", "make eval e: r3 x4", "unmake f:"},
       {.queries = 4, .evaluations = 1}},
      {"a move leads to the occupancy of the first query after it",
       {"root f, make, probe, r d1 e, make, unmake, r d1 e"},
       {"root f:", "make probe e: r3", "make e:", "unmake e: r3"},
       {.queries = 2, .unknown_occupancies = 1}},
      {"an occupancy that changes without a move is a node",
       {"root f, r b1 f, r b1 7, r b1 3, r b1 f, r c1 f"},
       {"root f: r1", "make 7: r1", "make 3: r1", "unmake f: r1 r2"},
       {.queries = 5, .occupancy_changes = 3}},
      {"a null move and its end keep the occupancy",
       {"root f, null, probe, r b1 f, make 7, unmake f, unmake, r c1 f"},
       {"root f:", "null probe f: r1", "make 7:", "unmake f:", "null f: r2"},
       {.queries = 2}},
      {"what is evaluated or probed again is another node",
       {"root f, eval, probe, r b1 f, eval, probe, probe"},
       {"root eval probe f: r1", "null eval probe f:", "null probe f:"},
       {.queries = 1, .evaluations = 2}},
      {"every log begins with a root",
       {"eval, make, null, r b1 f, make", "unmake, make 7, r b1 7"},
       {"root f: r1", "make f:", "root 7: r1"},
       {.queries = 2, .dropped = 4, .unknown_occupancies = 1}},
      {"neighbours become both",
       {"root f, b b1 f, r b1 f, r c1 f, b c1 f, b d1 f, r e1 f, b f1 f, q g1 f, r f1 f, q h1 f, b h1 f, b a2 f, "
        "b a2 f"},
       {"root f: x1 x2 b3 r4 b5 q6 r5 q7 b7 b8 b8"},
       {.queries = 13, .merged = 2}},
  });
}

TEST(log_grouping, the_distance_of_what_is_merged_counts_recorded_queries) {
  const std::pair<unsigned, const char*> merged[] = {{0, "root f: b1 b2 r2 r1 b3 q4 r3"},
                                                     {1, "root f: b1 x2 r1 b3 q4 r3"},
                                                     {2, "root f: b1 x2 r1 x3 q4"},
                                                     {3, "root f: x1 x2 x3 q4"}};
  for (const auto& [distance, node] : merged) {
    Grouped grouped(distance);
    EXPECT_EQ(grouped.add("root f, b b1 f, b c1 f, r c1 f, r b1 f, b d1 f, q e1 f, r d1 f").nodes, Nodes{node});
  }
  Grouped of_different_nodes(100);
  of_different_nodes.add("root f, b b1 f, r b1 7, make 7, b b1 7, null, r b1 7");
  EXPECT_EQ(of_different_nodes.nodes, (Nodes{"root f: b1", "make 7: r1", "make 7: b1", "null 7: r1"}));
}

TEST(log_grouping, calls_by_visits) {
  Grouped grouped;
  grouped.add("root f, r b1 f, make 7, r b1 7, r c1 7, null, unmake, r d1 7, unmake f, r c1 f, unmake, unmake");
  const Distribution& visits = grouped.grouping.calls_per_visit();
  EXPECT_EQ(visits.size(), 3u);  // the null move, the move, the root
  EXPECT_EQ(visits.sum(), 5u);
  EXPECT_EQ(visits.quantile(0), 0u);
  EXPECT_EQ(visits.quantile(100), 3u);
  std::string log = "root f";
  for (int i = 0; i < 5000; ++i) log += ", make 7, r b1 7";
  Grouped never_taken_back;
  EXPECT_EQ(never_taken_back.add(log).grouping.calls_per_visit().size(), 5001u);
  EXPECT_EQ(never_taken_back.grouping.calls_per_visit().quantile(100), 1u);
}

TEST(log_grouping, a_node_without_end_is_handed_on_in_parts_of_which_the_first_has_the_board) {
  std::string log = three_pieces + ", eval";
  for (int i = 0; i < 20'000; ++i) log += i % 2 == 0 ? ", b b1 7" : ", q c1 7";
  Grouped grouped(1024);
  grouped.add(log + ", eval, r d1 7");
  ASSERT_GT(grouped.nodes.size(), 3u);
  EXPECT_TRUE(grouped.nodes[0].starts_with("root eval 7: b1 q2"));
  EXPECT_TRUE(grouped.nodes[0].ends_with(" b1 q2 [1 2 0 0] board"));
  EXPECT_TRUE(grouped.nodes[1].starts_with("null more 7: b1 q2"));
  EXPECT_TRUE(grouped.nodes[1].ends_with(" b1 q2 [1 2 0 0]"));
  EXPECT_EQ(grouped.nodes.back(), "null eval 7: r3 [1 2 0 0]");
  EXPECT_LE(grouped.most_queries, 4096u + 1024u);
}

TEST(log_grouping, pieces_are_told_with_their_nodes) {
  expect_examples({
      {"moves, and what is asked before they are made",
       {three_pieces + ", b a1 7, move b1b2, r b2 205, make 205, r b2 205, null, unmake, unmake, q b1 7"},
       {"root 7: b0 [1 2 0 0] board", "make 205: r9 [1 0 0 0]", "make 205: r9 [1 200 0 0] b1b2",
        "null 205: [1 200 0 0]", "null 205: [1 200 0 0]", "unmake 7: q1 [1 2 0 0] back"},
       {.queries = 4, .occupancy_changes = 1}},
      {"other occupancies move no pieces",
       {three_pieces + ", r b1 6, r b1 7, r b1 3, move a1d4, make, eval, b b1 6, unmake"},
       {"root 7: [1 2 0 0] board", "make 6: r1 [0 2 0 0]", "unmake 7: r1 [1 2 0 0]", "make 3: r1 [1 2 0 0]",
        "make eval 8000006: [8000000 2 0 0] a1d4", "make 6: b1 [0 2 0 0]", "unmake 7: [1 2 0 0] back"},
       {.queries = 4, .evaluations = 1, .occupancy_changes = 4}},
      {"a move without an occupancy leads to that of the pieces",
       {three_pieces + ", move c1c2, make, move a1b2, make, unmake, unmake"},
       {"root 7: [1 2 0 0] board", "make 403: [1 2 0 0] c1c2", "make 602: [200 2 0 0] a1b2",
        "unmake 403: [1 2 0 0] back", "unmake 7: [1 2 0 0] back"},
       {}},
      {"a board that was cut off is none of the next log",
       {three_pieces + ", board 8/8/8/8/8/8/8/8", "move a1a2, " + three_pieces + ", move a1b2, make 206"},
       {"root 7: [1 2 0 0] board", "root 7: [1 2 0 0] board", "make 206: [200 2 0 0] a1b2"},
       {.dropped = 1}},
  });
}

TEST(log_grouping, both_sides_have_sliders_on_the_squares_asked_about) {
  Grouped grouped;
  grouped.add(begun(start_board) + ", r a1 f");
  EXPECT_EQ(grouped.nodes,
            (Nodes{"root ffff00000000ffff: [2c 89 2c00000000000000 8900000000000000] board", "make f: r0 [c 9 0 0]"}));
  EXPECT_EQ(grouped.board, *parse_placement(start_board));
}

TEST(log_grouping, the_board_tells_what_kind_a_move_is) {
  const std::pair<std::string, std::string> moves[] = {
      {"e5d6", "e5d6 en passant"}, {"e5e6", "e5e6"},          {"a7a8n", "a7a8n"},
      {"a2a1q", "a2a1q"},          {"e1e2", "e1e2"},          {"e1f1", "e1f1"},
      {"e1g1", "e1g1 castling"},   {"e1h1", "e1g1 castling"}, {"e1c1", "e1c1 castling"},
      {"e1a1", "e1c1 castling"},   {"e8g8", "e8g8 castling"}, {"e8h8", "e8g8 castling"},
      {"e8c8", "e8c8 castling"},   {"e8a8", "e8c8 castling"}};
  for (const auto& [move, told] : moves) {
    Grouped grouped;
    grouped.add(begun("r3k2r/P6p/8/3pP3/8/8/p6P/R3K2R") + ", move " + move + ", make");
    EXPECT_TRUE(grouped.nodes.back().ends_with("] " + told)) << grouped.nodes.back();
  }
}

void expect_fault(const std::string& part, const std::string& log) {
  try {
    Grouped().add(log);
    ADD_FAILURE() << "no fault: " << log;
  } catch (const PieceFault& fault) {
    EXPECT_NE(std::string(fault.what()).find(part), std::string::npos) << log << ": " << fault.what();
  }
}

TEST(log_grouping, boards_that_do_not_fit) {
  const std::string board = std::string("board ") + start_board;
  expect_fault("a side has two kings", "board kk6/8/8/8/8/8/8/8");
  expect_fault("more than 16 pieces", "board pppppppp/pppppppp/p7/8/8/8/8/8");
  for (const char* first : {", root ff", ", r b1 ff"}) {
    expect_fault("the root's occupancy is not that of its board", board + first);
  }
  expect_fault("a position without a board, in a recording that has boards", begun(start_board) + ", root ff");
  Grouped after_another_log;
  after_another_log.add(three_pieces);
  EXPECT_THROW(after_another_log.add("root 7"), PieceFault);
  expect_fault("a board, but the root before has none", "root 7, " + board);
  expect_fault("a board without a root after it", begun(start_board) + ", " + board + ", make");
}

TEST(log_grouping, moves_that_do_not_fit) {
  const std::string start = begun(start_board);
  for (const std::string move : {"e4e5", "a1a2", "e1g1", "e1h1", "d1e8", "e2d3", "e2e4q"}) {
    expect_fault("the move " + move + " does not fit the board", start + ", move " + move);
  }
  expect_fault("the move a7a8 does not say what the pawn becomes", begun("8/P7/8/8/8/8/8/8") + ", move a7a8");
  expect_fault("a move, but the root before has no board", "root ff, move e2e4");
  expect_fault("after the move was made is not that of the pieces", start + ", move e2e4, make ff");
  expect_fault("after the move was taken back is not that", start + ", move e2e4, make, unmake 1");
  expect_fault("after the move was taken back is not that", start + ", null, unmake 6");
  expect_fault("a make without a move", start + ", make");
  expect_fault("no move to take back", start + ", unmake");
  for (const char* next : {"root 1", "unmake", "null", "move e2e4", "board 8/8/8/8/8/8/8/8"}) {
    expect_fault("a move without a make after it", start + ", move e2e4, " + next);
  }
}

TEST(log_grouping, so_many_moves_can_be_taken_back) {
  std::string log = begun(start_board);
  for (unsigned n = 0; n < 150; ++n) {
    log += n % 2 == 0 ? ", move g1f3, make, move g8f6, make" : ", move f3g1, make, move f6g8, make";
  }
  for (unsigned n = 0; n < max_line; ++n) log += ", unmake";
  EXPECT_EQ(Grouped().add(log).nodes.size(), 1u + 300u + max_line);
  expect_fault("more than 255 moves are taken back in a row", log + ", unmake");
}

}  // namespace
}  // namespace slidebench
