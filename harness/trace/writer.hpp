// SPDX-License-Identifier: MIT
//
// Writes a trace file node by node; memory holds one block.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/base/output_file.hpp"
#include "harness/trace/digest.hpp"
#include "harness/trace/format.hpp"
#include "harness/trace/piece_track.hpp"

namespace slidebench {

/// What a node does to the pieces: nothing, a root's board, a move made, the last one taken back.
struct PieceEvent {
  enum class Kind : std::uint8_t { none, root, make, unmake } kind = Kind::none;
  MoveCode move = 0;      ///< of make
  PieceBoard board = {};  ///< of root

  static PieceEvent root(const PieceBoard& board) { return {Kind::root, 0, board}; }
  static PieceEvent make(MoveCode move) { return {Kind::make, move, {}}; }
  static PieceEvent unmake() { return {Kind::unmake, 0, {}}; }
};

/// Takes a node, or more queries of the node before (continued_flag), as TraceWriter::add_node() does.
using NodeSink = std::function<void(Bitboard occupied, NodeTag tag, const SliderSets& sliders,
                                    std::span<const QueryCode> queries, const PieceEvent& pieces)>;

class TraceWriter {
 public:
  /// Opens the output: OUT.partial until finish(), compressed if the name ends in .zst.
  /// @throws UserError if it cannot be written
  explicit TraceWriter(const std::string& path);

  /// Appends a node. Queries that do not fit into its four runs (see block.hpp) go into further stored nodes with the
  /// same occupancy and sliders, the event null_move and continued_flag.
  /// @param sliders  subsets of `occupied`
  /// @param pieces   from the first node on, or never; adds moved_flag to the tag. It fits: of a move, the pieces so
  ///                 far; of a move taken back, there is one; and their occupancy is `occupied`
  /// @throws UserError if the output cannot be written, std::invalid_argument if no reader would accept the node
  void add_node(Bitboard occupied, NodeTag tag, const SliderSets& sliders, std::span<const QueryCode> queries,
                const PieceEvent& pieces = {});

  /// Completes the file and gives it its name. Without this call nothing is left behind.
  /// @param provenance  a JSON object whose strings are valid UTF-8 (see to_utf8)
  /// @throws UserError
  void finish(const nlohmann::json& provenance);

  /// Stored nodes and queries so far.
  std::uint64_t nodes() const { return header_.nodes; }
  std::uint64_t queries() const { return header_.all_queries(); }

 private:
  /// Of the block that has not been written.
  struct Columns {
    std::vector<Bitboard> occupied;
    std::vector<SliderSets> sliders;
    std::vector<NodeTag> tags;
    std::vector<RunLengths> runs;
    std::vector<std::uint8_t> squares;
    std::vector<PackedBoard> boards;
    std::vector<MoveCode> moves;
  };

  void add_stored_node(Bitboard occupied, NodeTag tag, const SliderSets& sliders, std::span<const QueryCode> queries);
  void follow(Bitboard occupied, NodeTag tag, const PieceEvent& pieces);
  void begin_block_of_pieces();
  void write_block();

  OutputFile file_;
  FileHeader header_;
  TraceDigest digest_;
  Columns block_;
  std::vector<char> block_bytes_;
  PieceTrack track_;
  bool has_pieces_ = false;
  std::optional<PieceTrack> block_start_;  ///< the pieces at the block's first node
  std::size_t lowest_ = 0;                 ///< of the lines of the block so far that began before it: the shortest
  bool from_start_ = false;                ///< no root since the block's first node
  std::uint32_t line_ = 0;                 ///< moves that lead to the first node, of the block being written
};

}  // namespace slidebench
