// SPDX-License-Identifier: MIT
#pragma once

#include "harness/simulator/cache_system.hpp"

namespace slidebench {

/// The caches of the machine that this runs on, as hwloc tells them, and its TLBs, as CPUID tells them, or as the
/// preset of an AArch64 core has them. `notes` says what had to be assumed. Replacement is assumed LRU; sets that are
/// no power of two become more ways.
/// @throws UserError  if hwloc knows no L1 data cache
CacheSystem host_system();

}  // namespace slidebench
