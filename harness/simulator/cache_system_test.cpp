// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "harness/base/errors.hpp"
#include "harness/simulator/cache_presets.hpp"
#include "harness/simulator/cache_spec.hpp"
#include "harness/simulator/host_system.hpp"
#include "harness/trace/test_support.hpp"

namespace slidebench {
namespace {

TEST(CacheSpec, PrintsWhatItReads) {
  const std::pair<std::string, std::string> printed[]{
      {"L1=48K/12/64:plru,L2=1M/16:inclusive,L3=32M/16:victim,DTLB=96,STLB=4096/16:2M=64/4,PAGE=16K",
       "L1=48K/12/64:plru,L2=1M/16/64:lru:inclusive,L3=32M/16/64:lru:victim,DTLB=96/96,STLB=4096/16:2M=64/4,PAGE=16K"},
      {"L1=4096/full/128", "L1=4K/32/128:lru,L2=none,L3=none,DTLB=none,STLB=none,PAGE=4K"},
      {"skylake,L2=1M/16,L3=none", "L1=32K/8/64:plru,L2=1M/16/64:lru,L3=none,DTLB=64/4:2M=32/4,STLB=1536/12,PAGE=4K"},
      {"L1=32K/8,L2=1M/16,L3=22M/11:retaining",
       "L1=32K/8/64:lru,L2=1M/16/64:lru,L3=22M/11/64:lru:retaining,DTLB=none,STLB=none,PAGE=4K"}};
  for (const auto& [text, whole] : printed) {
    const CacheSystem system = parse_cache_system(text);
    EXPECT_EQ(system.name, text);
    EXPECT_EQ(specification(system), whole);
    EXPECT_EQ(specification(parse_cache_system(whole)), whole);
  }
  const CacheSystem first = parse_cache_system(printed[0].first);
  EXPECT_EQ(first.l1.bytes, 48u << 10);
  EXPECT_EQ(first.l1.sets(), 64u);
  EXPECT_EQ(first.stlb.large.sets(), 16u);
  EXPECT_EQ(first.dtlb.large_pages, LargePages::shared);
  EXPECT_EQ(first.page_bytes, 16384u);
}

/// Of specifications that are refused: each with a part of what is said of it.
void expect_refused(std::initializer_list<std::string> cases) {
  for (const std::string& both : cases) {
    SCOPED_TRACE(both);
    const std::size_t colon = both.find(": ");
    test::expect_complaint(both.substr(colon + 2), [text = both.substr(0, colon)] { parse_cache_system(text); });
  }
}

TEST(CacheSpec, RefusesNonsenseInOneLine) {
  expect_refused(
      {": there is no preset ''", "pentium: there is no preset 'pentium'", "L1=32K/8,PAGE=5K: base pages have"});
  expect_refused(
      {"L1=32K: SIZE/WAYS", "L1=32K/: SIZE/WAYS", "L1=32K/0: '0' is no number of ways", "L1=32K/7: no multiple"});
  expect_refused(
      {"L1=24K/8: 48 sets are no power of two", "L1=512/16: 16 ways, but only 8 lines", "L1=32K/128: more than 64"});
  expect_refused({"L1=0K/8: '0K' is no cache size", "L1=32Q/8: '32Q' is no cache size",
                  "L1=-32K/8: '-32K' is no cache size", "L1=99999999999999999999/8: is no cache size",
                  "L1=18014398509481984K/8: is no cache size", "L1=8G/8: larger than 4 GiB"});
  expect_refused({"L1=32K/8/48: a line of 48 bytes", "L1=32K/8/8: a line of 8 bytes",
                  "L1=32K/8/64/2: '64/2' is no line size", "L1=32K/8:lfu: 'lfu' is none of lru, plru, noninclusive"});
  expect_refused(
      {"L1=32K/8:inclusive: no level above", "L1=32K/full:plru: more than 64", "L1=32K/8,L4=1G/16: 'L4' is none of"});
  expect_refused({"L2=1M/16: there has to be one", "L1=32K/8,L2=1M/16/32: shorter than those of L1",
                  "L1=32K/8,L2=16K/8:inclusive: smaller than L1", "L1=32K/8,L2=1M/16:victim: only an L3",
                  "L1=32K/8,L2=1M/16:retaining: only an L3"});
  expect_refused({"L1=32K/8,L3=1M/16: no L2 above", "L1=32K/8,L2=1M/16,L3=8M/16/128:retaining: lines as long as",
                  "L1=32K/8,L2=1M/16,L3=8M/16/128:victim: lines as long as", "L1=32K/8,,L2=1M/16: '' is none of"});
  expect_refused({"L1=32K/8,PREFETCH=stream: 'PREFETCH' is none of L1, L2"});
  expect_refused({"L1=32K/8,DTLB=256/128: more than 64", "L1=32K/8,DTLB=0: '0' is no number of entries",
                  "L1=32K/8,DTLB=64/7: no power of two of sets",
                  "L1=32K/8,DTLB=64/128: 128 ways, but only 64 entries"});
  expect_refused({"L1=32K/8,DTLB=64:4M=3: 2M=", "L1=32K/8,DTLB=64:2M=: '' is no number of entries",
                  "L1=32K/8,STLB=512/4: no DTLB above"});
}

TEST(CachePresets, AreAllPossibleAndSourced) {
  for (const CachePreset& preset : cache_presets) {
    const CacheSystem system = parse_cache_system(std::string(preset.name));
    EXPECT_NO_THROW(check(system)) << preset.name;
    EXPECT_EQ(system.name, preset.name);
    EXPECT_EQ(system.notes.size(), 2u);
    EXPECT_FALSE(preset.source.empty());
    EXPECT_TRUE(system.dtlb.exists() && system.stlb.exists() && system.l2.exists()) << preset.name;
  }
}

/// A recorded machine: hwloc's description, and what CPUID answers where it is not zeros.
struct Machine {
  const char* name;
  const char* topology;
  std::map<std::pair<std::uint32_t, std::uint32_t>, CpuidRegisters> cpuid;
};

CacheSystem host_on(const Machine& machine) {
  SCOPED_TRACE(machine.name);
  const auto cpuid = [&machine](std::uint32_t leaf, std::uint32_t subleaf) {
    const auto found = machine.cpuid.find({leaf, subleaf});
    return found == machine.cpuid.end() ? CpuidRegisters{} : found->second;
  };
  CacheSystem host = host_system(load_topology(machine.topology), cpuid);
  EXPECT_NO_THROW(check(host));
  EXPECT_TRUE(host.dtlb.exists() && !host.notes.empty());
  return host;
}

constexpr CpuidRegisters intel_of_leaf_4{4, 0x756E6547, 0, 0}, intel_of_leaf_18{0x18, 0x756E6547, 0, 0};

const Machine machines[] = {
    {"a guest whose L3 is 508 MiB",
     "pack:1 l3:1(size=532676608) l2:2(size=2097152) l1d:1(size=49152) core:1 pu:1",
     {{{0, 0}, intel_of_leaf_4}}},
    {"one CPU, no L2", "pack:1 l1d:1(size=32768) core:1 pu:1", {{{0, 0}, intel_of_leaf_4}}},
    {"64 CPUs, a Zen 4 (family 19h model 11h)",
     "pack:1 l3:8(size=33554432) l2:8(size=1048576) l1d:1(size=32768) core:1 pu:1",
     {{{0, 0}, {0x10, 0x68747541, 0, 0}},
      {{0x80000005, 0}, {0xFF48FF40, 0xFF48FF40, 0x20080140, 0x20080140}},
      {{0x80000006, 0}, {0x5C002200, 0x6C004200, 0x04006140, 0x0A009140}}}},
    {"an unknown vendor",
     "pack:1 l3:1(size=8388608) l2:1(size=262144) l1d:1(size=32768) core:1 pu:1",
     {{{0, 0}, {0x18, 0x61757962, 0, 0}}}},
    {"an inclusive L3",
     "pack:1 l3:1(size=8388608) l2:1(size=262144) l1d:1(size=32768) core:1 pu:1",
     {{{0, 0}, intel_of_leaf_18},
      {{0x18, 0}, {1, 0, 0, 0}},
      {{0x18, 1}, {0, 0x00040001, 16, 0x00000021}},
      {{4, 0}, {0x163, 0, 0, 2}}}},
};

TEST(HostSystem, IsPossibleAndTakesWhatAMachineTells) {
  const CacheSystem guest = host_on(machines[0]), small = host_on(machines[1]), large = host_on(machines[2]);
  EXPECT_EQ(guest.l3.bytes, 512u << 20);
  EXPECT_EQ(guest.l3.inclusion, Inclusion::retaining);
  EXPECT_EQ(guest.dtlb.base.entries, host_on(machines[3]).dtlb.base.entries);  // neither tells one
  EXPECT_FALSE(small.l2.exists() || small.l3.exists());
  EXPECT_EQ(large.l3.inclusion, Inclusion::victim);
  // 72 entries of any size, fully associative; 3,072, eight and six ways by its codes.
  EXPECT_EQ(large.dtlb.base.entries, 72u);
  EXPECT_EQ(large.dtlb.base.sets(), 1u);
  EXPECT_EQ(large.dtlb.large_pages, LargePages::shared);
  EXPECT_EQ(large.stlb.base.entries, 3072u);
  EXPECT_EQ(large.stlb.base.sets(), 256u);
  EXPECT_EQ(host_on(machines[3]).l3.inclusion, Inclusion::noninclusive);
  EXPECT_EQ(host_on(machines[4]).l3.inclusion, Inclusion::inclusive);
  EXPECT_THROW(host_on({"no caches", "pack:1 core:1 pu:1", {}}), UserError);
}

/// The host's caches where hwloc knows one core of Arm's, with this L1.
CacheSystem host_with(const std::string& part, const char* l1_bytes) {
  const std::string text = std::string("pack:1 l1d:1(size=") + l1_bytes + ") core:1 pu:1";
  const Topology topology = load_topology(text.c_str());
  hwloc_obj_t package = hwloc_get_obj_by_type(topology.get(), HWLOC_OBJ_PACKAGE, 0);
  hwloc_obj_add_info(package, "CPUImplementer", "0x41");
  hwloc_obj_add_info(package, "CPUPart", part.c_str());
  return host_system(topology, [](std::uint32_t, std::uint32_t) { return CpuidRegisters{}; });
}

TEST(HostSystem, KnowsTheTlbsOfAnAArch64CoreAndTakesLargeFirstCachesOfAnUnknownOne) {
  const CacheSystem host = host_with("0xd4f", "65536");
  const CacheSystem preset = parse_cache_system("neoverse-v2");
  EXPECT_EQ(host.l1.bytes, 64u << 10);
  EXPECT_EQ(host.dtlb.base.entries, preset.dtlb.base.entries);
  EXPECT_EQ(host.stlb.base.entries, preset.stlb.base.entries);
  const auto names_it = [](const std::string& note) { return note.find("Neoverse V2") != std::string::npos; };
  EXPECT_TRUE(std::ranges::any_of(host.notes, names_it));
  const CacheSystem unknown = host_with("0xfff", "131072");
  EXPECT_EQ(unknown.l1.bytes, 128u << 10);
  EXPECT_TRUE(unknown.dtlb.exists() && unknown.stlb.exists());
}

TEST(PowerOfTwoSets, KeepTheSizeOrTheWaysWhereTheyWouldBeTooMany) {
  const CacheGeometry fitted = with_power_of_two_sets(CacheGeometry{.bytes = 36u << 20, .ways = 12});  // of 49,152 sets
  EXPECT_EQ(fitted.bytes, 36u << 20);
  EXPECT_EQ(fitted.sets(), 32768u);
  EXPECT_EQ(fitted.ways, 18u);
  EXPECT_EQ(with_power_of_two_sets(fitted).ways, 18u);
  EXPECT_EQ(with_power_of_two_sets(TlbGeometry{3072, 8}).ways, 12u);
  // Of a package, as a hypervisor told it: 127 times 4 MiB.
  const CacheGeometry larger = with_power_of_two_sets(CacheGeometry{.bytes = 508ull << 20, .ways = 8});
  EXPECT_EQ(larger.bytes, 512ull << 20);
  EXPECT_EQ(larger.ways, 8u);
  EXPECT_EQ(with_power_of_two_sets(larger).bytes, larger.bytes);
}

TEST(TlbCpuid, DecodesIntelAndMakesNothingOfZeros) {
  const CpuidRegisters subleaves[] = {
      {3, 0, 0, 0},                      // describes nothing
      {0, 0x00080001, 16, 0x00000022},   // instructions: passed over
      {0, 0x00040001, 16, 0x00000024},   // loads, first level: 4K, 4 ways x 16 sets
      {0, 0x00040006, 8, 0x00000024},    // loads, first level: 2M and 4M, 4 ways x 8 sets
      {0, 0x00100003, 128, 0x00000043},  // unified, second level: 4K and 2M, 16 ways x 128 sets
  };
  const auto tlbs = decode_intel_tlbs(subleaves);
  ASSERT_TRUE(tlbs.has_value());
  EXPECT_EQ(tlbs->dtlb.base.entries, 64u);
  EXPECT_EQ(tlbs->dtlb.large_pages, LargePages::separate);
  EXPECT_EQ(tlbs->dtlb.large.entries, 32u);
  EXPECT_EQ(tlbs->stlb.base.entries, 2048u);
  EXPECT_EQ(tlbs->stlb.large_pages, LargePages::shared);
  EXPECT_FALSE(decode_intel_tlbs({}).has_value() || decode_amd_tlbs({}, {}).has_value());
}

}  // namespace
}  // namespace slidebench
