// SPDX-License-Identifier: MIT
//
// One experiment: a method, a trace, a pressure, and all who want to look at it, in one replay.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "harness/cachelab/address_space.hpp"
#include "harness/cachelab/coverage.hpp"
#include "harness/cachelab/reuse_analyser.hpp"
#include "harness/cachelab/simulator.hpp"
#include "harness/plugin/loader.hpp"
#include "harness/trace/reader.hpp"

namespace slidebench {

struct Experiment {
  std::vector<CacheSystem> caches;
  Pressure pressure;
  bool large_pages = false;       ///< tables over 64 KiB and the pressure block on 2 MiB pages
  unsigned draws = 1;             ///< how many random placements of physical pages
  bool reuse = false;             ///< also reuse distances; of the method alone, whatever the pressure
  std::uint64_t max_queries = 0;  ///< only the trace's first blocks, up to at least so many queries; 0: all
};

/// What one cache system, under one draw of pages, counted. Without pressure, the first draw of a system also
/// knows compulsory, capacity and conflict misses.
struct SimulatedCache {
  std::size_t system;  ///< index into Experiment::caches
  unsigned draw;
  MissCounts counts;
};

struct Observation {
  std::unique_ptr<AddressSpace> space;
  std::vector<SimulatedCache> caches;
  std::unique_ptr<Coverage> coverage;
  std::optional<ReuseAnalyser> lines;  ///< at 64 bytes
  std::optional<ReuseAnalyser> pages;  ///< at the base page of 4 KiB
  std::uint64_t queries = 0;
};

/// The blocks that an experiment replays.
std::span<const TraceBlock> blocks_of(const Trace& trace, const Experiment& experiment);

/// Replays the trace through an initialised traced module that the CPU can run.
/// Throws UserError for a module that is not traced, and for caches that no machine can have.
Observation observe(const Plugin& traced, const Trace& trace, const Experiment& experiment);

}  // namespace slidebench
