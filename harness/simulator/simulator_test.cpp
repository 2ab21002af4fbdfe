// SPDX-License-Identifier: MIT
//
// Caches as they are named and found, and what they miss: counted, and foretold from reuse.
#include "harness/simulator/simulator.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <list>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <utility>

#include "harness/simulator/cache_presets.hpp"
#include "harness/simulator/cache_spec.hpp"
#include "harness/simulator/coverage.hpp"
#include "harness/simulator/host_system.hpp"
#include "harness/simulator/log_bins.hpp"
#include "harness/simulator/reuse_analyser.hpp"
#include "harness/simulator/stack_distance.hpp"
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
  EXPECT_TRUE(larger.bytes == 512ull << 20 && larger.ways == 8u);
  EXPECT_EQ(with_power_of_two_sets(larger).bytes, larger.bytes);
  EXPECT_EQ(with_power_of_two_sets(CacheGeometry{.bytes = 508ull << 20, .ways = 254}).sets(), larger.sets() / 8);
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

/// Numbers of lines, counted from the start of the table.
using Lines = std::vector<std::uint32_t>;

constexpr Owner test_owner = encode_query(QueryKind::rook, 0);

MemoryEvent access_at(std::uint64_t address, std::uint16_t bytes = 8, Owner owner = test_owner) {
  return {address, bytes, 0, owner, MemoryEvent::Kind::access};
}

std::vector<MemoryEvent> read_lines(const AddressSpace& space, const Lines& lines) {
  std::vector<MemoryEvent> events;
  for (const std::uint32_t line : lines) events.push_back(access_at(space.regions()[0].address + 64ull * line));
  return events;
}

/// One table of that many bytes, and nothing else.
AddressSpace one_table(std::size_t bytes, bool large_pages = false) {
  const TableInfo table{"table", nullptr, bytes};
  return AddressSpace(std::span(&table, 1), Pressure{}, large_pages);
}

/// A simulator with a table of its own to read.
class Rig {
 public:
  explicit Rig(const std::string& caches, SimulatorOptions options = {}, bool large_pages = false)
      : space_(one_table(64u << 20, large_pages)), simulator_(parse_cache_system(caches), space_, options) {}

  void read(const Lines& lines) { simulator_.consume(read_lines(space_, lines)); }
  void read_at(std::uint64_t offset, std::uint16_t bytes) {
    const MemoryEvent event = access_at(space_.regions()[0].address + offset, bytes);
    simulator_.consume({&event, 1});
  }
  std::uint64_t misses(Level level) const { return simulator_.counts().at(level).misses.total(); }
  std::uint64_t accesses(Level level) const { return simulator_.counts().at(level).accesses.total(); }
  std::uint64_t misses_of(Level level, const Lines& lines) {
    simulator_.clear_counts();
    read(lines);
    return misses(level);
  }
  const MissCounts& counts() const { return simulator_.counts(); }

 private:
  AddressSpace space_;
  Simulator simulator_;
};

Lines random_lines(std::size_t count, std::uint32_t lines, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  Lines accesses(count);
  for (std::uint32_t& line : accesses) line = static_cast<std::uint32_t>(random() % lines);
  return accesses;
}

/// So many lines one after another, each `stride` lines after the last.
Lines sweep(std::uint32_t lines, unsigned times, std::uint32_t stride = 1) {
  Lines accesses;
  for (unsigned i = 0; i < times; ++i) {
    for (std::uint32_t line = 0; line < lines; ++line) accesses.push_back(line * stride);
  }
  return accesses;
}

/// LRU by the book: a list for every set.
std::uint64_t brute_force_misses(const Lines& accesses, std::uint32_t sets, std::size_t ways) {
  std::vector<std::deque<std::uint32_t>> contents(sets);
  std::uint64_t misses = 0;
  for (const std::uint32_t line : accesses) {
    std::deque<std::uint32_t>& set = contents[line % sets];
    if (std::erase(set, line) == 0) ++misses;
    set.push_front(line);
    if (set.size() > ways) set.pop_back();
  }
  return misses;
}

/// So do trees of two ways, and an odd number of ways, which makes trees of one.
TEST(Lru, AgreesWithBruteForce) {
  const Lines accesses = random_lines(20'000, 300);
  for (const auto& [text, sets, ways] :
       {std::tuple{"L1=4K/1", 64u, 1u}, std::tuple{"L1=4K/4", 16u, 4u}, std::tuple{"L1=3K/12", 4u, 12u},
        std::tuple{"L1=512/full", 1u, 8u}, std::tuple{"L1=8K/full", 1u, 128u}, std::tuple{"L1=3K/3", 16u, 3u},
        std::tuple{"L1=2K/2:plru", 16u, 2u}, std::tuple{"L1=3K/3:plru", 16u, 3u}}) {
    Rig rig(text);
    rig.read(accesses);
    EXPECT_EQ(rig.misses(Level::l1), brute_force_misses(accesses, sets, ways)) << text;
    EXPECT_EQ(rig.accesses(Level::l1), accesses.size());
  }
}

/// Accesses, uses and removals in any order; removed ways are filled first.
template <class Store>
void expect_book_lru(Store store, std::size_t ways) {
  std::deque<Tag> book;
  std::mt19937_64 random(ways);
  for (unsigned step = 0; step < 20'000; ++step) {
    const Tag tag = static_cast<Tag>(random() % (2 * ways));
    const bool held = std::erase(book, tag) != 0;
    if (random() % 4 == 0) {
      ASSERT_EQ(store.remove(1, tag), held) << ways;
      continue;
    }
    ASSERT_EQ(store.holds(1, tag), held) << ways;
    if (random() % 4 == 0) {
      if (held) book.push_front(tag);
      ASSERT_EQ(store.use(1, tag), held) << ways;
      continue;
    }
    Tag evicted = held ? tag_hit : no_tag;
    if (book.size() == ways) evicted = book.back(), book.pop_back();
    book.push_front(tag);
    ASSERT_EQ(store.access(1, tag), evicted) << ways;
  }
}

TEST(Lru, KeepsTheOrderWhenLinesAreTakenOut) {
  for (const std::uint32_t ways : {1u, 2u, 3u, 4u, 7u, 8u, 9u, 12u, 16u, 20u, 24u, 63u, 64u}) {
    expect_book_lru(LruSets(4, ways), ways);
    expect_book_lru(LruList(ways), ways);
    if (ways % 2 != 0) expect_book_lru(PlruSets(4, ways), ways);  // trees of one way each
  }
  expect_book_lru(LruList(1000), 1000);
}

TEST(Lru, UniformRandomHitsInProportionToSize) {
  // 8,192 lines under random pages, of which an eighth fits.
  Rig sets("L1=64/full,L2=64K/4", {.placement_seed = 7});
  sets.read(random_lines(50'000, 8192, 1));
  const std::uint64_t misses = sets.misses_of(Level::l2, random_lines(200'000, 8192, 2));
  EXPECT_NEAR(static_cast<double>(misses) / 200'000, 7.0 / 8, 0.005);
}

/// The access after which a line of these is missing: each is probed in a cache of its own.
Lines missing_after(const std::string& caches, const Lines& accesses, const Lines& probes) {
  Lines missing;
  for (const std::uint32_t probe : probes) {
    Rig rig(caches);
    rig.read(accesses);
    if (rig.misses_of(Level::l1, {probe}) != 0) missing.push_back(probe);
  }
  return missing;
}

TEST(TreePlru, ForgetsTheOrderWithinTheTree) {
  // After 0 1 2 3 0 the root points right, and there way 2 was used before way 3: 2 goes, though 1 is older.
  EXPECT_EQ(missing_after("L1=256/full:plru", {0, 1, 2, 3, 0, 9}, {0, 1, 2, 3, 9}), Lines({2}));
  EXPECT_EQ(missing_after("L1=256/full:lru", {0, 1, 2, 3, 0, 9}, {0, 1, 2, 3, 9}), Lines({1}));
  // Then the root points left (9 sits in way 2, right), and there way 0 was used last: 1 goes.
  EXPECT_EQ(missing_after("L1=256/full:plru", {0, 1, 2, 3, 0, 9, 10}, {0, 1, 2, 3, 9, 10}), Lines({1, 2}));
}

TEST(TreePlru, TwelveWaysAreThreeTreesInLruOrder) {
  const Lines filled = sweep(12, 1);  // trees 0-3, 4-7, 8-11; the first was used longest ago
  // After 1 and 5 the third tree is the oldest, filled 8 9 10 11; 8 turns it to the right half, where 10 is the older.
  for (const auto& [then, gone] : {std::pair{Lines{100}, 0u}, {Lines{1, 5, 100}, 8u}, {Lines{8, 1, 5, 100}, 10u}}) {
    Lines accesses = filled;
    accesses.insert(accesses.end(), then.begin(), then.end());
    EXPECT_EQ(missing_after("L1=768/12:plru", accesses, filled), Lines({gone}));
  }
}

TEST(Levels, EachSeesTheMissesOfTheOneAbove) {
  const Lines accesses = random_lines(20'000, 2000);
  Rig rig("L1=4K/4,L2=32K/8,L3=64K/16");
  rig.read(accesses);
  EXPECT_EQ(rig.accesses(Level::l2), rig.misses(Level::l1));
  EXPECT_EQ(rig.accesses(Level::l3), rig.misses(Level::l2));
  EXPECT_LT(rig.misses(Level::l3), rig.misses(Level::l2));
}

TEST(Levels, AnInclusiveOneTakesLinesFromAbove) {
  // Line 0 stays in L1 all the time, so that no level below hears of it again, and the last one evicts it for line 4.
  using Misses = std::array<std::uint64_t, 3>;  // of line 0 then
  for (const auto& [caches, misses] : {std::pair{"L1=128/full,L2=256/full,L3=256/full:inclusive", Misses{1, 1, 1}},
                                       std::pair{"L1=128/full,L2=256/full:inclusive,L3=512/full", Misses{1, 1, 0}},
                                       std::pair{"L1=128/full,L2=256/full,L3=256/full", Misses{0, 0, 0}}}) {
    Rig rig(caches);
    rig.read({0, 1, 0, 2, 0, 3, 0, 4});
    const std::uint64_t l1 = rig.misses_of(Level::l1, {0});
    EXPECT_EQ((Misses{l1, rig.misses(Level::l2), rig.misses(Level::l3)}), misses) << caches;
  }
}

TEST(Levels, L3HoldsWhatL2EvictsAndKeepsWhatMovesUpIfItIsRetainingEachLineOnce) {
  // What L3 misses of lines that are read one by one after the first ones: {line, misses}.
  const auto expect_l3_misses = [](const std::string& caches, const Lines& first,
                                   const std::vector<std::pair<std::uint32_t, std::uint64_t>>& then) {
    Rig rig(caches);
    rig.read(first);
    for (const auto& [line, misses] : then)
      EXPECT_EQ(rig.misses_of(Level::l3, {line}), misses) << caches << " " << line;
  };
  // L2 and L3 after the first: 2 1 and 0. Then, line by line: 0 2 and 1; 1 0 and 2; 3 1 and 0 2; 4 3 and 1 0.
  expect_l3_misses("L1=64/full,L2=128/full,L3=128/full:victim", {0, 1, 2}, {{0, 0}, {1, 0}, {3, 1}, {4, 1}, {2, 1}});
  // L2 1 0 after both; 2 sends 0 to L3, 3 sends 1: L3 1 0. When 0 is read, 2 follows into L3: where 0 stayed, 1 goes.
  expect_l3_misses("L1=64/full,L2=128/full,L3=128/full:victim", {0, 1, 2, 3}, {{0, 0}, {1, 0}});
  expect_l3_misses("L1=64/full,L2=128/full,L3=128/full:retaining", {0, 1, 2, 3}, {{0, 0}, {1, 1}});
  // 0 and 1 take turns: each hit in L3 sends the other there, where it still is. Then 2: L3 1 0; then 0: L3 2 0.
  expect_l3_misses("L1=64/full,L2=64/full,L3=128/full:retaining", {0, 1, 0, 1, 0, 1, 2}, {{0, 0}, {2, 0}, {1, 1}});
}

TEST(Levels, LinesMayBeLongerBelow) {
  Rig rig("L1=1K/full/64,L2=4K/full/128");
  rig.read({0, 1, 2, 3});
  EXPECT_EQ(rig.misses(Level::l1), 4u);
  EXPECT_EQ(rig.misses(Level::l2), 2u);
}

TEST(Accesses, MayStraddleLinesAndPages) {
  Rig rig("L1=32K/8,DTLB=64");
  rig.read_at(60, 8);
  EXPECT_EQ(rig.accesses(Level::l1), 2u);
  EXPECT_EQ(rig.accesses(Level::dtlb), 1u);
  rig.read_at(4096 - 16, 32);
  EXPECT_EQ(rig.accesses(Level::l1), 4u);
  EXPECT_EQ(rig.accesses(Level::dtlb), 3u);
  EXPECT_EQ(rig.misses(Level::dtlb), 2u);
}

TEST(Pages, L2MissesDependOnThePlacementOfSmallPagesOnly) {
  const std::string caches = "L1=32K/8,L2=256K/4,DTLB=64";
  const Lines accesses = random_lines(40'000, 4096);
  std::set<std::uint64_t> small, large;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Rig on_small(caches, {.placement_seed = seed}, false), on_large(caches, {.placement_seed = seed}, true);
    on_small.read(accesses);
    on_large.read(accesses);
    EXPECT_EQ(on_small.misses(Level::l1), on_large.misses(Level::l1));
    small.insert(on_small.misses(Level::l2));
    large.insert(on_large.misses(Level::l2));
  }
  EXPECT_GT(small.size(), 1u);
  EXPECT_EQ(large.size(), 1u);
}

TEST(Tlb, HoldsSmallAndLargePages) {
  constexpr std::uint32_t lines_a_page = 64;
  Rig rig("L1=32K/8,DTLB=64,STLB=128/4");
  rig.read(sweep(65, 4, lines_a_page));
  EXPECT_EQ(rig.misses(Level::dtlb), 4u * 65);
  EXPECT_EQ(rig.accesses(Level::stlb), 4u * 65);
  EXPECT_EQ(rig.misses(Level::stlb), 65u);
  EXPECT_EQ(rig.counts().at(Level::stlb).compulsory.total(), 65u);
  for (const auto& [caches, dtlb, stlb] :
       {std::tuple{"L1=32K/8,DTLB=64,STLB=128/4", 2u, 2u}, std::tuple{"L1=32K/8,DTLB=64:2M=1,STLB=128/4:2M=2", 4u, 2u},
        std::tuple{"L1=32K/8,DTLB=64:2M=1,STLB=128/4:2M=none", 4u, 4u}}) {
    Rig large(caches, {}, true);
    large.read(sweep(1024, 2, lines_a_page));  // 4 MiB: two pages
    EXPECT_EQ(large.misses(Level::dtlb), dtlb) << caches;
    EXPECT_EQ(large.misses(Level::stlb), stlb) << caches;
  }
}

TEST(ThreeCs, AddUpToTheMisses) {
  for (const char* caches :
       {"skylake", "zen3", "L1=4K/4:plru,L2=8K/4:inclusive,L3=16K/2:victim,DTLB=8/2,STLB=16/4:2M=none"}) {
    Rig rig(caches, {.classify = true});
    rig.read(random_lines(60'000, 30'000));
    rig.read(sweep(3'000, 3));
    for (unsigned level = 0; level < level_count; ++level) {
      const LevelCounts& counts = rig.counts().levels[level];
      const ThreeCs cs = counts.three_cs();
      EXPECT_EQ(cs.compulsory + cs.capacity + cs.conflict, static_cast<std::int64_t>(counts.misses.total()));
      EXPECT_GE(cs.compulsory, 0) << caches << " " << level_names[level];
      EXPECT_GE(cs.capacity, 0) << caches << " " << level_names[level];
    }
  }
}

TEST(ThreeCs, ByHand) {
  // Lines 0 and 4 share a set of the direct-mapped cache; fully associative LRU would keep all three.
  Rig conflict("L1=256/1", {.classify = true});
  conflict.read({0, 4, 1, 0, 4, 1});
  EXPECT_EQ(conflict.counts().at(Level::l1).three_cs(), (ThreeCs{3, 0, 2}));
  // A sweep over five lines: fully associative LRU misses always, sets only where 0 and 4 meet.
  Rig negative("L1=256/1", {.classify = true});
  negative.read(sweep(5, 3));
  EXPECT_EQ(negative.counts().at(Level::l1).three_cs(), (ThreeCs{5, 10, -6}));
}

TEST(ThreeCs, FullyAssociativeLruHasNoConflicts) {
  Rig rig("L1=4K/full,L2=16K/full,L3=32K/full:victim,DTLB=8,STLB=32", {.classify = true});
  rig.read(random_lines(30'000, 3'000));
  for (const LevelCounts& counts : rig.counts().levels) EXPECT_EQ(counts.three_cs().conflict, 0);
}

TEST(Counts, TellTablesAndQueriesApart) {
  const TableInfo tables[] = {{"a", nullptr, 640}, {"b", nullptr, 100'000}};
  const AddressSpace space(tables, Pressure{}, false);
  Simulator simulator(parse_cache_system("L1=32K/8,L2=1M/16"), space);
  const Owner e4 = encode_query(QueryKind::bishop, 28);
  const std::uint64_t a = space.regions()[0].address, b = space.regions()[1].address;
  simulator.consume(std::vector<MemoryEvent>{{static_cast<NodeTag>(evaluated_flag), 0, 0, 0, MemoryEvent::Kind::node},
                                             {continued_flag, 0, 0, 0, MemoryEvent::Kind::node},
                                             {0, 0, 0, e4, MemoryEvent::Kind::query},
                                             {a, 8, 0, e4, MemoryEvent::Kind::access},
                                             {b, 8, 1, e4, MemoryEvent::Kind::access},
                                             {b, 8, 1, update_owner, MemoryEvent::Kind::access},
                                             {b + 64, 8, 1, update_owner, MemoryEvent::Kind::access}});
  const LevelCounts& l1 = simulator.counts().at(Level::l1);
  EXPECT_EQ(simulator.counts().nodes, 1u);
  EXPECT_EQ(simulator.counts().queries, 1u);
  EXPECT_EQ(simulator.counts().queries_by_code[e4], 1u);
  EXPECT_EQ(l1.misses.of_region(0), 1u);
  EXPECT_EQ(l1.misses.of_region(1), 2u);
  EXPECT_EQ(l1.misses.of_owner(e4), 2u);
  EXPECT_EQ(l1.misses.at(1, update_owner), 1u);
  EXPECT_EQ(l1.accesses.at(1, update_owner), 2u);
  EXPECT_EQ(l1.misses.of_method(), 3u);

  Coverage coverage(space);
  coverage.consume(std::vector<MemoryEvent>{{a, 8, 0, e4, MemoryEvent::Kind::access},
                                            {b + 60, 8, 1, e4, MemoryEvent::Kind::access},
                                            {b, 8, 1, update_owner, MemoryEvent::Kind::access}});
  EXPECT_EQ(coverage.lines(), 3u);
  EXPECT_EQ(coverage.lines_of_region(1), 2u);
  EXPECT_EQ(coverage.lines_of_owner(e4), 3u);
  EXPECT_EQ(coverage.lines_of_owner(update_owner), 1u);
}

TEST(Counts, WarmingUpIsCountedApart) {
  const AddressSpace space = one_table(6400);
  Simulator simulator(parse_cache_system("L1=256/full"), space);
  // In turn to warm up and to count: of the second 0 and 1 are warm, and of the third 2 had to go.
  const Lines parts[] = {{0, 1, 2}, {0, 1, 3}, {4, 5, 6, 2}, {4, 0}};
  for (unsigned part = 0; part < 4; ++part) {
    simulator.set_warming_up(part % 2 == 0);
    simulator.consume(read_lines(space, parts[part]));
  }
  const LevelCounts& counted = simulator.counts().at(Level::l1);
  const LevelCounts& warm_up = simulator.warm_up_counts().at(Level::l1);
  EXPECT_EQ(counted.accesses.total(), 5u);
  EXPECT_EQ(counted.misses.total(), 2u);      // 3, 0
  EXPECT_EQ(counted.compulsory.total(), 1u);  // 3
  EXPECT_EQ(warm_up.accesses.total(), 7u);
  EXPECT_EQ(warm_up.misses.total(), 7u);
  EXPECT_EQ(warm_up.compulsory.total(), 6u);
}

/// Mostly near the last one, sometimes anywhere: short and long distances.
Lines local_lines(std::size_t count, std::uint32_t lines) {
  std::mt19937_64 random(3);
  Lines accesses(count);
  std::uint64_t place = 0;
  for (std::uint32_t& line : accesses) {
    place = random() % 8 == 0 ? random() % lines : (place + random() % 5) % lines;
    line = static_cast<std::uint32_t>(place);
  }
  return accesses;
}

TEST(LogBins, CoverTheNumbersInOrder) {
  for (std::uint64_t value = 0; value < 100'000; ++value) {
    const std::size_t bin = LogBins::index(value);
    ASSERT_LE(LogBins::lower(bin), value);
    ASSERT_LT(value, LogBins::lower(bin + 1));
    const std::uint64_t width = LogBins::lower(bin + 1) - LogBins::lower(bin);
    ASSERT_TRUE(value < LogBins::exact ? bin == value : width * 16 <= LogBins::lower(bin)) << value;
  }
  EXPECT_EQ(LogBins::lower(LogBins::index(std::uint64_t{1} << 40)), std::uint64_t{1} << 40);
}

TEST(StackDistance, AgreesWithBruteForce) {
  // Long enough to be renumbered a few times; the clock ticks at every third access.
  const Lines accesses = local_lines(40'000, 300);
  StackDistance distances;
  std::list<std::uint32_t> stack;
  std::vector<std::uint32_t> last_tick(300);
  for (std::uint32_t i = 0; i < accesses.size(); ++i) {
    const std::uint32_t line = accesses[i];
    const StackDistance::Reuse reuse = distances.access(line, i / 3);
    const auto found = std::find(stack.begin(), stack.end(), line);
    ASSERT_EQ(reuse.first, found == stack.end());
    if (!reuse.first) {
      ASSERT_EQ(reuse.distance, static_cast<std::uint64_t>(std::distance(stack.begin(), found)));
      ASSERT_EQ(reuse.elapsed, i / 3 - last_tick[line]);
      stack.erase(found);
    }
    stack.push_front(line);
    last_tick[line] = i / 3;
  }
  EXPECT_EQ(distances.lines(), stack.size());
}

TEST(StackDistance, GrowsWithTheLinesAlone) {
  // 20,000 lines are more than the numbers it starts with: a sweep has distance 19,999 throughout.
  StackDistance distances;
  for (unsigned pass = 0; pass < 3; ++pass) {
    for (std::uint32_t line = 0; line < 20'000; ++line) {
      const StackDistance::Reuse reuse = distances.access(line, 0);
      ASSERT_EQ(reuse.first, pass == 0);
      ASSERT_TRUE(pass == 0 || reuse.distance == 19'999) << reuse.distance;
    }
  }
}

/// What a simulator of such caches counts.
std::uint64_t simulated_misses(const AddressSpace& space, const std::vector<MemoryEvent>& events,
                               const std::string& caches, Level level = Level::l1) {
  Simulator simulator(parse_cache_system(caches), space);
  simulator.consume(events);
  return simulator.counts().at(level).misses.of_method();
}

std::string fully_associative_l1(std::uint32_t lines) { return "L1=" + std::to_string(64 * lines) + "/full"; }

TEST(Reuse, ImpliesTheMissesOfEveryFullyAssociativeCache) {
  const AddressSpace space = one_table(64 * 1000);
  const std::vector<MemoryEvent> events = read_lines(space, local_lines(30'000, 1000));
  ReuseAnalyser reuse;
  reuse.consume(events);
  for (const std::uint32_t lines : {1u, 2u, 3u, 7u, 16u, 17u, 64u, 100u, 333u, 512u, 900u, 999u, 1000u, 2000u}) {
    EXPECT_EQ(reuse.misses(lines), simulated_misses(space, events, fully_associative_l1(lines))) << lines;
  }
  EXPECT_EQ(reuse.misses(0), reuse.accesses());
  EXPECT_EQ(reuse.misses(1'000'000), reuse.compulsory());
}

TEST(Reuse, CountsPagesToo) {
  const AddressSpace space = one_table(64 * 4096);
  const std::vector<MemoryEvent> events = read_lines(space, local_lines(20'000, 4096));
  ReuseAnalyser reuse(4096);
  reuse.consume(events);
  for (const std::uint32_t entries : {1u, 4u, 16u, 32u, 64u}) {
    const std::string caches = "L1=32K/8,DTLB=" + std::to_string(entries);
    EXPECT_EQ(reuse.misses(entries), simulated_misses(space, events, caches, Level::dtlb)) << entries;
  }
}

TEST(Reuse, IgnoresPressureAndTrace) {
  ReuseAnalyser reuse;
  reuse.consume(std::vector<MemoryEvent>{access_at(0), access_at(640, 8, pressure_owner),
                                         access_at(1280, 8, trace_owner), access_at(64, 8, update_owner), access_at(0),
                                         access_at(60, 8)});
  EXPECT_EQ(reuse.accesses(), 5u);
  EXPECT_EQ(reuse.compulsory(), 2u);
  EXPECT_EQ(reuse.misses(1), 4u);
}

TEST(Reuse, IsExactUnderPressureAndGrowsFromNone) {
  // A table of 40 lines and a block under pressure: at every event, so many touches of the block.
  constexpr std::uint32_t touches = 7, block_lines = 50;
  const TableInfo table{"table", nullptr, 40 * 64};
  Pressure pressure;
  pressure.parts.push_back({.lines = touches, .block_bytes = 64ull * block_lines});
  const AddressSpace space(std::span(&table, 1), pressure, false);
  const std::uint64_t block = space.regions()[space.pressure_region()].address;
  std::vector<MemoryEvent> events;
  const Lines lines = local_lines(60'000, 40);
  std::uint64_t cursor = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i % 9 == 0) {
      const bool is_event = i % 2 == 0;
      const NodeTag tag = is_event ? evaluated_flag : 0;
      events.push_back({tag, 0, 0, 0, MemoryEvent::Kind::node});
      for (std::uint32_t touch = 0; is_event && touch < touches; ++touch) {
        events.push_back(access_at(block + 64 * (cursor++ % block_lines), 8, pressure_owner));
      }
    }
    events.push_back(access_at(space.regions()[0].address + 64ull * lines[i]));
  }
  ReuseAnalyser reuse;
  reuse.consume(events);
  // All distances and nearly all gaps are below 64, where bins are exact, and gaps beyond fill the block anyway.
  for (std::uint32_t size = 1; size <= 100; size += 3) {
    const std::uint64_t simulated = simulated_misses(space, events, fully_associative_l1(size));
    EXPECT_NEAR(reuse.misses(size, {touches, block_lines}), static_cast<double>(simulated), 1e-6) << size;
  }
  EXPECT_NEAR(reuse.misses(20, Load{}), static_cast<double>(reuse.misses(20)), 1e-6);
  EXPECT_GT(reuse.misses(20, {16, 1000}), static_cast<double>(reuse.misses(20)));
}

}  // namespace
}  // namespace slidebench
