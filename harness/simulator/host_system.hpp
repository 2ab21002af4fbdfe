// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

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

/// Data TLBs as CPUID describes them.
struct DataTlbs {
  TlbLevel dtlb, stlb;
};

/// AMD's leaves 80000005h and 80000006h. Absent if they name no TLB. Where both page sizes have the same number of
/// entries they are taken as one shared TLB, as AMD's guides say since Zen; ways that would make no power of two of
/// sets (the fields cannot express 12 or 24 ways) are fitted. Source: AMD64 Architecture Programmer's Manual 3,
/// appendix E.4.
std::optional<DataTlbs> decode_amd_tlbs(const CpuidRegisters& leaf5, const CpuidRegisters& leaf6);

/// Intel's leaf 18h, one entry a subleaf. Absent if it names no data TLB (processors before about 2019).
/// Source: Intel SDM 2A, CPUID, deterministic address translation parameters.
std::optional<DataTlbs> decode_intel_tlbs(std::span<const CpuidRegisters> subleaves);

}  // namespace slidebench
