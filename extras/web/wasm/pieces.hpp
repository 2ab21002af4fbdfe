// SPDX-License-Identifier: MIT
//
// A trace in the module's memory, cut into segments as `slidebench run` cuts it: pieces of 4,096 queries at least,
// segments of 16,384 (harness/measure/trace_selection.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/trace/block.hpp"

namespace slidebench::wasm {

class Pieces {
 public:
  /// Takes over a trace file, uncompressed and whole (harness/trace/format.hpp); the bytes must stay and be aligned to
  /// 64. Returns what is wrong with it in a few words, or null.
  const char* open(std::span<const std::byte> file);

  /// At least one once a trace is open.
  using Segment = std::span<const TraceBlock>;
  std::span<const Segment> segments() const { return segments_; }

 private:
  std::vector<TraceBlock> pieces_;
  std::vector<Segment> segments_;
};

}  // namespace slidebench::wasm
