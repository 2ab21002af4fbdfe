// SPDX-License-Identifier: MIT
//
// The `search` trace: every attack query that the small engine really makes, in its order.
//
// Positions are sampled from games (position_sample.hpp) and searched, one after the other, with one hash table. Each
// step of a search becomes nodes of the trace:
//
//   root                   the position that the search begins with
//   make, unmake           a move was made, or taken back; the queries that follow are asked of the new position
//   null move              a pass, or a pass taken back; also a position that is evaluated once more
//   make ... unmake        queries about another occupancy than the position's (a king or exchanged pieces taken away,
//                          own blockers looked through): what a method with state has to toggle. The board goes from
//                          one such occupancy to the next directly, and back to the position's when that is asked about
//                          again, is evaluated or probed, or when a move is made
//
// An evaluation and a probe of the hash table are flags of their node. A bishop and a rook query of one square, one
// right after the other and on one occupancy, are one `both`.
//
// So a position that is searched is several nodes of the trace. What has to be counted by searched positions, and who
// asked, stands in the provenance: {"kind": "search", "sources": [{"name", "sha256", "bytes"}], "games", "plies",
// "rejected", "empty", "positions", "seed", "depth", "nodes_limit", "network", "threats", "hash_bytes", "search":
// {"nodes", "evaluations", "visits", "calls_per_visit": {"mean", "median", "p90", "p99", "max"}, "callers": {...}},
// "recipe", "pgn_extract", "slidebench"}. A visit is a position as long as it stands on the board before it is taken
// back, that is a root, a move made or a null move; a node of the search that is searched again is not made again. What
// is asked for the threats of a move before it is made counts for the visit that it leads to.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/distribution.hpp"
#include "harness/engine/position_state.hpp"
#include "harness/engine/query_recorder.hpp"
#include "harness/import/game_trace.hpp"
#include "harness/trace/block.hpp"
#include "harness/trace/writer.hpp"

namespace slidebench::engine {

/// Turns what is heard of a search into nodes of a trace.
class SearchRecorder {
 public:
  explicit SearchRecorder(NodeSink sink) : sink_(std::move(sink)) {}

  /// A search begins, and ends. Here as below: what becomes of the pieces, if they are told at all.
  void begin(Bitboard occupied, const SliderSets& sliders, const PieceEvent& pieces = {});
  void end();

  void query(const RecordedQuery& query);

  /// A move or null move. The last query before it was asked of the new position.
  void made(NodeEvent event, Bitboard occupied, const SliderSets& sliders, const PieceEvent& pieces = {});

  /// A move or null move was taken back.
  void unmade(NodeEvent event, Bitboard occupied, const SliderSets& sliders, const PieceEvent& pieces = {});

  void evaluated() { flag(evaluated_flag); }
  void probed() { flag(probed_flag); }

  const Distribution& calls_per_visit() const { return calls_per_visit_; }
  const std::array<std::uint64_t, caller_names.size()>& callers() const { return callers_; }

 private:
  struct Node {
    Bitboard occupied = 0;
    NodeTag tag = 0;
    SliderSets sliders;
    PieceEvent pieces;
  };

  void release();
  void enter(NodeEvent event, Bitboard occupied, const PieceEvent& pieces = {});
  void write_node();
  void go_home();
  void flag(NodeTag bit);
  void leave_visit();

  NodeSink sink_;
  Bitboard home_ = 0;         ///< the position's occupancy
  SliderSets sliders_;        ///< and its sliders
  std::optional<Node> node_;  ///< not yet written
  std::vector<QueryCode> queries_;
  std::optional<RecordedQuery> held_;  ///< the last query: a move may follow, or its other half
  std::vector<std::uint64_t> visits_;  ///< calls so far of each visit that has not ended
  std::uint64_t of_next_visit_ = 0;    ///< the last calls so far that are about the threats of a move to be made
  Distribution calls_per_visit_;
  std::array<std::uint64_t, caller_names.size()> callers_{};
};

struct SearchTraceOptions {
  std::size_t positions = 8;
  bool fewer = false;  ///< where the games have fewer positions, those
  std::uint64_t seed = 1;
  unsigned depth = 64;               ///< at most; 1 to max_search_depth
  std::uint64_t max_nodes = 24'000;  ///< of each position, at least 1: long enough for a real search's working set
  unsigned network = 1024;           ///< width; 0 for the classical evaluation
  bool threats = true;               ///< with a network
};

/// Builds a search trace. The same sources and options give the same bytes. Memory does not grow with the trace.
/// @param inputs  PGN files, plain or compressed by content; "-" is standard input
/// @param out     the trace; compressed if the name ends in .zst; appears complete or not at all
/// @throws UserError  bad input, options or output, in one line
BuildReport build_search_trace(const std::vector<std::string>& inputs, const std::string& out,
                               const SearchTraceOptions& options = {}, const ProgressFn& progress = {});

}  // namespace slidebench::engine
