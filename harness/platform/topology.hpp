// SPDX-License-Identifier: MIT
//
// What hwloc knows of this machine: the one place that starts it.
#pragma once

#include <hwloc.h>

#include <memory>
#include <type_traits>

namespace slidebench {

struct DestroyTopology {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};

/// Destroys itself. Null where hwloc knows nothing.
using Topology = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, DestroyTopology>;

/// Loads what hwloc knows, instruction caches too.
/// @param synthetic  an hwloc description of another machine, for tests; null for this one
Topology load_topology(const char* synthetic = nullptr);

}  // namespace slidebench
