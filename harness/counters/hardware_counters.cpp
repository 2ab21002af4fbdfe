// SPDX-License-Identifier: MIT
#include "harness/counters/hardware_counters.hpp"

#include "harness/counters/perf_source.hpp"

namespace slidebench {

std::vector<std::unique_ptr<EventSource>> hardware_sources() {
  std::vector<std::unique_ptr<EventSource>> sources;
  sources.push_back(papi_source());
  sources.push_back(perf_source());
  return sources;
}

}  // namespace slidebench
