// SPDX-License-Identifier: MIT
//
// The part of a trace that a workload replays: all queries, those of one kind, or the nodes alone; cut into pieces, and
// the pieces gathered into segments.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/pressure/pressure.hpp"
#include "harness/trace/reader.hpp"

namespace slidebench {

/// A stretch of a trace that one pass replays, piece by piece.
using Segment = std::span<const TraceBlock>;

/// What to select, and how to cut it.
struct SelectionOptions {
  std::optional<QueryKind> kind = {};     ///< only these queries, and the nodes that ask them; absent: all
  TagSet kept = {};                       ///< of one kind, nodes that stay although they ask nothing: the pressure's
  bool nodes_only = false;                ///< nodes that only continue the one before are left out
  bool batches = false;                   ///< each node has a batch; goes with nodes_only
  bool pieces = false;                    ///< each piece tells the pieces of its own; goes with all nodes and queries
  unsigned sliders = 0;                   ///< of a batch; 0: those of the node
  std::uint64_t piece_queries = 1 << 12;  ///< a piece is one call of a kernel: at least so many queries
  std::uint64_t segment_queries = 1 << 14;
};

/// Views of a trace, which has to outlive them. Of nodes_only, a node counts as a query when cutting.
///
/// Of one kind, nodes without such a query are left out: most nodes of a search ask no queen, and the walk over them
/// was most of what was timed. A node that follows on left out ones is a root if one of them was, so that a board
/// is built anew where it was before; else it keeps its event, and what changed since the node before is all that the
/// moves between them changed.
///
/// A batch of so many sliders has those of the node, in an order that is drawn, and if they do not suffice other pieces
/// of it, as bishops, rooks and queens in turn; nodes with too few pieces are left out in the same way.
///
/// What differs from the trace is a copy, and is made when a segment of it is asked for: a process run replays few, and
/// a trace may be larger than the memory.
class TraceSelection {
 public:
  TraceSelection(const Trace& trace, const SelectionOptions& options);

  /// How many segments; the last one takes the rest too. At least one, with at least one piece each, unless nothing is
  /// selected: then the one segment is empty.
  std::size_t segment_count() const { return segments_.size(); }

  /// One of them, with all that it needs. Valid as long as the selection.
  Segment segment(std::size_t i);

  /// All of them, in order.
  std::span<const Segment> segments();

  /// Queries of the selection; of nodes_only, nodes.
  std::uint64_t size() const { return size_; }

 private:
  /// Columns of a block that differ from the trace's own.
  struct Columns {
    std::vector<Bitboard> occupied;
    std::vector<NodeTag> tags;
    std::vector<SliderSets> sliders;
    std::vector<RunLengths> runs;
    std::vector<std::uint8_t> squares;
    std::vector<SliderBatch> batches;

    void add_node(const TraceBlock& from, std::uint32_t node, NodeTag tag, RunLengths run_lengths);
    TraceBlock view() const;
  };

  /// What a block is copied to: once for the nodes that stay, once more for their batches; and what its pieces tell of
  /// boards and moves.
  struct Copies {
    Columns nodes, batches;
    std::deque<std::vector<PackedBoard>> boards;
    std::deque<std::vector<MoveCode>> moves;
  };

  TraceBlock select(const TraceBlock& block, Copies& own) const;
  TraceBlock only(const TraceBlock& block, Columns& own) const;
  TraceBlock without_continuations(const TraceBlock& block, Columns& own) const;
  TraceBlock with_batches(const TraceBlock& block, Columns& own) const;
  std::vector<TraceBlock> cut(const TraceBlock& selected) const;
  static void tell_pieces(const TraceBlock& block, std::vector<TraceBlock>& parts, Copies& own);
  void gather();
  void make_piece(std::size_t piece);
  std::uint64_t weight(const TraceBlock& piece) const { return options_.nodes_only ? piece.nodes : piece.queries; }

  SelectionOptions options_;
  std::span<const TraceBlock> blocks_;
  std::vector<std::size_t> first_piece_;  ///< by block
  std::deque<Copies> copies_;             ///< views into it stay valid
  std::vector<TraceBlock> pieces_;        ///< those that would be copies and are not made yet: their sizes alone
  std::vector<Segment> segments_;
  std::uint64_t size_ = 0;
};

}  // namespace slidebench
