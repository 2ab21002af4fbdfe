// SPDX-License-Identifier: MIT
#include "harness/platform/topology.hpp"

#include <utility>

namespace slidebench {

Topology load_topology(const char* synthetic) {
  hwloc_topology_t started = nullptr;
  if (hwloc_topology_init(&started) != 0) return nullptr;
  Topology topology(started);
  hwloc_topology_set_icache_types_filter(started, HWLOC_TYPE_FILTER_KEEP_ALL);
  if (synthetic != nullptr && hwloc_topology_set_synthetic(started, synthetic) != 0) return nullptr;
  return hwloc_topology_load(started) == 0 ? std::move(topology) : nullptr;
}

}  // namespace slidebench
