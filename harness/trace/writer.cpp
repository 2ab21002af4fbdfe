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
  const Bitboard all_sliders =
      sliders.white_diagonal | sliders.white_orthogonal | sliders.black_diagonal | sliders.black_orthogonal;
  if ((all_sliders & ~occupied) != 0) throw std::invalid_argument("a slider stands on an empty square");
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
  const bool is_first = block_occupied_.empty();
  if (is_root) {
    track_.restart(pieces.board);
    if (!is_first) block_boards_.push_back(pack(pieces.board));
  } else if (pieces.kind == Kind::make) {
    if (!fits(track_.board(), pieces.move)) throw std::invalid_argument("a move does not fit the board");
    track_.make(pieces.move);
    if (!is_first) block_moves_.push_back(pieces.move);
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
  if (has_pieces_ && block_occupied_.empty()) {
    block_start_ = track_;
    lowest_ = track_.depth();
    from_start_ = true;
  }
  block_occupied_.push_back(occupied);
  block_sliders_.push_back(sliders);
  block_tags_.push_back(tag);
  RunLengths runs = 0;
  for (const QueryCode query : queries) {
    const auto kind = static_cast<unsigned>(query_kind(query));
    runs = static_cast<RunLengths>(runs + (1u << (4 * kind)));
    block_squares_.push_back(static_cast<std::uint8_t>(query_square(query)));
    ++header_.queries[kind];
  }
  block_runs_.push_back(runs);
  ++header_.nodes;
  queries_ += queries.size();
  if (block_squares_.size() >= block_target || block_occupied_.size() >= block_target) write_block();
}

void TraceWriter::write_block() {
  if (block_occupied_.empty()) return;
  BlockHeader header;
  header.nodes = static_cast<std::uint32_t>(block_occupied_.size());
  header.queries = static_cast<std::uint32_t>(block_squares_.size());
  if (has_pieces_) begin_block_of_pieces();
  header.boards = static_cast<std::uint32_t>(block_boards_.size());
  header.moves = static_cast<std::uint32_t>(block_moves_.size());
  header.line = line_;
  const BlockLayout at = block_layout(header);
  header.bytes = at.bytes;
  block_bytes_.assign(at.bytes, 0);
  std::memcpy(block_bytes_.data(), &header, sizeof header);
  copy_column(block_bytes_, at.occupied, block_occupied_);
  copy_column(block_bytes_, at.sliders, block_sliders_);
  copy_column(block_bytes_, at.tags, block_tags_);
  copy_column(block_bytes_, at.runs, block_runs_);
  copy_column(block_bytes_, at.squares, block_squares_);
  copy_column(block_bytes_, at.boards, block_boards_);
  copy_column(block_bytes_, at.moves, block_moves_);
  file_.append(block_bytes_.data(), block_bytes_.size());
  digest_.add(block_bytes_.data(), block_bytes_.size());
  header_.payload_bytes += at.bytes;
  ++header_.blocks;
  block_occupied_.clear();
  block_sliders_.clear();
  block_tags_.clear();
  block_runs_.clear();
  block_squares_.clear();
  block_boards_.clear();
  block_moves_.clear();
  block_start_.reset();
}

/// Puts in front of the block's boards and moves how to get to its first node.
void TraceWriter::begin_block_of_pieces() {
  const std::size_t line = block_start_->depth() - lowest_;
  if (line > max_line) throw std::invalid_argument("too many moves taken back in a row");
  const TrackStart start = start_of(*block_start_, line);
  line_ = static_cast<std::uint32_t>(line);
  block_boards_.insert(block_boards_.begin(), pack(start.board));
  block_moves_.insert(block_moves_.begin(), start.line.begin(), start.line.end());
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
