// SPDX-License-Identifier: MIT
//
// PAPI as a source of events: one interface for what the hardware counts and for what a simulator publishes.
#pragma once

#include <memory>
#include <string>

#include "harness/counters/event_source.hpp"

namespace slidebench {

/// The events of one PAPI component on the calling thread, user mode, never multiplexed.
/// @param component  PAPI's name of it: "perf_event" or "sde"
/// @param source     how rows call it: EventSource::name
/// In a build without PAPI: a source that is always disabled, and says so.
std::unique_ptr<EventSource> papi_source(const std::string& component, std::string source);

/// The version of the PAPI in use, "7.0.0.0"; empty in a build without PAPI.
std::string papi_version();

}  // namespace slidebench
