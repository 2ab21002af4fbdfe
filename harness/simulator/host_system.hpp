// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>

#include "harness/platform/cpuid.hpp"
#include "harness/platform/topology.hpp"
#include "harness/simulator/cache_system.hpp"

namespace slidebench {

/// The caches of the machine that this runs on, as hwloc tells them, and its TLBs, as CPUID tells them, or as the
/// preset of an AArch64 core has them. `notes` says what had to be assumed. Replacement is assumed LRU; sets that are
/// no power of two become more ways.
/// @throws UserError  if hwloc knows no L1 data cache
CacheSystem host_system();

/// What a processor's CPUID answers.
using CpuidFn = std::function<CpuidRegisters(std::uint32_t leaf, std::uint32_t subleaf)>;

/// The same of another machine. The page size is this one's.
CacheSystem host_system(const Topology& topology, const CpuidFn& ask);

}  // namespace slidebench
