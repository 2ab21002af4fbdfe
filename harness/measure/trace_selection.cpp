// SPDX-License-Identifier: MIT
#include "harness/measure/trace_selection.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <utility>

#include "harness/trace/piece_track.hpp"

namespace slidebench {
namespace {

/// The nodes [first, last) of a block, whose queries begin at `square`.
TraceBlock part_of(const TraceBlock& block, std::uint32_t first, std::uint32_t last, const std::uint8_t* square) {
  TraceBlock part{block.occupied + first, block.tags + first, block.runs + first, square,
                  block.sliders + first,  last - first};
  for (std::uint32_t node = first; node < last; ++node) part.queries += queries_in(block.runs[node]);
  if (block.batches != nullptr) part.batches = block.batches + first;
  return part;
}

Bitboard take_any(Bitboard& set, std::mt19937_64& random) {
  Bitboard left = set;
  for (auto skip = random() % static_cast<unsigned>(std::popcount(set)); skip != 0; --skip) left &= left - 1;
  const Bitboard taken = left & (0 - left);
  set ^= taken;
  return taken;
}

/// A batch of so many pieces of a node, which has at least as many.
SliderBatch batch_of_size(unsigned size, const SliderSets& sliders, Bitboard occupied, std::mt19937_64& random) {
  const Bitboard diagonal = sliders.white_diagonal | sliders.black_diagonal;
  const Bitboard orthogonal = sliders.white_orthogonal | sliders.black_orthogonal;
  Bitboard real = diagonal | orthogonal;
  Bitboard others = occupied & ~real;
  std::array<Bitboard, 3> kinds{};  // bishops, rooks, queens
  for (unsigned taken = 0; taken < size; ++taken) {
    if (real == 0) {
      kinds[taken % 3] |= take_any(others, random);
      continue;
    }
    const Bitboard piece = take_any(real, random);
    kinds[(piece & orthogonal) == 0 ? 0 : (piece & diagonal) == 0 ? 1 : 2] |= piece;
  }
  return SliderBatch::of(kinds[0], kinds[2], kinds[1]);
}

}  // namespace

TraceSelection::TraceSelection(const Trace& trace, const SelectionOptions& options)
    : options_(options), blocks_(trace.blocks()) {
  Copies scratch;
  for (const TraceBlock& block : blocks_) {
    first_piece_.push_back(pieces_.size());
    const TraceBlock selected = select(block, scratch);
    const bool is_copy = selected.occupied != block.occupied || selected.batches != nullptr || options_.pieces;
    for (const TraceBlock& piece : cut(selected)) {
      pieces_.push_back(is_copy ? TraceBlock{.nodes = piece.nodes, .queries = piece.queries} : piece);
      size_ += weight(piece);
    }
    scratch = {};
  }
  gather();
}

Segment TraceSelection::segment(std::size_t i) {
  const Segment segment = segments_.at(i);
  for (const TraceBlock& piece : segment) {
    if (piece.occupied == nullptr) make_piece(static_cast<std::size_t>(&piece - pieces_.data()));
  }
  return segment;
}

std::span<const Segment> TraceSelection::segments() {
  for (std::size_t i = 0; i < segments_.size(); ++i) segment(i);
  return segments_;
}

/// Makes the copy of a piece's block, and with it all of its pieces.
void TraceSelection::make_piece(std::size_t piece) {
  const auto after = std::upper_bound(first_piece_.begin(), first_piece_.end(), piece);
  const auto block = static_cast<std::size_t>(after - first_piece_.begin()) - 1;
  Copies& own = copies_.emplace_back();
  std::vector<TraceBlock> made = cut(select(blocks_[block], own));
  if (options_.pieces) tell_pieces(blocks_[block], made, own);
  std::copy(made.begin(), made.end(), pieces_.begin() + static_cast<std::ptrdiff_t>(first_piece_[block]));
}

/// The nodes and queries of a block that are to be replayed: the block itself, or what `own` then holds.
TraceBlock TraceSelection::select(const TraceBlock& block, Copies& own) const {
  const TraceBlock selected = options_.nodes_only ? without_continuations(block, own.nodes)
                              : options_.kind     ? only(block, own.nodes)
                                                  : block;
  return options_.batches ? with_batches(selected, own.batches) : selected;
}

void TraceSelection::Columns::add_node(const TraceBlock& from, std::uint32_t node, NodeTag tag,
                                       RunLengths run_lengths) {
  occupied.push_back(from.occupied[node]);
  tags.push_back(tag);
  sliders.push_back(from.sliders[node]);
  runs.push_back(run_lengths);
}

TraceBlock TraceSelection::Columns::view() const {
  return {occupied.data(),
          tags.data(),
          runs.data(),
          squares.data(),
          sliders.data(),
          static_cast<std::uint32_t>(tags.size()),
          static_cast<std::uint32_t>(squares.size())};
}

TraceBlock TraceSelection::only(const TraceBlock& block, Columns& own) const {
  const QueryKind kind = *options_.kind;
  const unsigned run = max_run_length << (4 * static_cast<unsigned>(kind));
  bool new_root = false;  // since the last node that stays
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    const NodeTag tag = block.tags[node];
    const auto asked = static_cast<RunLengths>(block.runs[node] & run);
    new_root = new_root || node_event(tag) == NodeEvent::root;
    if (asked == 0 && !options_.kept.has(tag)) continue;
    static_assert(static_cast<NodeTag>(NodeEvent::root) == 0);
    own.add_node(block, node, new_root ? static_cast<NodeTag>(tag & ~event_mask) : tag, asked);
    new_root = false;
  }
  for_each_query(block, [&own, kind](std::uint32_t, QueryKind of, Square s) {
    if (of == kind) own.squares.push_back(static_cast<std::uint8_t>(s));
  });
  return own.view();
}

TraceBlock TraceSelection::without_continuations(const TraceBlock& block, Columns& own) const {
  const auto continues = [](NodeTag tag) { return (tag & continued_flag) != 0; };
  if (std::none_of(block.tags, block.tags + block.nodes, continues)) return block;
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    if (!continues(block.tags[node])) own.add_node(block, node, block.tags[node], 0);
  }
  return own.view();
}

TraceBlock TraceSelection::with_batches(const TraceBlock& block, Columns& own) const {
  const unsigned sliders = options_.sliders;
  if (sliders == 0) {
    for (std::uint32_t node = 0; node < block.nodes; ++node) own.batches.push_back(batch_of(block.sliders[node]));
    TraceBlock view = block;
    view.batches = own.batches.data();
    return view;
  }
  std::mt19937_64 random(sliders);
  bool new_root = false;  // since the last node that stays
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    const NodeTag tag = block.tags[node];
    new_root = new_root || node_event(tag) == NodeEvent::root;
    if (static_cast<unsigned>(std::popcount(block.occupied[node])) < sliders) continue;
    own.add_node(block, node, new_root ? static_cast<NodeTag>(tag & ~event_mask) : tag, 0);
    own.batches.push_back(batch_of_size(sliders, block.sliders[node], block.occupied[node], random));
    new_root = false;
  }
  TraceBlock view = own.view();
  view.batches = own.batches.data();
  return view;
}

std::vector<TraceBlock> TraceSelection::cut(const TraceBlock& selected) const {
  std::vector<TraceBlock> pieces;
  const std::uint8_t* square = selected.squares;
  std::uint32_t first = 0;
  std::uint64_t inside = 0;
  for (std::uint32_t node = 0; node < selected.nodes; ++node) {
    inside += options_.nodes_only ? 1 : queries_in(selected.runs[node]);
    if (inside < options_.piece_queries && node + 1 < selected.nodes) continue;
    pieces.push_back(part_of(selected, first, node + 1, square));
    square += pieces.back().queries;
    first = node + 1;
    inside = 0;
  }
  return pieces;
}

/// Gives each part of a block the boards and moves of its own: where the line starts from which it takes moves back,
/// that line, and what its nodes add. Precondition: the block tells the pieces, and the parts are all of its nodes.
void TraceSelection::tell_pieces(const TraceBlock& block, std::vector<TraceBlock>& parts, Copies& own) {
  PieceTrack track(unpack(block.boards[0]));
  const PackedBoard* next_board = block.boards + 1;
  const MoveCode* next_move = block.moves;
  for (std::uint32_t n = 0; n < block.line; ++n) track.make(*next_move++);
  bool is_first = true;  // of the block
  for (TraceBlock& part : parts) {
    std::vector<PackedBoard>& boards = own.boards.emplace_back();
    std::vector<MoveCode>& moves = own.moves.emplace_back();
    std::optional<PieceTrack> start;
    std::size_t lowest = 0;
    bool from_start = true;  // no root since the part's first node
    for (std::uint32_t node = 0; node < part.nodes; ++node) {
      const NodeTag tag = part.tags[node];
      const bool begins = std::exchange(is_first, false);
      const bool is_root = !begins && node_event(tag) == NodeEvent::root;
      if (is_root) {
        if (node != 0) boards.push_back(*next_board);
        track.restart(unpack(*next_board++));
      } else if (!begins && makes_move(tag)) {
        if (node != 0) moves.push_back(*next_move);
        track.make(*next_move++);
      } else if (!begins && takes_back(tag)) {
        track.unmake();
      }
      if (node == 0) {
        start = track;
        lowest = track.depth();
      } else {
        from_start = from_start && !is_root;
        if (from_start) lowest = std::min(lowest, track.depth());
      }
    }
    const TrackStart from = start_of(*start, start->depth() - lowest);
    boards.insert(boards.begin(), pack(from.board));
    moves.insert(moves.begin(), from.line.begin(), from.line.end());
    part.boards = boards.data();
    part.moves = moves.data();
    part.board_count = static_cast<std::uint32_t>(boards.size());
    part.move_count = static_cast<std::uint32_t>(moves.size());
    part.line = static_cast<std::uint32_t>(from.line.size());
  }
}

void TraceSelection::gather() {
  std::size_t first = 0;
  std::uint64_t inside = 0;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    inside += weight(pieces_[i]);
    if (inside < options_.segment_queries) continue;
    segments_.emplace_back(pieces_.data() + first, i + 1 - first);
    first = i + 1;
    inside = 0;
  }
  // A short rest joins the last segment.
  const Segment rest(pieces_.data() + first, pieces_.size() - first);
  if (segments_.empty()) {
    segments_.push_back(rest);
  } else {
    segments_.back() = {segments_.back().data(), segments_.back().size() + rest.size()};
  }
}

}  // namespace slidebench
