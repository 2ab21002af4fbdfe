// SPDX-License-Identifier: MIT
//
// Writes a trace file node by node; memory holds one block.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "harness/base/output_file.hpp"
#include "harness/trace/digest.hpp"
#include "harness/trace/format.hpp"

namespace slidebench {

class TraceWriter {
 public:
  /// Opens the output: OUT.partial until finish(), compressed if the name ends in .zst.
  /// @throws UserError if it cannot be written
  explicit TraceWriter(const std::string& path);

  /// Appends a node. Queries that do not fit into its four runs (see block.hpp) go into further stored nodes with the
  /// same occupancy and sliders, the event null_move and continued_flag.
  /// @param sliders  subsets of `occupied`
  /// @throws UserError if the output cannot be written, std::invalid_argument if no reader would accept the node
  void add_node(Bitboard occupied, NodeTag tag, const SliderSets& sliders, std::span<const QueryCode> queries);

  /// Completes the file and gives it its name. Without this call nothing is left behind.
  /// @param provenance  a JSON object whose strings are valid UTF-8 (see to_utf8)
  /// @throws UserError
  void finish(const nlohmann::json& provenance);

  /// Stored nodes and queries so far.
  std::uint64_t nodes() const { return header_.nodes; }
  std::uint64_t queries() const { return queries_; }

 private:
  void add_stored_node(Bitboard occupied, NodeTag tag, const SliderSets& sliders, std::span<const QueryCode> queries);
  void write_block();

  OutputFile file_;
  FileHeader header_;
  TraceDigest digest_;
  std::uint64_t queries_ = 0;
  std::vector<Bitboard> block_occupied_;
  std::vector<SliderSets> block_sliders_;
  std::vector<NodeTag> block_tags_;
  std::vector<RunLengths> block_runs_;
  std::vector<std::uint8_t> block_squares_;
  std::vector<char> block_bytes_;
};

}  // namespace slidebench
