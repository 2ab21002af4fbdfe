// SPDX-License-Identifier: MIT
#include "harness/trace/writer.hpp"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace slidebench {
namespace {

/// How many queries, from the front, fit into the runs of one stored node.
std::size_t fitting_queries(std::span<const QueryCode> queries) {
  unsigned length = 0;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const bool same_kind = i > 0 && query_kind(queries[i]) == query_kind(queries[i - 1]);
    if (i > 0 && query_kind(queries[i]) < query_kind(queries[i - 1])) return i;
    length = same_kind ? length + 1 : 1;
    if (length > max_run_length) return i;
  }
  return queries.size();
}

template <class T>
void copy_column(std::vector<char>& block, std::uint64_t offset, const std::vector<T>& column) {
  if (!column.empty()) std::memcpy(block.data() + offset, column.data(), column.size() * sizeof(T));
}

}  // namespace

TraceWriter::TraceWriter(const std::string& path) : file_(path) {
  file_.append(&header_, sizeof header_);  // a place holder: finish() knows the counts and the digest
}

void TraceWriter::add_node(Bitboard occupied, NodeTag tag, const SliderSets& sliders,
                           std::span<const QueryCode> queries, const PieceEvent& pieces) {
  if ((sliders.all() & ~occupied) != 0) throw std::invalid_argument("a slider stands on an empty square");
  if ((tag & ~known_tag_bits) != 0) throw std::invalid_argument("unknown bits in a node's tag");
  if ((tag & moved_flag) != 0) throw std::invalid_argument("moved_flag follows from the pieces");
  follow(occupied, tag, pieces);
  if (pieces.kind == PieceEvent::Kind::make || pieces.kind == PieceEvent::Kind::unmake) tag |= moved_flag;
  do {
    const auto part = queries.first(fitting_queries(queries));
    add_stored_node(occupied, tag, sliders, part);
    tag = static_cast<NodeTag>(NodeEvent::null_move) | continued_flag;
    queries = queries.subspan(part.size());
  } while (!queries.empty());
}

/// Takes the pieces along, and notes what the block has to say of them.
void TraceWriter::follow(Bitboard occupied, NodeTag tag, const PieceEvent& pieces) {
  using Kind = PieceEvent::Kind;
  const bool is_root = pieces.kind == Kind::root;
  if (!has_pieces_ && pieces.kind == Kind::none) return;
  if (!has_pieces_ && (!is_root || header_.nodes != 0)) throw std::invalid_argument("pieces after nodes without any");
  if (has_pieces_ && (node_event(tag) == NodeEvent::root) != is_root)
    throw std::invalid_argument("a root without pieces");
  has_pieces_ = true;
  const bool is_first = block_.occupied.empty();
  if (is_root) {
    track_.restart(pieces.board);
    if (!is_first) block_.boards.push_back(pack(pieces.board));
  } else if (pieces.kind == Kind::make) {
    if (!fits(track_.board(), pieces.move)) throw std::invalid_argument("a move does not fit the board");
    track_.make(pieces.move);
    if (!is_first) block_.moves.push_back(pieces.move);
  } else if (pieces.kind == Kind::unmake) {
    if (!track_.can_unmake()) throw std::invalid_argument("no move to take back");
    track_.unmake();
  }
  if (pieces.kind != Kind::none && track_.board().occupied() != occupied) {
    throw std::invalid_argument("the occupancy is not that of the pieces");
  }
  if (is_first) return;
  from_start_ = from_start_ && !is_root;
  if (from_start_) lowest_ = std::min(lowest_, track_.depth());
}

void TraceWriter::add_stored_node(Bitboard occupied, NodeTag tag, const SliderSets& sliders,
                                  std::span<const QueryCode> queries) {
  if (has_pieces_ && block_.occupied.empty()) {
    block_start_ = track_;
    lowest_ = track_.depth();
    from_start_ = true;
  }
  block_.occupied.push_back(occupied);
  block_.sliders.push_back(sliders);
  block_.tags.push_back(tag);
  RunLengths runs = 0;
  for (const QueryCode query : queries) {
    const auto kind = static_cast<unsigned>(query_kind(query));
    runs = static_cast<RunLengths>(runs + (1u << (4 * kind)));
    block_.squares.push_back(static_cast<std::uint8_t>(query_square(query)));
    ++header_.queries[kind];
  }
  block_.runs.push_back(runs);
  ++header_.nodes;
  if (block_.squares.size() >= block_target || block_.occupied.size() >= block_target) write_block();
}

void TraceWriter::write_block() {
  if (block_.occupied.empty()) return;
  BlockHeader header;
  header.nodes = static_cast<std::uint32_t>(block_.occupied.size());
  header.queries = static_cast<std::uint32_t>(block_.squares.size());
  if (has_pieces_) begin_block_of_pieces();
  header.boards = static_cast<std::uint32_t>(block_.boards.size());
  header.moves = static_cast<std::uint32_t>(block_.moves.size());
  header.line = line_;
  const BlockLayout at = block_layout(header);
  header.bytes = at.bytes;
  block_bytes_.assign(at.bytes, 0);
  std::memcpy(block_bytes_.data(), &header, sizeof header);
  copy_column(block_bytes_, at.occupied, block_.occupied);
  copy_column(block_bytes_, at.sliders, block_.sliders);
  copy_column(block_bytes_, at.tags, block_.tags);
  copy_column(block_bytes_, at.runs, block_.runs);
  copy_column(block_bytes_, at.squares, block_.squares);
  copy_column(block_bytes_, at.boards, block_.boards);
  copy_column(block_bytes_, at.moves, block_.moves);
  file_.append(block_bytes_.data(), block_bytes_.size());
  digest_.add(block_bytes_.data(), block_bytes_.size());
  header_.payload_bytes += at.bytes;
  ++header_.blocks;
  block_ = {};
  block_start_.reset();
}

/// Puts in front of the block's boards and moves how to get to its first node.
void TraceWriter::begin_block_of_pieces() {
  const std::size_t line = block_start_->depth() - lowest_;
  if (line > max_line) throw std::invalid_argument("too many moves taken back in a row");
  const TrackStart start = start_of(*block_start_, line);
  line_ = static_cast<std::uint32_t>(line);
  block_.boards.insert(block_.boards.begin(), pack(start.board));
  block_.moves.insert(block_.moves.begin(), start.line.begin(), start.line.end());
}

void TraceWriter::finish(const nlohmann::json& provenance) {
  write_block();
  const std::string text = provenance.dump();
  file_.append(text.data(), text.size());
  digest_.add(text.data(), text.size());
  header_.provenance_bytes = text.size();
  header_.digest = digest_.finish(header_);
  file_.patch_front(&header_, sizeof header_);
  file_.commit();
}

}  // namespace slidebench
