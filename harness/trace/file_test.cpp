// SPDX-License-Identifier: MIT
//
// Writer and reader: round trips, and everything that the reader has to refuse.
#include <fcntl.h>
#include <sys/stat.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <span>

#include "harness/base/json_damage.hpp"
#include "harness/trace/digest.hpp"
#include "harness/trace/random_trace.hpp"
#include "harness/trace/reader.hpp"
#include "harness/trace/test_support.hpp"
#include "harness/trace/writer.hpp"

namespace slidebench {
namespace {

using nlohmann::json;
using test::complaint;
using test::expect_complaint;
using test::read_file;
using test::TempFolder;
using test::write_file;

/// A trace of three nodes, small enough to change every bit of it.
void write_small_trace(const std::string& path) {
  TraceWriter writer(path);
  const std::vector<QueryCode> queries{encode_query(QueryKind::rook, 0), encode_query(QueryKind::both, 63)};
  writer.add_node(0x8100000000000081, static_cast<NodeTag>(NodeEvent::root), {0, 1, 0, bit(63)}, queries);
  writer.add_node(0x8100000000000180, NodeTag{1 | evaluated_flag}, {0, 0, 0, bit(63)}, {});
  writer.add_node(0x8100000000000081, NodeTag{2 | probed_flag}, {1, 1, 0, 0}, std::vector<QueryCode>{5, 200});
  writer.finish({{"kind", "test"}});
}

void refuse(const std::string& path, const std::string& part) {
  expect_complaint(part, [&] { Trace::open(path); });
}

FileHeader header_of(const std::string& bytes) {
  FileHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

/// Puts a header in front of the bytes, with the digest that belongs to them.
void forge(std::string& bytes, FileHeader header) {
  TraceDigest digest;
  digest.add(bytes.data() + sizeof header, bytes.size() - sizeof header);
  header.digest = digest.finish(header);
  std::memcpy(bytes.data(), &header, sizeof header);
}

void forge(std::string& bytes) { forge(bytes, header_of(bytes)); }

TEST(trace_file, round_trip) {
  const TempFolder folder;
  const std::string path = folder / "t.trace";
  write_small_trace(path);
  const Trace trace = Trace::open(path);
  EXPECT_EQ(trace.nodes(), 3u);
  EXPECT_EQ(trace.queries(), 4u);
  EXPECT_EQ(trace.queries(QueryKind::bishop), 1u);
  EXPECT_EQ(trace.queries(QueryKind::rook), 1u);
  EXPECT_EQ(trace.queries(QueryKind::queen), 0u);
  EXPECT_EQ(trace.queries(QueryKind::both), 2u);
  EXPECT_EQ(trace.provenance().at("kind"), "test");
  EXPECT_EQ(trace.bytes(), std::filesystem::file_size(path));
  EXPECT_EQ(trace.digest_hex().size(), 16u);
  ASSERT_EQ(trace.blocks().size(), 1u);
  const TraceBlock& block = trace.blocks()[0];
  EXPECT_EQ(block.nodes, 3u);
  EXPECT_EQ(block.queries, 4u);
  EXPECT_EQ(block.occupied[1], 0x8100000000000180u);
  EXPECT_EQ(node_event(block.tags[2]), NodeEvent::unmake);
  EXPECT_EQ(block.tags[1], 1 | evaluated_flag);
  EXPECT_EQ(block.runs[0], 0x1010);
  EXPECT_EQ(block.runs[1], 0);
  EXPECT_EQ(block.runs[2], 0x1001);
  EXPECT_TRUE(std::ranges::equal(std::span(block.squares, 4), std::array{0, 63, 5, 8}));
  EXPECT_EQ(block.sliders[2].white_diagonal, 1u);
  for (const void* column : {static_cast<const void*>(block.occupied), static_cast<const void*>(block.sliders),
                             static_cast<const void*>(block.tags), static_cast<const void*>(block.runs),
                             static_cast<const void*>(block.squares)}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(column) % column_alignment, 0u);
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"t.trace"});
}

TEST(trace_file, moved_trace_keeps_its_blocks) {
  const TempFolder folder;
  write_small_trace(folder / "t");
  Trace first = Trace::open(folder / "t");
  const Trace second = std::move(first);
  EXPECT_EQ(second.blocks()[0].occupied[0], 0x8100000000000081u);
}

TEST(trace_file, many_blocks) {
  const TempFolder folder;
  build_random_trace(folder / "t", {.nodes = 50'000, .seed = 3});
  const Trace trace = Trace::open(folder / "t");
  EXPECT_EQ(trace.queries(), 200'000u);
  ASSERT_EQ(trace.blocks().size(), 4u);
  EXPECT_EQ(trace.blocks()[0].queries, block_target);
  EXPECT_EQ(trace.blocks()[3].queries, 200'000 - 3 * block_target);
}

TEST(trace_file, empty_trace_is_a_trace) {
  const TempFolder folder;
  TraceWriter(folder / "t").finish(json::object());
  EXPECT_EQ(Trace::open(folder / "t").nodes(), 0u);
  EXPECT_TRUE(Trace::open(folder / "t").blocks().empty());
}

TEST(trace_file, runs_that_do_not_fit_continue_in_further_nodes) {
  const TempFolder folder;
  TraceWriter writer(folder / "t");
  std::vector<QueryCode> queries;
  for (Square s = 0; s < 20; ++s) queries.push_back(encode_query(QueryKind::rook, s));  // more than 15 of a kind
  for (Square s = 0; s < 3; ++s) queries.push_back(encode_query(QueryKind::both, s));
  queries.push_back(encode_query(QueryKind::bishop, 40));  // a kind that comes too late
  writer.add_node(7, NodeTag{1 | evaluated_flag}, {1, 0, 0, 0}, queries);
  writer.finish(json::object());
  const Trace trace = Trace::open(folder / "t");
  ASSERT_EQ(trace.nodes(), 3u);
  const TraceBlock& block = trace.blocks()[0];
  EXPECT_EQ(block.runs[0], 0x00F0);
  EXPECT_EQ(block.runs[1], 0x3050);
  EXPECT_EQ(block.runs[2], 0x0001);
  EXPECT_EQ(block.tags[0], 1 | evaluated_flag);
  EXPECT_EQ(block.tags[1], static_cast<NodeTag>(NodeEvent::null_move) | continued_flag);
  EXPECT_EQ(block.tags[2], block.tags[1]);
  EXPECT_EQ(block.occupied[2], 7u);
  EXPECT_EQ(block.sliders[2].white_diagonal, 1u);
  std::vector<QueryCode> found;
  for_each_query(block, [&](std::uint32_t, QueryKind kind, Square s) { found.push_back(encode_query(kind, s)); });
  EXPECT_EQ(found, queries);
}

TEST(trace_file, writer_refuses_what_no_reader_accepts) {
  const TempFolder folder;
  TraceWriter writer(folder / "t");
  EXPECT_THROW(writer.add_node(1, 0, {2, 0, 0, 0}, {}), std::invalid_argument);
  EXPECT_THROW(writer.add_node(1, 0x20, {}, {}), std::invalid_argument);
}

TEST(trace_file, zstd_holds_the_same_trace) {
  const TempFolder folder;
  build_random_trace(folder / "t", {.nodes = 40'000, .seed = 5});
  build_random_trace(folder / "t.zst", {.nodes = 40'000, .seed = 5});
  EXPECT_LT(std::filesystem::file_size(folder / "t.zst"), std::filesystem::file_size(folder / "t"));
  std::filesystem::rename(folder / "t.zst", folder / "anything");  // recognised by content
  const Trace raw = Trace::open(folder / "t");
  const Trace compressed = Trace::open(folder / "anything");
  EXPECT_EQ(raw.digest_hex(), compressed.digest_hex());
  EXPECT_EQ(raw.bytes(), compressed.bytes());
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"anything", "t"}));
}

TEST(trace_file, zstd_damage_is_refused) {
  const TempFolder folder;
  build_random_trace(folder / "t.zst", {.nodes = 2'000, .seed = 5});
  const std::string good = read_file(folder / "t.zst");
  std::mt19937_64 random(1);
  for (int i = 0; i < 300; ++i) {
    std::string bad = good;
    bad[random() % bad.size()] ^= static_cast<char>(1 << (random() % 8));
    write_file(folder / "bad", bad);
    EXPECT_NE(complaint([&] { Trace::open(folder / "bad"); }), "");
  }
  for (std::size_t size = 0; size < good.size(); size += 1 + good.size() / 300) {
    write_file(folder / "bad", good.substr(0, size));
    EXPECT_NE(complaint([&] { Trace::open(folder / "bad"); }), "") << size;
  }
  write_file(folder / "bad", good.substr(0, good.size() - 1));
  refuse(folder / "bad", "truncated");
  write_file(folder / "bad", good + good);
  refuse(folder / "bad", "after its end");
  write_file(folder / "bad", good + "x");
  EXPECT_NE(complaint([&] { Trace::open(folder / "bad"); }), "");
}

TEST(trace_file, foreign_files_are_refused) {
  const TempFolder folder;
  refuse(folder / "none", "No such file");
  refuse(folder / ".", "is a directory");
  write_file(folder / "t", "");
  refuse(folder / "t", "is empty");
  write_file(folder / "t", "1. e4 e5 2. Nf3 *");
  refuse(folder / "t", "is not a slidebench trace");
  write_file(folder / "t", "SLT");
  refuse(folder / "t", "is not a slidebench trace");
  write_file(folder / "t", std::string("SLTRACE\n"));
  refuse(folder / "t", "is truncated");
  refuse("/dev/zero", "not a regular file");
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  refuse(folder / "fifo", "not a regular file");
  if (::geteuid() == 0) return;  // root may read everything
  std::filesystem::permissions(folder / "t", std::filesystem::perms::none);
  refuse(folder / "t", "Permission denied");
}

TEST(trace_file, other_versions_and_byte_orders_are_refused) {
  const TempFolder folder;
  write_small_trace(folder / "t");
  const std::string good = read_file(folder / "t");
  std::string bad = good;
  FileHeader header = header_of(good);
  header.version = 7;
  forge(bad, header);
  write_file(folder / "t", bad);
  refuse(folder / "t", "has format version 7, this program reads 1");
  header = header_of(good);
  header.byte_order = 0x04030201;
  forge(bad, header);
  write_file(folder / "t", bad);
  refuse(folder / "t", "other byte order");
}

TEST(trace_file, trailing_bytes_are_refused) {
  const TempFolder folder;
  write_small_trace(folder / "t");
  write_file(folder / "t", read_file(folder / "t") + "\n");
  refuse(folder / "t", "after its end");
}

TEST(trace_file, every_truncation_is_refused) {
  const TempFolder folder;
  write_small_trace(folder / "t");
  const std::string good = read_file(folder / "t");
  for (std::size_t size = 1; size < good.size(); ++size) {
    write_file(folder / "bad", good.substr(0, size));
    refuse(folder / "bad", size < 8 ? "is not a slidebench trace" : "is truncated");
  }
}

TEST(trace_file, every_flipped_bit_is_refused) {
  const TempFolder folder;
  write_small_trace(folder / "t");
  const std::string good = read_file(folder / "t");
  for (std::size_t i = 0; i < 8 * good.size(); ++i) {
    std::string bad = good;
    bad[i / 8] ^= static_cast<char>(1 << (i % 8));
    write_file(folder / "bad", bad);
    refuse(folder / "bad", i / 8 < sizeof(FileHeader) ? "bad" : "is damaged: checksum");
  }
}

TEST(trace_file, random_flipped_bits_of_a_large_trace_are_refused) {
  const TempFolder folder;
  build_random_trace(folder / "t", {.nodes = 20'000, .seed = 9});
  const std::string good = read_file(folder / "t");
  std::mt19937_64 random(2);
  for (int i = 0; i < 100; ++i) {
    std::string bad = good;
    const std::size_t at = sizeof(FileHeader) + random() % (bad.size() - sizeof(FileHeader));
    bad[at] ^= static_cast<char>(1 << (random() % 8));
    write_file(folder / "bad", bad);
    refuse(folder / "bad", "is damaged: checksum");
  }
}

TEST(trace_file, damaged_provenance_is_refused_by_place) {
  const TempFolder folder;
  nlohmann::json provenance = nlohmann::json::parse(R"({
    "kind": "search", "name": "mine", "recipe": "a", "slidebench": "1", "pgn_extract": "22",
    "sources": [{"name": "a.pgn", "sha256": null, "bytes": 7}], "games": 1, "plies": 2, "rejected": 3, "empty": 4,
    "positions": 5, "nodes": 6, "seed": null, "depth": 7,
    "search": {"nodes": 1, "evaluations": 2, "visits": 3, "callers": {"pins": 4}}
  })");
  const auto write = [&] {
    TraceWriter writer(folder / "t");
    writer.add_node(0x81, static_cast<NodeTag>(NodeEvent::root), {0, 1, 0, 0}, {});
    writer.finish(provenance);
  };
  write();
  Trace::open(folder / "t");  // as it should be
  for_each_damage(provenance, [&](const std::string& place) {
    write();
    refuse(folder / "t", "provenance: " + (place.empty() ? "the whole" : place));
  });
}

/// Whoever forges the digest still gets no trace past the reader that breaks a rule of the format.
class ForgedTrace : public ::testing::Test {
 protected:
  void SetUp() override {
    write_small_trace(folder_ / "t");
    bytes_ = read_file(folder_ / "t");
  }

  char& at(std::uint64_t offset_in_block) { return bytes_[sizeof(FileHeader) + offset_in_block]; }

  template <class T>
  void put(std::uint64_t offset_in_block, T value) {
    std::memcpy(&at(offset_in_block), &value, sizeof value);
  }

  void expect_refused(const std::string& part) {
    forge(bytes_);
    write_file(folder_ / "bad", bytes_);
    refuse(folder_ / "bad", part);
  }

  void expect_refused(const FileHeader& header, const std::string& part) {
    forge(bytes_, header);
    write_file(folder_ / "bad", bytes_);
    refuse(folder_ / "bad", part);
  }

  const BlockLayout layout_ = block_layout(3, 4);
  TempFolder folder_;
  std::string bytes_;
};

TEST_F(ForgedTrace, untouched_is_accepted) {
  forge(bytes_);
  write_file(folder_ / "good", bytes_);
  EXPECT_EQ(Trace::open(folder_ / "good").nodes(), 3u);
}

TEST_F(ForgedTrace, block_without_nodes) {
  put(0, std::uint32_t{0});
  expect_refused("no nodes");
}

TEST_F(ForgedTrace, block_counts_beyond_its_size) {
  put(0, std::uint32_t{0xFFFFFFFF});
  expect_refused("size does not fit");
}

TEST_F(ForgedTrace, block_beyond_the_end) {
  put(0, std::uint32_t{1000});
  put(8, block_layout(1000, 4).bytes);
  expect_refused("beyond the end");
}

TEST_F(ForgedTrace, block_size_wraps_around) {
  put(8, std::uint64_t{0} - 64);
  expect_refused("size does not fit");
}

TEST_F(ForgedTrace, runs_do_not_add_up) {
  at(layout_.runs) = 0x20;
  expect_refused("do not add up");
}

TEST_F(ForgedTrace, square_off_the_board) {
  at(layout_.squares + 3) = 64;
  expect_refused("a query has no square");
}

TEST_F(ForgedTrace, unknown_tag_bits) {
  at(layout_.tags + 2) = 0x20;
  expect_refused("unknown flags");
}

TEST_F(ForgedTrace, slider_on_an_empty_square) {
  put(layout_.sliders + 24, Bitboard{1} << 30);
  expect_refused("empty square");
}

TEST_F(ForgedTrace, kinds_differ_from_the_header) {
  at(layout_.runs) = 0x01;  // a bishop, not a rook
  expect_refused("the counts in its header");
}

TEST_F(ForgedTrace, header_counts) {
  const FileHeader good = header_of(bytes_);
  FileHeader header = good;
  ++header.nodes;
  expect_refused(header, "the counts in its header");
  header = good;
  ++header.blocks;
  expect_refused(header, "the counts in its header");
}

TEST_F(ForgedTrace, header_sizes) {
  const FileHeader good = header_of(bytes_);
  FileHeader header = good;
  header.payload_bytes = ~std::uint64_t{0};
  expect_refused(header, "impossible size");
  header = good;
  header.header_bytes = 64;
  expect_refused(header, "makes no sense");
  header = good;
  header.payload_bytes -= 32;
  header.provenance_bytes += 32;
  expect_refused(header, "beyond the end");
  header = good;
  header.payload_bytes += 8;
  header.provenance_bytes -= 8;
  expect_refused(header, "its header is cut off");
}

TEST_F(ForgedTrace, provenance_is_not_json) {
  bytes_[bytes_.size() - 1] = '"';
  expect_refused("its provenance: ");
  bytes_.back() = '}';
  const FileHeader header = header_of(bytes_);
  std::string list = "[\"a,b,c,d,e,f\"]";
  list.resize(header.provenance_bytes, ' ');
  bytes_.replace(bytes_.size() - list.size(), list.size(), list);
  expect_refused("its provenance: ");
}

TEST(trace_file, a_zstd_stream_that_promises_more_than_any_memory_is_refused) {
  const TempFolder folder;
  FileHeader header;
  header.payload_bytes = std::uint64_t{1} << 62;
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 1));
  write_file(folder / "t", packed);
  refuse(folder / "t", "bytes of memory; unpack it by zstd -d");
  header.payload_bytes = std::uint64_t{1} << 36;  // perhaps mapped, but never filled
  std::memcpy(bytes.data(), &header, sizeof header);
  packed.resize(ZSTD_compressBound(bytes.size()));
  packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 1));
  write_file(folder / "t", packed);
  EXPECT_NE(complaint([&] { Trace::open(folder / "t"); }), "");
}

TEST(trace_output, full_device) {
  expect_complaint("cannot write /dev/full: No space left on device",
                   [] { build_random_trace("/dev/full", {.nodes = 10, .seed = 1}); });
}

TEST(trace_output, pipe) {
  const TempFolder folder;
  const std::string fifo = folder / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const int reader = ::open(fifo.c_str(), O_RDONLY | O_NONBLOCK);
  build_random_trace(fifo, {.nodes = 10, .seed = 1});
  std::string bytes(1 << 16, '\0');
  const ssize_t count = ::read(reader, bytes.data(), bytes.size());
  ::close(reader);
  ASSERT_GT(count, 0);
  write_file(folder / "t", bytes.substr(0, static_cast<std::size_t>(count)));
  EXPECT_EQ(Trace::open(folder / "t").nodes(), 10u);
}

TEST(trace_output, unwritable_places) {
  const TempFolder folder;
  const auto build = [](const std::string& path) { build_random_trace(path, {.nodes = 10, .seed = 1}); };
  expect_complaint("No such file or directory; create the folder", [&] { build(folder / "none/t"); });
  expect_complaint("No such file or directory; create the folder", [&] { build(folder / "none/t.zst"); });
  expect_complaint("is a directory", [&] { build(folder / "."); });
  expect_complaint("is empty", [&] { build(""); });
  expect_complaint("cannot write /proc/t:", [&] { build("/proc/t"); });  // root may write into every ordinary folder
  write_file(folder / "file", "x");
  expect_complaint("Not a directory", [&] { build(folder / "file/t"); });
}

TEST(trace_output, nothing_is_left_without_finish) {
  const TempFolder folder;
  write_file(folder / "t", "old");
  {
    TraceWriter raw(folder / "t");
    TraceWriter compressed(folder / "t.zst");
    raw.add_node(1, 0, {}, {});
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"t", "t.partial", "t.zst.partial"}));
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"t"});
  EXPECT_EQ(read_file(folder / "t"), "old");
}

TEST(trace_output, replaces_an_old_file_through_a_link) {
  const TempFolder folder;
  write_file(folder / "t", "old");
  std::filesystem::create_symlink("t", folder / "link");
  write_small_trace(folder / "link");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(Trace::open(folder / "t").nodes(), 3u);
}

}  // namespace
}  // namespace slidebench
