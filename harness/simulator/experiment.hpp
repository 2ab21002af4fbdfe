// SPDX-License-Identifier: MIT
//
// One experiment: a method, a trace, a pressure, and all who want to look at it, in one replay.
//
// A timed sample repeats a segment of its trace on caches that earlier passes have warmed up. So by default each
// segment is replayed twice here too: once to warm up caches and TLBs, then to be counted. So every query of the trace
// counts once. Caches and pressure go on from segment to segment; a board is built anew. What is read for the first
// time in a warm-up pass is kept apart (SimulatedCache::warm_up).
//
// One pass warms up what LRU can keep: whatever a segment reads was read in the pass before, or is missed in each. Two
// things of a sample are left out: it warms up for a time, which may be less than a pass, and each of its pieces of
// 16,384 queries begins with a board built anew.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "harness/plugin/loader.hpp"
#include "harness/simulator/access_stream.hpp"
#include "harness/simulator/address_space.hpp"
#include "harness/simulator/coverage.hpp"
#include "harness/simulator/reuse_analyser.hpp"
#include "harness/simulator/simulator.hpp"
#include "harness/trace/reader.hpp"

namespace slidebench {

/// What is replayed without a break.
using ReplaySegment = std::span<const TraceBlock>;

struct Experiment {
  std::vector<CacheSystem> caches;
  Pressure pressure;
  TouchOrder touches = TouchOrder::cyclic;
  bool cold = false;         ///< count the first pass, on empty caches, and replay no second one
  bool large_pages = false;  ///< tables over 64 KiB and the pressure block on 2 MiB pages
  unsigned draws = 1;        ///< how many random placements of physical pages
  bool reuse = false;        ///< also reuse distances; of the method alone, whatever the pressure
};

/// What one cache system, under one random placement of pages (a draw), counted. Without pressure, the first draw of a
/// system also knows compulsory, capacity and conflict misses.
struct SimulatedCache {
  std::size_t system;  ///< index into Experiment::caches
  unsigned draw;
  MissCounts counts;
  MissCounts warm_up;  ///< of the passes before; nothing if cold

  /// Lines (pages) that the level was asked for the first time, by the method itself: no cache that is empty at first
  /// can have them.
  std::uint64_t cold_compulsory(Level level) const {
    return counts.at(level).compulsory.of_method() + warm_up.at(level).compulsory.of_method();
  }
};

struct Observation {
  std::unique_ptr<AddressSpace> space;
  std::vector<SimulatedCache> caches;
  std::unique_ptr<Coverage> coverage;
  std::optional<ReuseAnalyser> lines;  ///< at 64 bytes
  std::optional<ReuseAnalyser> pages;  ///< at the base page of 4 KiB
  std::uint64_t queries = 0;
};

/// The first segments, up to at least so many queries.
std::span<const ReplaySegment> first_segments(std::span<const ReplaySegment> segments, std::uint64_t queries);

/// Replays the segments, in order, through an initialised traced module that the CPU can run. Different modules may be
/// observed at the same time, by a thread each.
/// Throws UserError for a module that is not traced, and for caches that no machine can have.
Observation observe(const Plugin& traced, std::span<const ReplaySegment> segments, const Experiment& experiment);

}  // namespace slidebench
