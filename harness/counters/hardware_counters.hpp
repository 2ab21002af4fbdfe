// SPDX-License-Identifier: MIT
//
// The processor's own counters, through PAPI.
#pragma once

#include <string>
#include <vector>

#include "harness/counters/event_counters.hpp"
#include "harness/counters/metrics.hpp"

namespace slidebench {

/// Opens metrics of PAPI's perf_event component: user mode, calling thread, never multiplexed. Without a PMU, without
/// permission or in a build without PAPI the result is not available() and its reason() says why; it never throws for
/// that. While one EventCounters counts, another on the same thread cannot: PAPI runs one set a component.
EventCounters open_hardware_counters(const std::vector<Metric>& metrics = hardware_metrics());

}  // namespace slidebench
