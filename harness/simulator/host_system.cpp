// SPDX-License-Identifier: MIT
#include "harness/simulator/host_system.hpp"

#include <unistd.h>

#include <optional>
#include <string>
#include <string_view>

#include "harness/base/errors.hpp"
#include "harness/base/text_output.hpp"
#include "harness/platform/arm_cores.hpp"
#include "harness/simulator/cache_spec.hpp"

namespace slidebench {
namespace {

/// The cache of this type above the first processor.
std::optional<CacheGeometry> find_cache(hwloc_topology_t topology, hwloc_obj_type_t type) {
  hwloc_obj_t processor = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, 0);
  hwloc_obj_t object = processor ? hwloc_get_ancestor_obj_by_type(topology, type, processor) : nullptr;
  if (object == nullptr || object->attr->cache.size == 0) return std::nullopt;
  const auto& attributes = object->attr->cache;
  CacheGeometry cache;
  cache.bytes = attributes.size;
  if (attributes.linesize > 0) cache.line_bytes = attributes.linesize;
  if (attributes.associativity > 0) cache.ways = static_cast<std::uint32_t>(attributes.associativity);
  if (attributes.associativity < 0) cache.ways = static_cast<std::uint32_t>(cache.lines());
  return cache;
}

/// The first word of the vendor's name: "Auth" of AuthenticAMD, "Genu" of GenuineIntel. No vendor's where there is no
/// CPUID, which says zeros.
constexpr std::uint32_t amd_signature = 0x68747541, intel_signature = 0x756E6547;

bool is_amd(const CpuidFn& ask) { return ask(0, 0).ebx == amd_signature; }
bool is_intel(const CpuidFn& ask) { return ask(0, 0).ebx == intel_signature; }

std::optional<DataTlbs> cpuid_tlbs(const CpuidFn& ask) {
  if (is_amd(ask)) return decode_amd_tlbs(ask(0x80000005, 0), ask(0x80000006, 0));
  if (ask(0, 0).eax < 0x18) return std::nullopt;
  std::vector<CpuidRegisters> subleaves(ask(0x18, 0).eax + std::size_t{1});
  if (subleaves.size() > 64) return std::nullopt;
  for (std::size_t i = 0; i < subleaves.size(); ++i) subleaves[i] = ask(0x18, static_cast<std::uint32_t>(i));
  return decode_intel_tlbs(subleaves);
}

/// Whether CPUID says that the cache of this level includes the levels above.
bool says_inclusive(const CpuidFn& ask, std::uint32_t level) {
  const std::uint32_t leaf = is_amd(ask) ? 0x8000001D : 4;
  for (std::uint32_t subleaf = 0; subleaf < 8; ++subleaf) {
    const CpuidRegisters r = ask(leaf, subleaf);
    const std::uint32_t type = r.eax & 31;
    if (type == 0) break;
    if (type != 2 && (r.eax >> 5 & 7) == level) return (r.edx & 2) != 0;
  }
  return false;
}

CacheGeometry usable(CacheGeometry cache, const std::string& name, std::vector<std::string>& notes) {
  if (cache.ways == 0) {
    cache.ways = 8;
    notes.push_back(name + ": the ways are not told; 8 assumed");
  }
  const CacheGeometry told = cache;
  cache = with_power_of_two_sets(cache);
  if (cache.ways != told.ways || cache.bytes != told.bytes) {
    const auto text = [](const CacheGeometry& c) {
      return readable_bytes(c.bytes) + " of " + std::to_string(c.ways) + " ways";
    };
    notes.push_back(name + ": simulated with " + text(cache) + "; told are " + text(told));
  }
  return cache;
}

/// The AArch64 core of the first processor, by the numbers that hwloc has from the kernel. Null on other processors.
const ArmCore* first_core(hwloc_topology_t topology) {
  hwloc_obj_t processor = topology ? hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, 0) : nullptr;
  hwloc_obj_t package = processor ? hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, processor) : nullptr;
  if (package == nullptr) return nullptr;
  const char* const implementer = hwloc_obj_get_info_by_name(package, "CPUImplementer");
  const char* const part = hwloc_obj_get_info_by_name(package, "CPUPart");
  return implementer && part ? arm_core(implementer, part) : nullptr;
}

void take_tlbs_of(std::string_view preset, CacheSystem& system) {
  const CacheSystem other = parse_cache_system(std::string(preset));
  system.dtlb = other.dtlb;
  system.stlb = other.stlb;
}

#if defined(__aarch64__)
constexpr std::string_view usual_preset = "neoverse-n1";
#else
constexpr std::string_view usual_preset = "skylake";
#endif

void add_tlbs(const ArmCore* core, const CpuidFn& ask, CacheSystem& system) {
  if (core != nullptr && !core->preset.empty()) {
    take_tlbs_of(core->preset, system);
    system.notes.push_back("TLBs as in the preset of the core that this CPU says it has, " + std::string(core->name));
  } else if (const std::optional<DataTlbs> told = cpuid_tlbs(ask)) {
    system.dtlb = told->dtlb;
    system.stlb = told->stlb;
    system.notes.push_back("TLBs as CPUID tells them");
  } else {
    take_tlbs_of(usual_preset, system);
    system.notes.push_back("TLBs are not told by this CPU; those of the preset " + std::string(usual_preset) +
                           " assumed");
  }
}

}  // namespace

CacheSystem host_system() { return host_system(load_topology(), &cpuid); }

CacheSystem host_system(const Topology& topology, const CpuidFn& ask) {
  CacheSystem system;
  system.name = "host";
  const auto take = [&](hwloc_obj_type_t type, const std::string& name) {
    const std::optional<CacheGeometry> cache = topology ? find_cache(topology.get(), type) : std::nullopt;
    return cache ? usable(*cache, name, system.notes) : CacheGeometry{};
  };
  system.l1 = take(HWLOC_OBJ_L1CACHE, "L1");
  system.l2 = take(HWLOC_OBJ_L2CACHE, "L2");
  if (system.l2.exists()) system.l3 = take(HWLOC_OBJ_L3CACHE, "L3");
  if (!system.l1.exists()) {
    throw UserError("hwloc knows no caches of this machine; name a preset or L1=SIZE/WAYS,... instead");
  }
  if (says_inclusive(ask, 2)) system.l2.inclusion = Inclusion::inclusive;
  if (says_inclusive(ask, 3)) {
    system.l3.inclusion = Inclusion::inclusive;
  } else if (is_amd(ask) && system.l3.exists()) {
    system.l3.inclusion = Inclusion::victim;
    system.notes.push_back("L3: a victim cache assumed, as in AMD's processors since Zen");
  } else if (is_intel(ask) && system.l3.exists()) {
    system.l3.inclusion = Inclusion::retaining;
    system.notes.push_back(
        "L3: not inclusive; filled by what L2 evicts, as in Intel's servers since Skylake-SP, assumed");
  }
  system.notes.push_back("replacement is not told: LRU assumed everywhere");
  const long page = sysconf(_SC_PAGESIZE);
  if (page > 0) system.page_bytes = static_cast<std::uint32_t>(page);
  add_tlbs(first_core(topology.get()), ask, system);
  check(system);
  return system;
}

}  // namespace slidebench
