// SPDX-License-Identifier: MIT
#include "harness/counters/hardware_counters.hpp"

#include "harness/counters/papi_source.hpp"

namespace slidebench {

EventCounters open_hardware_counters(const std::vector<Metric>& metrics) {
  return EventCounters::open(papi_source("perf_event", "papi"), metrics);
}

}  // namespace slidebench
