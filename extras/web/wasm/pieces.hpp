// SPDX-License-Identifier: MIT
//
// A trace in the module's memory, cut into segments as `slidebench run` cuts it: pieces of 4,096 queries at least,
// segments of 16,384. For the workloads about sliders nodes count as queries, and those that only continue the node
// before are left out (harness/measure/trace_selection.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "harness/trace/block.hpp"

namespace slidebench::wasm {

class Pieces {
 public:
  /// Takes over a trace file, uncompressed (harness/trace/format.hpp); the bytes must stay and be aligned to 64.
  /// Returns what is wrong with it in a few words, or null. Afterwards no replay can leave the trace.
  const char* open(std::span<const std::byte> file);

  /// Segments of the queries, or of the nodes. At least one once a trace is open.
  using Segment = std::span<const TraceBlock>;
  std::span<const Segment> queries() const { return by_queries_.segments; }
  std::span<const Segment> nodes() const { return by_nodes_.segments; }

 private:
  struct Cut {
    std::vector<TraceBlock> pieces;
    std::vector<Segment> segments;
  };
  /// The columns of a block's nodes without those that continue another.
  struct Columns {
    std::vector<Bitboard> occupied;
    std::vector<NodeTag> tags;
    std::vector<RunLengths> runs;
    std::vector<SliderSets> sliders;
    std::vector<SliderBatch> batches;
  };

  TraceBlock nodes_of(const TraceBlock& block);
  void clear();

  Cut by_queries_, by_nodes_;
  std::deque<Columns> columns_;  ///< views into it stay valid
};

}  // namespace slidebench::wasm
