// SPDX-License-Identifier: MIT
//
// What hwloc knows of this machine: the one place that starts it.
#pragma once

#include <hwloc.h>

#include <memory>
#include <type_traits>
#include <utility>

namespace slidebench {

struct DestroyTopology {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};

/// Destroys itself. Null where hwloc knows nothing.
using Topology = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, DestroyTopology>;

/// Loads what hwloc knows, instruction caches too.
/// @param synthetic  an hwloc description of another machine, for tests; null for this one
inline Topology load_topology(const char* synthetic = nullptr) {
  hwloc_topology_t started = nullptr;
  if (hwloc_topology_init(&started) != 0) return nullptr;
  Topology topology(started);
  hwloc_topology_set_icache_types_filter(started, HWLOC_TYPE_FILTER_KEEP_ALL);
  if (synthetic != nullptr && hwloc_topology_set_synthetic(started, synthetic) != 0) return nullptr;
  return hwloc_topology_load(started) == 0 ? std::move(topology) : nullptr;
}

}  // namespace slidebench
