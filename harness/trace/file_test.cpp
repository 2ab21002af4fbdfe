// SPDX-License-Identifier: MIT
//
// Writer and reader: round trips, and everything that the reader has to refuse. Random traces, and figures of traces.
#include <fcntl.h>
#include <sys/stat.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <span>

#include "harness/chess/random_boards.hpp"
#include "harness/trace/digest.hpp"
#include "harness/trace/random_trace.hpp"
#include "harness/trace/reader.hpp"
#include "harness/trace/test_support.hpp"
#include "harness/trace/trace_info.hpp"
#include "harness/trace/writer.hpp"

namespace slidebench::test {
namespace {

using nlohmann::json;

/// A trace of three nodes, small enough to change every bit of it.
void write_small_trace(const std::string& path, const json& provenance = {{"kind", "test"}}) {
  TraceWriter writer(path);
  const std::vector<QueryCode> queries{encode_query(QueryKind::rook, 0), encode_query(QueryKind::both, 63)};
  writer.add_node(0x8100000000000081, static_cast<NodeTag>(NodeEvent::root), {0, 1, 0, bit(63)}, queries);
  writer.add_node(0x8100000000000180, NodeTag{1 | evaluated_flag}, {0, 0, 0, bit(63)}, {});
  writer.add_node(0x8100000000000081, NodeTag{2 | probed_flag}, {1, 1, 0, 0}, std::vector<QueryCode>{5, 200});
  writer.finish(provenance);
}

constexpr MoveCode move_code(Square from, Square to, MoveKind kind = MoveKind::plain) {
  return static_cast<MoveCode>(from | to << 6 | static_cast<unsigned>(kind) << 14);
}

/// King, rook and pawn of both sides, on files e, a and d.
PieceBoard few_pieces() {
  PieceBoard board = PieceBoard::empty();
  for (const Color color : {Color::white, Color::black}) {
    const unsigned home = color == Color::white ? 0 : 56, second = color == Color::white ? 8 : 48;
    board.put({static_cast<std::uint8_t>(home + 4), piece_of(color, PieceType::king)});
    board.put({static_cast<std::uint8_t>(home), piece_of(color, PieceType::rook)});
    board.put({static_cast<std::uint8_t>(second + 3), piece_of(color, PieceType::pawn)});
  }
  return board;
}

NodeTag tag_of(NodeEvent event) { return static_cast<NodeTag>(event); }

/// Writes nodes that tell the pieces, and keeps what the pieces are at each.
class PieceWalk {
 public:
  explicit PieceWalk(const std::string& path) : writer_(path) {}

  const PieceBoard& board() const { return track_.board(); }
  std::size_t depth() const { return track_.line().size(); }

  void root(const PieceBoard& board) {
    track_.restart(board);
    add(NodeEvent::root, PieceEvent::root(board));
  }
  void make(MoveCode move) {
    track_.make(move);
    add(NodeEvent::make, PieceEvent::make(move));
  }
  void unmake() {
    track_.unmake();
    add(NodeEvent::unmake, PieceEvent::unmake());
  }
  void pass() { add(NodeEvent::null_move, {}); }
  /// Another occupancy than that of the pieces.
  void look_through() { add(NodeEvent::make, {}, 0xFFFF); }
  void finish(const json& provenance = json::object()) { writer_.finish(provenance); }

  std::vector<QueryCode> queries;  ///< of every node
  std::vector<PieceBoard> boards;

 private:
  void add(NodeEvent event, const PieceEvent& pieces, Bitboard seen = ~Bitboard{0}) {
    writer_.add_node(board().occupied() & seen, tag_of(event), {}, queries, pieces);
    boards.push_back(board());
  }

  TraceWriter writer_;
  PieceTrack track_;
};

/// The pieces at each node of a trace, without those that continue the node before.
std::vector<PieceBoard> boards_of(const Trace& trace) {
  std::vector<PieceBoard> boards;
  for (const TraceBlock& block : trace.blocks()) {
    PieceTrack track(unpack(block.boards[0]));
    const PackedBoard* next_board = block.boards + 1;
    const MoveCode* next_move = block.moves;
    for (std::uint32_t n = 0; n < block.line; ++n) track.make(*next_move++);
    for (std::uint32_t node = 0; node < block.nodes; ++node) {
      const NodeTag tag = block.tags[node];
      if (node != 0 && node_event(tag) == NodeEvent::root) track.restart(unpack(*next_board++));
      if (node != 0 && makes_move(tag)) track.make(*next_move++);
      if (node != 0 && takes_back(tag)) track.unmake();
      if ((tag & continued_flag) == 0) boards.push_back(track.board());
    }
  }
  return boards;
}

/// Queries so many that a block has some thousand nodes.
std::vector<QueryCode> many_queries() {
  std::vector<QueryCode> queries;
  for (unsigned n = 0; n < query_kinds * max_run_length; ++n) {
    queries.push_back(encode_query(static_cast<QueryKind>(n / max_run_length), n % max_run_length));
  }
  return queries;
}

void refuse(const std::string& path, const std::string& part) {
  expect_complaint(part, [&] { Trace::open(path); });
}

void refuse_bytes(const std::string& bytes, const std::string& part) {
  const TempFolder folder;
  write_file(folder / "bad", bytes);
  refuse(folder / "bad", part);
}

FileHeader header_of(const std::string& bytes) {
  FileHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

/// Gives the bytes the digest that belongs to them.
void forge(std::string& bytes) {
  FileHeader header = header_of(bytes);
  TraceDigest digest;
  digest.add(bytes.data() + sizeof header, bytes.size() - sizeof header);
  header.digest = digest.finish(header);
  std::memcpy(bytes.data(), &header, sizeof header);
}

/// With one bit changed, by its number.
std::string flipped(std::string bytes, std::size_t number) {
  bytes[number / 8] ^= static_cast<char>(1 << (number % 8));
  return bytes;
}

class TraceFileTest : public ::testing::Test {
 protected:
  const TempFolder folder_;
};

TEST_F(TraceFileTest, round_trip) {
  const std::string path = folder_ / "t.trace";
  write_small_trace(path);
  const Trace trace = Trace::open(path);
  EXPECT_EQ(trace.nodes(), 3u);
  EXPECT_EQ(trace.queries(), 4u);
  const auto of = [&](QueryKind kind) { return trace.queries(kind); };
  EXPECT_EQ((std::array{of(QueryKind::bishop), of(QueryKind::rook), of(QueryKind::queen), of(QueryKind::both)}),
            (std::array<std::uint64_t, 4>{1, 1, 0, 2}));
  EXPECT_EQ(trace.provenance().at("kind"), "test");
  EXPECT_EQ(trace.bytes(), std::filesystem::file_size(path));
  EXPECT_EQ(trace.digest_hex().size(), 16u);
  EXPECT_FALSE(trace.has_pieces());
  ASSERT_EQ(trace.blocks().size(), 1u);
  const TraceBlock& block = trace.blocks()[0];
  EXPECT_EQ(block.occupied[1], 0x8100000000000180u);
  EXPECT_TRUE(std::ranges::equal(std::span(block.tags, 3), std::array{0, 1 | evaluated_flag, 2 | probed_flag}));
  EXPECT_TRUE(std::ranges::equal(std::span(block.runs, 3), std::array{0x1010, 0, 0x1001}));
  EXPECT_TRUE(std::ranges::equal(std::span(block.squares, 4), std::array{0, 63, 5, 8}));
  EXPECT_EQ(block.sliders[2].white_diagonal, 1u);
}

TEST_F(TraceFileTest, empty_trace_is_a_trace) {
  TraceWriter(folder_ / "t").finish(json::object());
  EXPECT_EQ(Trace::open(folder_ / "t").nodes(), 0u);
  EXPECT_TRUE(Trace::open(folder_ / "t").blocks().empty());
}

TEST_F(TraceFileTest, runs_that_do_not_fit_continue_in_further_nodes) {
  TraceWriter writer(folder_ / "t");
  std::vector<QueryCode> queries;
  for (Square s = 0; s < 20; ++s) queries.push_back(encode_query(QueryKind::rook, s));  // more than 15 of a kind
  for (Square s = 0; s < 3; ++s) queries.push_back(encode_query(QueryKind::both, s));
  queries.push_back(encode_query(QueryKind::bishop, 40));  // a kind that comes too late
  writer.add_node(7, NodeTag{1 | evaluated_flag}, {1, 0, 0, 0}, queries);
  writer.finish(json::object());
  const Trace trace = Trace::open(folder_ / "t");
  ASSERT_EQ(trace.nodes(), 3u);
  const TraceBlock& block = trace.blocks()[0];
  constexpr int further = 3 | continued_flag;  // a null move
  EXPECT_TRUE(std::ranges::equal(std::span(block.runs, 3), std::array{0x00F0, 0x3050, 0x0001}));
  EXPECT_TRUE(std::ranges::equal(std::span(block.tags, 3), std::array{1 | evaluated_flag, further, further}));
  EXPECT_EQ(block.occupied[2], 7u);
  EXPECT_EQ(block.sliders[2].white_diagonal, 1u);
  std::vector<QueryCode> found;
  for_each_query(block, [&](std::uint32_t, QueryKind kind, Square s) { found.push_back(encode_query(kind, s)); });
  EXPECT_EQ(found, queries);
}

/// Makes a random move or takes one back; begins anew now and then, and where there is no move.
void wander(PieceWalk& walk, std::mt19937_64& random) {
  MoveCode move = 0;
  const unsigned choice = static_cast<unsigned>(random() % 100);
  if (choice < 2 || walk.boards.empty()) return walk.root(random_board(random));
  if (choice < 12) return walk.look_through();
  if (choice < 15) return walk.pass();
  if (choice < 55 && walk.depth() > 0) return walk.unmake();
  if (random_move(walk.board(), random, move)) return walk.make(move);
  walk.root(random_board(random));
}

TEST_F(TraceFileTest, random_walks_over_many_blocks) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    std::mt19937_64 random(seed);
    PieceWalk walk(folder_ / "t");
    walk.queries = many_queries();
    for (int i = 0; i < 8'000; ++i) wander(walk, random);
    walk.finish();
    const Trace trace = Trace::open(folder_ / "t");
    EXPECT_GT(trace.blocks().size(), 6u);
    EXPECT_EQ(boards_of(trace), walk.boards) << seed;
    for (const TraceBlock& block : trace.blocks()) {
      const void* const columns[] = {block.occupied, block.sliders, block.tags, block.runs,
                                     block.squares,  block.boards,  block.moves};
      for (const void* column : columns) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(column) % column_alignment, 0u);
    }
  }
}

constexpr MoveCode knight_out = move_code(1, 18), knight_back = move_code(18, 1);

/// A board on which a knight goes to and fro.
PieceBoard with_knight() {
  PieceBoard board = few_pieces();
  board.put({1, piece_of(Color::white, PieceType::knight)});
  return board;
}

void make_moves(PieceWalk& walk, unsigned count) {
  for (unsigned n = 0; n < count; ++n) walk.make(walk.board().on[1] == no_piece ? knight_back : knight_out);
}

/// Roots (0), moves of the knight (above 0) and moves taken back (below); and the moves that each block begins with.
struct KnightWalk {
  const char* name;
  std::vector<int> steps;
  std::vector<std::uint32_t> lines;
  std::uint32_t last_boards;  ///< of the last block
};

TEST_F(TraceFileTest, a_block_begins_with_the_moves_that_it_takes_back) {
  const KnightWalk walks[]{
      // 1,093 nodes a block
      {"from the 1,093rd move to the 1,000th", {0, 1200, -200, 2000}, {0, 93, 0, 0}, 1},
      {"a root ends what a block takes back", {0, 1100, -20, 0, 5, -5}, {0, 13}, 2},
      {"all of a line, the first before the block", {0, 1092, -int{max_line}}, {0, max_line - 1}, 1}};
  for (const KnightWalk& expected : walks) {
    SCOPED_TRACE(expected.name);
    PieceWalk walk(folder_ / "t");
    walk.queries = many_queries();
    for (const int step : expected.steps) {
      if (step == 0) walk.root(with_knight());
      if (step > 0) make_moves(walk, static_cast<unsigned>(step));
      for (int n = 0; n > step; --n) walk.unmake();
    }
    walk.finish();
    const Trace trace = Trace::open(folder_ / "t");
    EXPECT_EQ(boards_of(trace), walk.boards);
    std::vector<std::uint32_t> lines;
    for (const TraceBlock& block : trace.blocks()) lines.push_back(block.line);
    EXPECT_EQ(lines, expected.lines);
    EXPECT_EQ(trace.blocks().back().board_count, expected.last_boards);
  }
}

TEST_F(TraceFileTest, a_node_that_goes_on_in_the_next_block_keeps_its_pieces) {
  PieceWalk walk(folder_ / "t");
  walk.root(with_knight());
  make_moves(walk, 10);
  for (std::size_t i = 0; i < block_target + 1000; ++i) walk.queries.push_back(encode_query(QueryKind::rook, i % 64));
  walk.make(knight_out);
  walk.queries.clear();
  for (int n = 0; n < 5; ++n) walk.unmake();
  walk.finish();
  const Trace trace = Trace::open(folder_ / "t");
  ASSERT_EQ(trace.blocks().size(), 2u);
  EXPECT_EQ(boards_of(trace), walk.boards);
  EXPECT_EQ(trace.blocks()[1].line, 5u);
}

TEST_F(TraceFileTest, writer_refuses_what_no_reader_accepts) {
  const PieceBoard board = few_pieces();
  const auto refuses = [&](Bitboard occupied, NodeEvent event, const PieceEvent& pieces) {
    TraceWriter writer(folder_ / "t");
    writer.add_node(board.occupied(), tag_of(NodeEvent::root), {}, {}, PieceEvent::root(board));
    EXPECT_THROW(writer.add_node(occupied, tag_of(event), {}, {}, pieces), std::invalid_argument);
  };
  refuses(1, NodeEvent::root, {});
  refuses(1, NodeEvent::root, PieceEvent::root(board));
  refuses(board.occupied(), NodeEvent::null_move, PieceEvent::root(board));
  refuses(board.occupied(), NodeEvent::make, PieceEvent::make(move_code(20, 28)));
  refuses(board.occupied(), NodeEvent::make, PieceEvent::make(move_code(11, 19)));
  refuses(board.occupied(), NodeEvent::unmake, PieceEvent::unmake());
  TraceWriter writer(folder_ / "t");
  EXPECT_THROW(writer.add_node(1, 0, {2, 0, 0, 0}, {}), std::invalid_argument);
  EXPECT_THROW(writer.add_node(1, 0x40, {}, {}), std::invalid_argument);
  writer.add_node(1, tag_of(NodeEvent::root), {}, {});
  EXPECT_THROW(writer.add_node(board.occupied(), tag_of(NodeEvent::root), {}, {}, PieceEvent::root(board)),
               std::invalid_argument);
  PieceWalk walk(folder_ / "u");
  walk.root(with_knight());
  make_moves(walk, max_line + 1);
  for (unsigned n = 0; n < max_line; ++n) walk.unmake();
  EXPECT_THROW(walk.unmake(), std::invalid_argument);
}

TEST_F(TraceFileTest, zstd_holds_the_same_trace) {
  build_random_trace(folder_ / "t", {.nodes = 40'000, .seed = 5});
  build_random_trace(folder_ / "t.zst", {.nodes = 40'000, .seed = 5});
  EXPECT_LT(std::filesystem::file_size(folder_ / "t.zst"), std::filesystem::file_size(folder_ / "t"));
  std::filesystem::rename(folder_ / "t.zst", folder_ / "anything");  // recognised by content
  const Trace raw = Trace::open(folder_ / "t");
  const Trace compressed = Trace::open(folder_ / "anything");
  EXPECT_EQ(raw.digest_hex(), compressed.digest_hex());
  EXPECT_EQ(raw.bytes(), compressed.bytes());
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"anything", "t"}));
}

TEST_F(TraceFileTest, zstd_damage_is_refused) {
  build_random_trace(folder_ / "t.zst", {.nodes = 2'000, .seed = 5});
  const std::string good = read_file(folder_ / "t.zst");
  std::mt19937_64 random(1);
  for (int i = 0; i < 300; ++i) {
    const std::uint64_t number_in_byte = random() % 8;
    refuse_bytes(flipped(good, 8 * (random() % good.size()) + number_in_byte), "bad");
  }
  for (std::size_t size = 0; size < good.size(); size += 1 + good.size() / 300) {
    refuse_bytes(good.substr(0, size), "bad");
  }
  refuse_bytes(good.substr(0, good.size() - 1), "truncated");
  refuse_bytes(good + good, "after its end");
  refuse_bytes(good + "x", "bad");
}

TEST_F(TraceFileTest, foreign_files_are_refused) {
  refuse(folder_ / "none", "No such file");
  refuse(folder_ / ".", "is a directory");
  refuse_bytes("", "is empty");
  refuse_bytes("1. e4 e5 2. Nf3 *", "is not a slidebench trace");
  refuse("/dev/zero", "not a regular file");
  if (::geteuid() == 0) return;  // root may read everything
  write_file(folder_ / "t", "");
  std::filesystem::permissions(folder_ / "t", std::filesystem::perms::none);
  refuse(folder_ / "t", "Permission denied");
}

TEST_F(TraceFileTest, other_lengths_and_every_flipped_bit_are_refused) {
  write_small_trace(folder_ / "t");
  const std::string good = read_file(folder_ / "t");
  refuse_bytes(good + "\n", "after its end");
  for (std::size_t size = 1; size < good.size(); ++size) {
    refuse_bytes(good.substr(0, size), size < 8 ? "is not a slidebench trace" : "is truncated");
  }
  for (std::size_t i = 0; i < 8 * good.size(); ++i) {
    refuse_bytes(flipped(good, i), i / 8 < sizeof(FileHeader) ? "bad" : "is damaged: checksum");
  }
}

TEST_F(TraceFileTest, random_flipped_bits_of_a_large_trace_are_refused) {
  build_random_trace(folder_ / "t", {.nodes = 20'000, .seed = 9});
  const std::string good = read_file(folder_ / "t");
  std::mt19937_64 random(2);
  for (int i = 0; i < 100; ++i) {
    const std::size_t header_bits = 8 * sizeof(FileHeader);
    refuse_bytes(flipped(good, header_bits + random() % (8 * good.size() - header_bits)), "is damaged: checksum");
  }
}

TEST_F(TraceFileTest, damaged_provenance_is_refused_by_place) {
  nlohmann::json provenance = nlohmann::json::parse(R"({
    "kind": "search", "name": "mine", "recipe": "a", "slidebench": "1", "pgn_extract": "22",
    "sources": [{"name": "a.pgn", "sha256": null, "bytes": 7}], "games": 1, "plies": 2, "rejected": 3, "empty": 4,
    "positions": 5, "nodes": 6, "seed": null, "depth": 7,
    "search": {"nodes": 1, "evaluations": 2, "visits": 3, "callers": {"pins": 4}}
  })");
  write_small_trace(folder_ / "t", provenance);
  Trace::open(folder_ / "t");  // as it should be
  for_each_damage(provenance, [&](const std::string& place) {
    write_small_trace(folder_ / "t", provenance);
    refuse(folder_ / "t", "provenance: " + (place.empty() ? "the whole" : place));
  });
}

/// A field of a file, a little-endian number.
struct Field {
  std::uint64_t at;
  unsigned bytes;
  std::uint64_t value;
};

/// Fields that are overwritten, and what the reader says of it.
struct Mutation {
  std::vector<Field> fields;
  const char* part;
};

/// Whoever forges the digest still gets no trace past the reader that breaks a rule of the format.
class ForgedTrace : public TraceFileTest {
 protected:
  void SetUp() override {
    write_small_trace(folder_ / "t", long_provenance_);
    bytes_ = read_file(folder_ / "t");
  }

  void expect_refused(const std::string& part) {
    forge(bytes_);
    refuse_bytes(bytes_, part);
  }

  /// Each by itself, of a trace that is sound without.
  void expect_refused(const std::vector<Mutation>& mutations) {
    const std::string good = bytes_;
    forge(bytes_);
    write_file(folder_ / "good", bytes_);
    EXPECT_EQ(complaint([this] { Trace::open(folder_ / "good"); }), "");
    for (const Mutation& mutation : mutations) {
      SCOPED_TRACE(mutation.part);
      bytes_ = good;
      for (const Field& field : mutation.fields) std::memcpy(&bytes_[field.at], &field.value, field.bytes);
      expect_refused(mutation.part);
    }
  }

  /// Another header of the only block, which takes of the provenance what it has more.
  std::vector<Field> other_counts(const BlockHeader& header) const {
    const FileHeader good = header_of(bytes_);
    const std::uint64_t size = block_layout(header).bytes, all = good.payload_bytes + good.provenance_bytes;
    return {{block + offsetof(BlockHeader, bytes), 8, size},
            {block + offsetof(BlockHeader, moves), 4, header.moves},
            {block + offsetof(BlockHeader, line), 4, header.line},
            {offsetof(FileHeader, payload_bytes), 8, size},
            {offsetof(FileHeader, provenance_bytes), 8, all - size}};
  }

  static constexpr std::uint64_t block = sizeof(FileHeader);  ///< where it begins
  const json long_provenance_ = {{"kind", std::string(600, 'x')}};
  const BlockLayout layout_ = block_layout({.nodes = 3, .queries = 4});
  std::string bytes_;
};

TEST_F(ForgedTrace, each_field_is_held_to_the_others) {
  const FileHeader good = header_of(bytes_);
  constexpr std::uint64_t payload = offsetof(FileHeader, payload_bytes), added = offsetof(FileHeader, provenance_bytes);
  constexpr std::uint64_t nodes = block + offsetof(BlockHeader, nodes), bytes = block + offsetof(BlockHeader, bytes);
  expect_refused({
      {{{nodes, 4, 0}}, "no nodes"},
      {{{nodes, 4, 0xFFFFFFFF}}, "size does not fit"},
      {{{bytes, 8, std::uint64_t{0} - 64}}, "size does not fit"},
      {{{nodes, 4, 1000}, {bytes, 8, block_layout({.nodes = 1000, .queries = 4}).bytes}}, "beyond the end"},
      {other_counts({.nodes = 3, .queries = 4, .moves = 1}), "moves without a board"},
      {{{block + sizeof(BlockHeader) - 1, 1, 1}}, "must be zero"},
      {{{block + layout_.runs, 1, 0x20}}, "do not add up"},
      {{{block + layout_.runs, 1, 0x01}}, "the counts in its header"},  // a bishop, not a rook
      {{{block + layout_.squares + 3, 1, 64}}, "a query has no square"},
      {{{block + layout_.tags + 2, 1, 0x40}}, "unknown flags"},
      {{{block + layout_.sliders + 24, 8, std::uint64_t{1} << 30}}, "empty square"},
      {{{bytes_.size() - 1, 1, '"'}}, "its provenance: "},  // no JSON
      {{{offsetof(FileHeader, nodes), 8, 4}}, "the counts in its header"},
      {{{offsetof(FileHeader, blocks), 8, 2}}, "the counts in its header"},
      {{{payload, 8, ~std::uint64_t{0}}}, "impossible size"},
      {{{payload, 8, good.payload_bytes - 32}, {added, 8, good.provenance_bytes + 32}}, "beyond the end"},
      {{{payload, 8, good.payload_bytes + 8}, {added, 8, good.provenance_bytes - 8}}, "its header is cut off"},
      {{{offsetof(FileHeader, header_bytes), 4, 64}}, "makes no sense"},
      {{{offsetof(FileHeader, zero), 4, 1}}, "makes no sense"},
      {{{sizeof(FileHeader) - 1, 1, 1}}, "makes no sense"},
      {{{offsetof(FileHeader, version), 4, 1}}, "has format version 1, this program reads 2"},
      {{{offsetof(FileHeader, version), 4, 7}}, "has format version 7, this program reads 2"},
      {{{offsetof(FileHeader, byte_order), 4, 0x04030201}}, "other byte order"},
  });
}

/// The same for what a trace tells of the pieces.
class ForgedPieces : public ForgedTrace {
 protected:
  void SetUp() override {
    PieceWalk walk(folder_ / "t");
    walk.root(few_pieces());
    walk.make(move_code(11, 27));
    walk.unmake();
    walk.make(move_code(0, 8));
    walk.root(few_pieces());
    walk.finish(long_provenance_);
    bytes_ = read_file(folder_ / "t");
  }

  const BlockLayout pieces_ = block_layout({.nodes = 5, .boards = 2, .moves = 2});
};

TEST_F(ForgedPieces, each_field_is_held_to_the_others) {
  constexpr std::uint64_t line = block + offsetof(BlockHeader, line);
  const auto tag = [this](std::uint32_t node, unsigned value) { return Field{block + pieces_.tags + node, 1, value}; };
  std::vector<Mutation> mutations{
      {{{line, 4, 3}}, "its line has too many moves"},
      {other_counts({.nodes = 5, .boards = 2, .moves = max_line + 1, .line = max_line + 1}),
       "its line has too many moves"},
      {{{line, 4, 1}}, "an occupancy is not that of its pieces"},
      {{tag(4, tag_of(NodeEvent::null_move))}, "boards or moves that no node needs"},
      {{tag(3, tag_of(NodeEvent::make))}, "boards or moves that no node needs"},
      {{tag(2, tag_of(NodeEvent::root))}, "a root has no board"},
      {{tag(4, 1 | moved_flag)}, "a node has no move"},
      {{tag(1, 2 | moved_flag)}, "a move is taken back that was not made"},
      {{tag(1, 3 | moved_flag)}, "pieces move without a move"},
  };
  for (const MoveCode bad : {move_code(20, 28), move_code(11, 11), move_code(0, 4), move_code(11, 60),
                             move_code(11, 18, MoveKind::en_passant), move_code(4, 6, MoveKind::castling),
                             move_code(11, 19, MoveKind::promotion)}) {
    mutations.push_back({{{block + pieces_.moves, 2, bad}}, "a move does not fit the board"});
  }
  for (const std::uint64_t board : {block + pieces_.boards, block + pieces_.boards + sizeof(PackedBoard)}) {
    mutations.push_back(
        {{{board, 8, 0}, {board + 8, 8, 0}, {board + 16, 8, 0}, {board + 24, 8, 0}}, "a side has more than 16 pieces"});
    mutations.push_back({{{board, 1, 0x55}}, "a side has two kings"});
    for (const unsigned two : {0xDCu, 0xCDu, 0xFFu, 0xECu}) {
      mutations.push_back({{{board + 31, 1, two}}, "a square of a board has no such piece"});
    }
  }
  for (std::uint64_t node = 0; node < 5; ++node) {
    mutations.push_back({{{block + pieces_.occupied + 8 * node, 8, 1}}, "an occupancy is not that of its pieces"});
  }
  expect_refused(mutations);
}

TEST_F(ForgedPieces, only_some_blocks_tell_them) {
  write_small_trace(folder_ / "other");
  const std::string good = bytes_, other = read_file(folder_ / "other");
  const std::uint64_t own = header_of(good).payload_bytes, added = header_of(other).payload_bytes;
  for (const std::uint64_t before : {std::uint64_t{0}, own}) {
    bytes_ = good;
    bytes_.insert(block + before, other, block, added);
    const std::uint64_t together = own + added;
    std::memcpy(&bytes_[offsetof(FileHeader, payload_bytes)], &together, sizeof together);
    expect_refused("only some blocks tell the pieces");
  }
}

TEST_F(ForgedPieces, damage_at_random_is_refused_or_safe) {
  const std::string good = bytes_;
  std::mt19937_64 random(7);
  for (unsigned i = 0; i < 500; ++i) {
    bytes_ = good;
    for (unsigned n = 0; n <= i % 3; ++n) bytes_ = flipped(bytes_, 8 * block + random() % (8 * pieces_.bytes));
    forge(bytes_);
    write_file(folder_ / "bad", bytes_);
    complaint([&] {
      const Trace trace = Trace::open(folder_ / "bad");
      if (trace.has_pieces()) boards_of(trace);
    });
  }
}

TEST_F(TraceFileTest, a_zstd_stream_that_promises_more_than_any_memory_is_refused) {
  // The second is perhaps mapped, but never filled.
  for (const auto& [bits, part] : {std::pair{62, "bytes of memory; unpack it by zstd -d"}, {36, "bad"}}) {
    FileHeader header;
    header.payload_bytes = std::uint64_t{1} << bits;
    std::string packed(ZSTD_compressBound(sizeof header), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), &header, sizeof header, 1));
    refuse_bytes(packed, part);
  }
}

TEST_F(TraceFileTest, a_pipe_is_written_and_not_read) {
  const std::string fifo = folder_ / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  refuse(fifo, "not a regular file");
  const int reader = ::open(fifo.c_str(), O_RDONLY | O_NONBLOCK);
  build_random_trace(fifo, {.nodes = 10, .seed = 1});
  std::string bytes(1 << 16, '\0');
  const ssize_t count = ::read(reader, bytes.data(), bytes.size());
  ::close(reader);
  ASSERT_GT(count, 0);
  write_file(folder_ / "t", bytes.substr(0, static_cast<std::size_t>(count)));
  EXPECT_EQ(Trace::open(folder_ / "t").nodes(), 10u);
}

TEST_F(TraceFileTest, unwritable_places) {
  write_file(folder_ / "file", "x");
  const std::pair<std::string, const char*> places[]{
      {folder_ / "none/t", "No such file or directory; create the folder"},
      {folder_ / "none/t.zst", "No such file or directory; create the folder"},
      {folder_ / ".", "is a directory"},
      {"", "is empty"},
      {"/proc/t", "cannot write /proc/t:"},  // root may write into every ordinary folder
      {folder_ / "file/t", "Not a directory"},
      {"/dev/full", "cannot write /dev/full: No space left on device"}};
  for (const auto& [path, part] : places) {
    expect_complaint(part, [&path = path] { build_random_trace(path, {.nodes = 10, .seed = 1}); });
  }
}

TEST_F(TraceFileTest, an_old_file_stays_without_finish_and_is_replaced_through_a_link_by_it) {
  write_file(folder_ / "t", "old");
  {
    TraceWriter raw(folder_ / "t");
    TraceWriter compressed(folder_ / "t.zst");
    raw.add_node(1, 0, {}, {});
    EXPECT_EQ(folder_.names(), (std::vector<std::string>{"t", "t.partial", "t.zst.partial"}));
  }
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"t"});
  EXPECT_EQ(read_file(folder_ / "t"), "old");
  std::filesystem::create_symlink("t", folder_ / "link");
  write_small_trace(folder_ / "link");
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link"));
  EXPECT_EQ(Trace::open(folder_ / "t").nodes(), 3u);
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
  EXPECT_EQ(info.queries, 4 * 65'536u);
  EXPECT_EQ(info.queries_per_node.max, 4u);
  EXPECT_NEAR(info.same_occupancy_share.value(), 0.75, 0.001);
  EXPECT_DOUBLE_EQ(info.replayed_bytes_per_query.value(), 3.5);
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
