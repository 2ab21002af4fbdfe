// SPDX-License-Identifier: MIT
#include "harness/trace/reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "harness/base/errors.hpp"
#include "harness/base/json_schema.hpp"
#include "harness/trace/piece_track.hpp"

namespace slidebench {
namespace {

/// Walks through the blocks of a payload and collects views of them, checking everything that replay relies on.
class BlockScanner {
 public:
  BlockScanner(const std::string& path, const TraceFile& file) : path_(path), file_(file) {}

  std::vector<TraceBlock> scan() {
    std::vector<TraceBlock> blocks;
    for (std::uint64_t offset = 0; offset < file_.header.payload_bytes;) {
      number_ = blocks.size();
      const BlockHeader header = block_header(offset);
      blocks.push_back(view(file_.payload() + offset, header));
      check(blocks.back());
      offset += header.bytes;
    }
    check_totals(blocks.size());
    return blocks;
  }

  /// Whether the blocks that were scanned have any sliders.
  bool has_sliders() const { return sliders_ != 0; }
  bool has_pieces() const { return has_pieces_; }

 private:
  void require(bool holds, const char* what) const {
    if (!holds) refuse_trace(path_, fmt::format("is damaged: block {}: {}", number_, what));
  }

  BlockHeader block_header(std::uint64_t offset) const {
    const std::uint64_t left = file_.header.payload_bytes - offset;
    BlockHeader header;
    require(left >= sizeof header, "its header is cut off");
    std::memcpy(&header, file_.payload() + offset, sizeof header);
    require(header.nodes > 0, "it has no nodes");
    require(header.reserved == BlockHeader{}.reserved, "bytes that must be zero are not");
    require(header.bytes == block_layout(header).bytes, "its size does not fit its counts");
    require(header.bytes <= left, "it reaches beyond the end");
    require(header.boards > 0 || header.moves == 0, "it has moves without a board");
    require(header.line <= header.moves && header.line <= max_line, "its line has too many moves");
    return header;
  }

  static TraceBlock view(const char* block, const BlockHeader& header) {
    const BlockLayout at = block_layout(header);
    TraceBlock columns;
    // Mapped memory starts at a page, the header and all columns are multiples of 64 bytes: the casts are aligned.
    columns.occupied = reinterpret_cast<const Bitboard*>(block + at.occupied);
    columns.sliders = reinterpret_cast<const SliderSets*>(block + at.sliders);
    columns.tags = reinterpret_cast<const NodeTag*>(block + at.tags);
    columns.runs = reinterpret_cast<const RunLengths*>(block + at.runs);
    columns.squares = reinterpret_cast<const std::uint8_t*>(block + at.squares);
    columns.nodes = header.nodes;
    columns.queries = header.queries;
    if (header.boards == 0) return columns;
    columns.boards = reinterpret_cast<const PackedBoard*>(block + at.boards);
    columns.moves = reinterpret_cast<const MoveCode*>(block + at.moves);
    columns.board_count = header.boards;
    columns.move_count = header.moves;
    columns.line = header.line;
    return columns;
  }

  void check(const TraceBlock& block) {
    require(count_kinds(block) == block.queries, "the runs of its nodes do not add up to its queries");
    std::uint8_t square_bits = 0;
    for (const std::uint8_t square : std::span(block.squares, block.queries)) square_bits |= square;
    require(square_bits < square_count, "a query has no square");
    NodeTag tag_bits = 0;
    for (const NodeTag tag : std::span(block.tags, block.nodes)) tag_bits |= tag;
    require((tag_bits & ~known_tag_bits) == 0, "a node has unknown flags");
    Bitboard outside = 0;
    for (std::uint32_t i = 0; i < block.nodes; ++i) {
      sliders_ |= block.sliders[i].all();
      outside |= block.sliders[i].all() & ~block.occupied[i];
    }
    require(outside == 0, "a slider stands on an empty square");
    check_pieces(block);
    nodes_ += block.nodes;
  }

  /// Follows the pieces through a block: stores rely on boards, moves and occupancies that fit each other.
  void check_pieces(const TraceBlock& block) {
    if (nodes_ == 0) has_pieces_ = block.has_pieces();
    require(block.has_pieces() == has_pieces_, "only some blocks tell the pieces");
    const auto moves = [](NodeTag tag) { return (tag & moved_flag) != 0; };
    if (!has_pieces_) {
      require(std::none_of(block.tags, block.tags + block.nodes, moves), "pieces move that it does not tell");
      return;
    }
    follow_pieces(block);
  }

  void follow_pieces(const TraceBlock& block) const {
    PieceTrack track;
    std::uint32_t boards = 0, moves = 0;
    const auto place = [&] {
      require(boards < block.board_count, "a root has no board");
      const PackedBoard& packed = block.boards[boards++];
      const auto is_piece = [](std::uint8_t two) { return (two & 15) <= no_piece && (two >> 4) <= no_piece; };
      require(std::all_of(packed.begin(), packed.end(), is_piece), "a square of a board has no such piece");
      track.restart(unpack(packed));
      const std::string_view fault = fault_of(track.board());
      require(fault.empty(), fault.data());
    };
    const auto make = [&] {
      require(moves < block.move_count, "a node has no move");
      const MoveCode move = block.moves[moves++];
      require(fits(track.board(), move), "a move does not fit the board");
      track.make(move);
    };
    place();
    while (moves < block.line) make();
    for (std::uint32_t node = 0; node < block.nodes; ++node) {
      const NodeTag tag = block.tags[node];
      const bool is_root = node_event(tag) == NodeEvent::root, has_moved = (tag & moved_flag) != 0;
      require(!has_moved || makes_move(tag) || takes_back(tag), "pieces move without a move");
      if (node > 0 && is_root) place();
      if (node > 0 && makes_move(tag)) make();
      if (node > 0 && takes_back(tag)) {
        require(track.can_unmake(), "a move is taken back that was not made, or more than 255 in a row");
        track.unmake();
      }
      const bool tells = is_root || has_moved;
      require(!tells || track.board().occupied() == block.occupied[node], "an occupancy is not that of its pieces");
    }
    require(boards == block.board_count && moves == block.move_count, "it has boards or moves that no node needs");
  }

  /// Adds the runs of a block to the totals, and returns how many queries they are.
  std::uint64_t count_kinds(const TraceBlock& block) {
    std::uint64_t queries = 0;
    for (const RunLengths runs : std::span(block.runs, block.nodes)) {
      for (unsigned kind = 0; kind < query_kinds; ++kind)
        kinds_[kind] += run_length(runs, static_cast<QueryKind>(kind));
      queries += queries_in(runs);
    }
    return queries;
  }

  void check_totals(std::size_t blocks) const {
    const FileHeader& header = file_.header;
    if (blocks == header.blocks && nodes_ == header.nodes && kinds_ == header.queries) return;
    refuse_trace(path_, "is damaged: the counts in its header are not those of its blocks");
  }

  const std::string& path_;
  const TraceFile& file_;
  std::size_t number_ = 0;
  std::uint64_t nodes_ = 0;
  Bitboard sliders_ = 0;
  bool has_pieces_ = false;
  std::array<std::uint64_t, query_kinds> kinds_{};
};

nlohmann::json parse_provenance(const std::string& path, const TraceFile& file) {
  const std::string_view text(file.provenance(), file.header.provenance_bytes);
  const std::string what = "trace " + path + " is damaged, build or fetch it again; its provenance";
  nlohmann::json parsed = parse_json(text, what);
  check_json(parsed, nlohmann::json::parse(provenance_schema), what);
  return parsed;
}

}  // namespace

Trace Trace::open(const std::string& path) {
  Trace trace;
  trace.path_ = path;
  trace.file_ = load_trace_file(path);
  BlockScanner scanner(path, trace.file_);
  trace.blocks_ = scanner.scan();
  trace.has_sliders_ = scanner.has_sliders();
  trace.has_pieces_ = scanner.has_pieces();
  trace.provenance_ = parse_provenance(path, trace.file_);
  return trace;
}

void Trace::check_unchanged() const {
  if (is_unchanged(file_)) return;
  throw UserError("trace " + path_ + " was changed while it was read; nothing that came of it counts: begin again");
}

std::string Trace::digest_hex() const { return fmt::format("{:016x}", file_.header.digest); }

}  // namespace slidebench
