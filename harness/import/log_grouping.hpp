// SPDX-License-Identifier: MIT
//
// From the records of a log to the nodes of a trace.
//
// A node is what stands between two events, and its queries are those of one occupancy:
//
//   root                   the first position of a log, and wherever the log says so
//   make, unmake, null     as the log says; an unmake that takes back a null move is a null move. Where the log does
//                          not say what a move leads to, the first query after it does; a node without either keeps
//                          the occupancy of the node before
//   make ... unmake        queries about another occupancy without a move, as in a search trace: away from the
//                          position's, and back to it
//   null move              a position that is evaluated or probed once more
//
// Where the log tells the pieces (log_pieces.hpp), a position's occupancy is theirs, a move's node says which move, and
// all nodes have the sliders that stand on their squares.
//
// An evaluation and a probe are flags of their node. A bishop and a rook query of one node and square become one `both`
// if at most `merge_both` queries apart, in the place of the first; all else keeps its order.
//
// Calls are also counted by visits, as in a search trace: a position as long as it stands on the board before it is
// taken back. A log that takes nothing back (copy-make) has a visit a move.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "harness/base/distribution.hpp"
#include "harness/import/log_pieces.hpp"
#include "harness/import/query_log.hpp"
#include "harness/trace/block.hpp"

namespace slidebench {

/// What has become of the records.
struct GroupingCounts {
  std::uint64_t queries = 0;  ///< as recorded
  std::uint64_t merged = 0;   ///< pairs that became `both`
  std::uint64_t dropped = 0;  ///< events before the first occupancy of their log
  std::uint64_t evaluations = 0;
  std::uint64_t occupancy_changes = 0;    ///< nodes that a query began because its occupancy had changed without a move
  std::uint64_t unknown_occupancies = 0;  ///< nodes that keep the occupancy of the node before
};

class LogGrouping {
 public:
  /// A bishop and a rook query can be so many queries apart, at most, and still be one `both`.
  static constexpr unsigned most_merge_distance = 1024;

  /// @param merge_both  0: nothing is merged; 1: neighbours
  LogGrouping(unsigned merge_both, NodeSink sink) : merge_both_(merge_both), sink_(std::move(sink)) {}

  /// The records of a log, one after the other, and its end. @throws PieceFault  a record does not fit the pieces
  void add(const LogRecord& record);
  void end_log();

  const GroupingCounts& counts() const { return counts_; }
  bool has_pieces() const { return pieces_.are_told(); }
  const Distribution& calls_per_visit() const { return calls_per_visit_; }

 private:
  struct Node {
    Bitboard occupied = 0;
    NodeTag tag = 0;
    bool is_known = false;  ///< the occupancy
    bool is_begun = false;  ///< its first queries have been handed on
    SliderSets sliders;
    PieceEvent pieces;
  };
  struct HeldQuery {
    QueryCode code;
    std::uint64_t number;  ///< in the order recorded
  };
  struct Visit {
    bool is_null = false;
    std::uint64_t calls = 0;
  };

  void begin_log(const LogRecord& record);
  void begin(Bitboard occupied);
  void enter(NodeEvent event, Bitboard occupied, bool is_known, const PieceEvent& pieces = {});
  void move(NodeEvent event, Bitboard occupied, const PieceEvent& pieces);
  void make(Bitboard occupied);
  void pass(Bitboard occupied);
  void take_back(Bitboard occupied);
  void flag(NodeTag bit);
  void ask(QueryKind kind, Square square, Bitboard occupied);
  bool merge(QueryKind kind, Square square);
  void hand_on(std::size_t queries);
  void write_node();
  void open_visit(bool is_null);
  void close_visit();

  unsigned merge_both_;
  NodeSink sink_;
  LogPieces pieces_;
  std::optional<Node> node_;      ///< not yet written; nothing before the first occupancy of a log
  std::optional<Bitboard> home_;  ///< the position's occupancy, once known
  std::vector<HeldQuery> held_;
  std::vector<QueryCode> codes_;
  std::deque<Visit> visits_;  ///< that have not ended
  Distribution calls_per_visit_;
  GroupingCounts counts_;
};

}  // namespace slidebench
