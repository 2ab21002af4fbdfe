// SPDX-License-Identifier: MIT
//
// The cache simulator's counts as PAPI events: sde:::slidebench::L1D_MISS and so on (PAPI's software-defined events).
//
// Whoever reads hardware events reads these with the same code, on machines that have no counters at all. What comes
// this way is called "simulated" in every row. The simulator counts in plain integers; PAPI looks at them when asked.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "harness/counters/event_counters.hpp"

namespace slidebench {

/// A published count: its event's name in PAPI, and the metric that it stands for. (PAPI could take a description too,
/// but its library never frees that.)
struct PublishedCount {
  const char* event;
  const char* metric;
};

inline constexpr std::array published_counts{
    PublishedCount{"ACCESSES", "accesses"},      // cache lines read
    PublishedCount{"L1D_MISS", "l1d_misses"},    // reads that miss the L1 data cache
    PublishedCount{"L2_MISS", "l2d_misses"},     // reads that miss the L2
    PublishedCount{"L3_MISS", "l3_misses"},      // reads that miss the L3
    PublishedCount{"DTLB_MISS", "dtlb_misses"},  // page translations that miss the first-level data TLB
    PublishedCount{"STLB_MISS", "stlb_misses"},  // page translations that miss both TLB levels
};

/// The values behind the published events, in the order of published_counts. Add to them; never reset them.
using PublishedValues = std::array<long long, published_counts.size()>;

/// The process's values. Not thread-safe: one simulation at a time.
PublishedValues& published_values();

/// "L1D_MISS" as the simulator calls it, "slidebench::L1D_MISS", and as PAPI knows it, "sde:::slidebench::L1D_MISS":
/// whether a build has PAPI or not, counters.csv names the same event but for PAPI's component.
std::string count_name(const std::string& event);
std::string published_event_name(const std::string& event);

/// Opens the published events of all of published_counts through PAPI; source "simulated". Not available() in a build
/// without PAPI, and reason() says so.
EventCounters open_simulated_counters();

/// The same for metrics of the caller's; an event that nobody published is refused (PAPI itself would read -1).
EventCounters open_simulated_counters(const std::vector<Metric>& metrics);

}  // namespace slidebench
