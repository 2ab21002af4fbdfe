// SPDX-License-Identifier: MIT
//
// PAPI as a source of events: its presets, and the vendors' own events by libpfm4.
#pragma once

#include <memory>
#include <string>

#include "harness/counters/event_source.hpp"

namespace slidebench {

/// The events of PAPI's component perf_event on the calling thread, user mode, never multiplexed.
/// In a build without PAPI: a source that is always disabled, and says so.
std::unique_ptr<EventSource> papi_source();

/// The version of the PAPI in use, "7.0.0.0"; empty in a build without PAPI.
std::string papi_version();

}  // namespace slidebench
