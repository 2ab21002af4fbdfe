// SPDX-License-Identifier: MIT
//
// A log, whole and broken, its squares, boards and moves; the trace file that logs become; and how
// their records become nodes, and what their boards and moves tell of the pieces.
#include "harness/import/query_log.hpp"

#include <zstd.h>

#include <algorithm>

#include "harness/chess/squares.hpp"
#include "harness/import/log_grouping.hpp"
#include "harness/import/log_import.hpp"
#include "harness/trace/reader.hpp"
#include "harness/trace/test_support.hpp"

namespace slidebench::test {
namespace {

constexpr Square e4 = 28;

const std::vector<LogRecord> one_of_each{{LogEvent::root, 0, 0xFFFF00000000FFFF},
                                         {LogEvent::make, 0, 0},
                                         {LogEvent::make, 0, 0xFF},
                                         {LogEvent::unmake, 0, 0xFE},
                                         {LogEvent::unmake, 0, 0},
                                         {LogEvent::null_move, 0, 0},
                                         {LogEvent::evaluated, 0, 0},
                                         {LogEvent::probed, 0, 0},
                                         {LogEvent::bishop, e4, 0xABCDEF0123456789},
                                         {LogEvent::rook, 0, 0},
                                         {LogEvent::queen, 63, 1},
                                         {LogEvent::both, 7, 0x8000000000000000}};

const std::vector<LogRecord> with_pieces{
    {LogEvent::board, 0, 0, {}, *parse_placement("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")},
    {LogEvent::root, 0, 0xFFFF00000000FFFF},
    {LogEvent::move, 0, 0, {12, e4}},
    {LogEvent::make, 0, 0},
    {LogEvent::move, 0, 0, {48, 56, PieceType::knight}},
    {LogEvent::bishop, e4, 0},
    {LogEvent::move, 0, 0, {15, 7, PieceType::queen}}};

const std::string text_with_pieces =
    "board rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\nroot ffff00000000ffff\nmove e2e4 # a pawn\nmake\n"
    "move a7a8n\nb e4 0\nmove h2h1q\n";

const std::string text_of_each =
    "# a log\nroot 0xFFFF00000000FFFF\n\nmake\nmake 0XfF # with what it leads to\n\tunmake  fe\r\nunmake#\nnull\neval\n"
    "probe\nb e4 abcdef0123456789\nr a1 0\n  q h8 0000000000000001  \nx h1 8000000000000000\n";

std::string zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

class QueryLogTest : public ::testing::Test {
 protected:
  std::vector<LogRecord> read(const std::string& bytes) {
    write_file(path_, bytes);
    QueryLog log(path_);
    std::vector<LogRecord> records;
    while (const auto record = log.next()) records.push_back(*record);
    cut_off_ = log.cut_off();
    EXPECT_EQ(log.bytes(), bytes.size());
    return records;
  }

  void refuse(const std::string& bytes, const std::string& part) {
    expect_complaint(part, [&] { read(bytes); });
  }

  const TempFolder folder_;
  std::string path_ = folder_ / "my.queries";
  std::uint64_t cut_off_ = 0;
};

TEST_F(QueryLogTest, each_event_plain_and_compressed) {
  const std::pair<std::string, std::vector<LogRecord>> logs[] = {
      {text_of_each, one_of_each}, {text_with_pieces, with_pieces}, {"", {}}};
  for (const auto& [whole, records] : logs) {
    for (const std::string& bytes : {whole, zstd(whole)}) {
      EXPECT_EQ(read(bytes), records);
      EXPECT_EQ(cut_off_, 0u);
    }
  }
  const std::string packed = zstd(text_of_each);
  refuse(packed.substr(0, packed.size() / 2), "damaged or incomplete");
}

TEST_F(QueryLogTest, lines_that_span_the_pieces_in_which_a_file_is_read) {
  std::vector<LogRecord> records;
  std::string text;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    records.push_back({LogEvent::rook, static_cast<Square>(i % 64), i * 0x9E3779B97F4A7C15});
    text += fmt::format("r {} {:x}\n", square_name(records.back().square), records.back().occupied);
  }
  EXPECT_EQ(read(text), records);
}

TEST_F(QueryLogTest, a_log_that_was_cut_off_is_read_up_to_there) {
  EXPECT_EQ(read("b e4 ff00\nb e4 ff").size(), 1u);  // of which nobody knows how it went on
  EXPECT_EQ(cut_off_, 7u);
}

TEST_F(QueryLogTest, lines_that_are_wrong) {
  refuse("b e4 ff\nbishop e4 ff\n", "my.queries, line 2: unknown event 'bishop'; the events are root, make");
  refuse("b e9 ff\n", "no square: 'e9'; write b SQUARE OCCUPANCY");
  refuse("r\n", "no square: ''");
  refuse("r e4\n", "no occupancy: ''");
  refuse("q e4 fg\n", "no occupancy: 'fg'");
  refuse("x e4 -1\n", "no occupancy: '-1'");
  refuse("x e4 0x\n", "no occupancy: '0x'");
  refuse("x e4 11112222333344445\n", "no occupancy: '11112222333344445'");
  refuse("x e4 ff ff\n", "more than was expected: 'ff'");
  refuse("null ff\n", "more than was expected: 'ff'");
  refuse("eval e4\n", "more than was expected");
  refuse("root\n", "no occupancy: ''; write root OCCUPANCY");
  refuse("make g4\n", "no occupancy: 'g4'; write make [OCCUPANCY]");
  refuse("board 8/8\n", "no board: '8/8'; write board PLACEMENT, the first field of a FEN");
  refuse("board 8/8/8/8/8/8/8/8 w\n", "more than was expected: 'w'; write board PLACEMENT");
  refuse("move e2\n", "no move: 'e2'; write move FROMTO[PROMOTION], such as move e7e8q");
  refuse("move e2e4 ff\n", "more than was expected: 'ff'");
}

TEST_F(QueryLogTest, what_is_no_log) {
  refuse("\x1b[1m\n", "line 1: unknown event '?[1m'");
  refuse("[Event \"Opera\"]\n", "unknown event '[Event'");
  refuse(std::string(100'000, 'b'), "line 1: longer than 4096 bytes: 'bbbb");
  refuse("b e4 ff\n" + std::string(5000, '\n') + std::string(5000, ' '), "line 5002: longer than");
  expect_complaint("cannot open", [&] { QueryLog log(folder_ / "missing"); });
}

TEST(log_notation, what_is_no_square_board_or_move) {
  for (const char* text : {"", "e", "e9", "e0", "i4", "E4", "e44"}) EXPECT_FALSE(parse_square(text)) << text;
  for (const char* text :
       {"", "8", "8/8/8/8/8/8/8", "8/8/8/8/8/8/8/8/", "8/8/8/8/8/8/8/8/8", "9/8/8/8/8/8/8/8", "7/8/8/8/8/8/8/8",
        "8p/8/8/8/8/8/8/8", "8/8/8/8x/8/8/8/8", "7x/8/8/8/8/8/8/8", "/8/8/8/8/8/8/8", "ppppppppp/8/8/8/8/8/8/8"})
    EXPECT_FALSE(parse_placement(text)) << text;
  for (const char* text : {"", "e2", "e2e", "e2e9", "e7e8k", "e7e8p", "e7e8Q", "e7e8qq", "0000", "O-O"})
    EXPECT_FALSE(parse_move(text)) << text;
}

constexpr const char* log_text =
    "root ff\nb a1 ff\nr a1 ff\nmake fe\nprobe\nr b1 fe\nb c1 fe\neval\nq d1 fe\nr b1 fc\nunmake ff\nx e1 ff\n";

class LogImport : public ::testing::Test {
 protected:
  LogImport() { write_file(log_, log_text); }

  ImportReport import(const LogImportOptions& options = {}) { return import_logs({log_}, out_, options); }

  const TempFolder folder_;
  std::string log_ = folder_ / "my.queries";
  std::string out_ = folder_ / "my engine.trace";
};

TEST_F(LogImport, nodes_queries_and_provenance) {
  const ImportReport report = import();
  EXPECT_EQ(report.counts.queries, 7u);
  EXPECT_EQ(report.queries, 6u);
  EXPECT_EQ(report.nodes, 4u);
  const Trace trace = Trace::open(out_);
  EXPECT_FALSE(trace.has_sliders());
  EXPECT_EQ(trace.queries(QueryKind::both), 2u);
  EXPECT_EQ(trace.nodes(), 5u);  // a bishop after a rook continues in a node of its own
  const nlohmann::json& provenance = trace.provenance();
  EXPECT_EQ(provenance.at("kind"), "import");
  EXPECT_EQ(provenance.at("name"), "my_engine");
  EXPECT_EQ(provenance.at("sources").at(0).at("name"), "my.queries");
  EXPECT_EQ(provenance.at("sources").at(0).at("bytes"), std::string(log_text).size());
  EXPECT_EQ(provenance.at("search").at("visits"), 2u);
  EXPECT_EQ(provenance.at("merged"), 1u);
  EXPECT_EQ(provenance.at("occupancy_changes"), 1u);
  EXPECT_EQ(provenance.at("recipe"), "slidebench trace import --merge-both 1 --name my_engine my.queries");
  EXPECT_EQ(import({.merge_both = 0}).queries, 7u);
}

TEST_F(LogImport, a_limit) {
  EXPECT_FALSE(import({.limit = 7}).limit_reached);
  const ImportReport report = import({.limit = 3});
  EXPECT_TRUE(report.limit_reached);
  EXPECT_EQ(report.counts.queries, 3u);
  const Trace trace = Trace::open(out_);
  EXPECT_TRUE(trace.provenance().at("sources").at(0).at("sha256").is_null());
  EXPECT_EQ(trace.provenance().at("limit"), 3u);
  const std::vector<ImportedLog> logs = import_logs({log_, log_, log_}, out_, {.limit = 10}).logs;
  ASSERT_EQ(logs.size(), 2u);
  EXPECT_EQ(logs[1].queries, 3u);
}

TEST_F(LogImport, a_log_with_boards_and_moves_tells_the_pieces_if_they_are_wanted) {
  write_file(log_,
             "board 4k3/8/8/8/8/8/7P/R3K2R\nroot 1000000000008091\nx e1 1000000000008091\nr a1 1000000000008011\n"
             "move e1g1\nmake\nr f1 1000000000008061\neval\nmove e8d8\nmake 0800000000008061\nunmake\n"
             "unmake 1000000000008091\nb h1 1000000000008091\n");
  EXPECT_TRUE(import().has_pieces);
  const Trace trace = Trace::open(out_);
  EXPECT_TRUE(trace.has_sliders());
  const TraceBlock& block = trace.blocks()[0];
  ASSERT_EQ(block.nodes, 6u);
  EXPECT_EQ(block.tags[2], 1 | moved_flag | evaluated_flag);
  EXPECT_EQ(block.sliders[2].white_orthogonal, 0x21u);
  import({.pieces = false, .name = "a"});
  const Trace without = Trace::open(out_);
  EXPECT_FALSE(without.has_sliders());
  EXPECT_EQ(without.provenance().at("recipe"),
            "slidebench trace import --no-pieces --merge-both 1 --name a my.queries");
  EXPECT_EQ(without.nodes(), 6u);
}

TEST_F(LogImport, pieces_that_do_not_fit_are_refused_where_they_stand) {
  write_file(log_, "board 4k3/8/8/8/8/8/8/R3K3\nroot 1000000000000011\nr a1 1000000000000011\n\nunmake\n");
  expect_complaint("my.queries, line 5: an unmake, but there is no move", [this] { import(); });
  expect_complaint("record it again, or import it with --no-pieces", [this] { import(); });
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"my.queries"});
  EXPECT_FALSE(import({.pieces = false}).has_pieces);
  EXPECT_FALSE(Trace::open(out_).has_pieces());
}

TEST_F(LogImport, refused_and_nothing_left_behind) {
  expect_complaint("both input and output", [&] { import_logs({log_}, log_); });
  expect_complaint("is a directory", [&] { import_logs({folder_ / ""}, out_); });
  expect_complaint("no name for a trace", [&] { import({.name = "my engine"}); });
  expect_complaint("no name for a trace", [&] { import({.name = std::string(65, 'a')}); });
  write_file(folder_ / "only events", "root ff\nmake\nunmake\n");
  expect_complaint("no query in only events", [&] { import_logs({folder_ / "only events"}, out_); });
  write_file(folder_ / "bad", std::string(log_text) + "b e4\n");
  expect_complaint("bad, line 13: no occupancy", [&] { import_logs({log_, folder_ / "bad"}, out_); });
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"bad", "my.queries", "only events"}));
}

TEST(trace_name, of_files) {
  EXPECT_EQ(trace_name_of("/some/where/my-engine_2.1.trace.zst"), "my-engine_2.1");
  EXPECT_EQ(trace_name_of("my engine, new"), "my_engine__new");
  EXPECT_EQ(trace_name_of(""), "import");
  EXPECT_EQ(trace_name_of(".trace"), ".trace");
  EXPECT_TRUE(is_trace_name(trace_name_of(std::string(300, 'x'))));
}

using Nodes = std::vector<std::string>;

/// What becomes of logs, a text a node, such as "make 205: r9 [1 200 0 0] b1b2": the sliders stand in brackets, in
/// hexadecimal, and then comes what becomes of the pieces.
struct Grouped {
  explicit Grouped(unsigned merge_both = 1)
      : grouping(merge_both, [this](Bitboard occupied, NodeTag tag, const SliderSets& sliders,
                                    std::span<const QueryCode> queries, const PieceEvent& event) {
          nodes.push_back(text_of_node(occupied, tag, queries) + text(sliders) + text(event));
          most_queries = std::max(most_queries, queries.size());
          if (event.kind == PieceEvent::Kind::root) board = pack(event.board);
        }) {}

  /// A log with commas between its lines.
  Grouped& add(std::string log) {
    std::replace(log.begin(), log.end(), ',', '\n');
    write_file(folder / "log", log + "\n");
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
  const TempFolder folder;
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
}  // namespace slidebench::test
