// SPDX-License-Identifier: MIT
//
// The processor's own counters, through PAPI, and through the kernel where PAPI has none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/counters/event_counters.hpp"
#include "harness/counters/metrics.hpp"

namespace slidebench {

/// The events of PAPI's component perf_event, its presets and by libpfm4 the vendors' own, on the calling thread, user
/// mode, never multiplexed. In a build without PAPI: a source that is always disabled, and says so.
std::unique_ptr<EventSource> papi_source();

/// PAPI first, because it knows the vendors' events; then the kernel, which knows new cores.
std::vector<std::unique_ptr<EventSource>> hardware_sources();

/// Opens metrics: user mode, calling thread, never multiplexed. Without a PMU or without permission the result is not
/// available() and its reason() says why; it never throws for that. While one EventCounters counts, another on the same
/// thread cannot: PAPI runs one set a component.
EventCounters open_hardware_counters(const std::vector<Metric>& metrics = hardware_metrics());

/// What a user means by names: those of hardware_metrics(), or a source's own (PAPI_BR_MSP, page-faults). Throws
/// UserError for a name that none knows, with the nearest one, or that cannot be counted here, with the reason.
std::vector<Metric> metrics_named(const std::vector<std::string>& names);

}  // namespace slidebench
