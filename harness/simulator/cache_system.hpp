// SPDX-License-Identifier: MIT
//
// What the simulator simulates: the data caches and the data TLBs that one core sees.
//
// A real cache differs from these in ways that no manual tells: hashed slices, adaptive replacement, prefetchers. What
// is modelled is size, ways, line, replacement, and what a level does with the lines of the levels above it. Page
// walks' own accesses and other cores are not modelled.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/enum_names.hpp"

namespace slidebench {

/// Which line of a full set goes.
enum class Replacement : std::uint8_t {
  lru,
  plru  ///< tree-PLRU; with ways = odd x power of two, as many trees in LRU order (Ice Lake's "LRU3PLRU4"), see
        ///< tag_store.hpp
};

/// All of them, by their names in a specification of caches.
inline constexpr EnumName<Replacement> replacements[] = {{Replacement::lru, "lru"}, {Replacement::plru, "plru"}};

/// How a level stands to the levels above it.
enum class Inclusion : std::uint8_t {
  noninclusive,  ///< filled on its own misses; what it evicts stays above
  inclusive,     ///< what it evicts is taken from the levels above as well
  victim,        ///< holds what L2 evicts, and gives it up when L2 asks for it (L3 only): AMD since Zen
  retaining  ///< holds what L2 evicts, and keeps it when L2 asks for it (L3 only): Intel's servers since Skylake-SP.
             ///< These keep a line only if they expect it to be used again, which is not modelled: all are kept
};

/// True for levels that only evictions of the level above fill.
constexpr bool takes_victims(Inclusion inclusion) {
  return inclusion == Inclusion::victim || inclusion == Inclusion::retaining;
}

struct CacheGeometry {
  std::uint64_t bytes = 0;  ///< 0: there is no such level
  std::uint32_t ways = 0;
  std::uint32_t line_bytes = 64;
  Replacement replacement = Replacement::lru;
  Inclusion inclusion = Inclusion::noninclusive;

  bool exists() const { return bytes != 0; }
  std::uint64_t lines() const { return bytes / line_bytes; }
  std::uint64_t sets() const { return lines() / ways; }
};

struct TlbGeometry {
  std::uint32_t entries = 0;  ///< 0: there is no such TLB
  std::uint32_t ways = 0;     ///< = entries: fully associative

  bool exists() const { return entries != 0; }
  std::uint32_t sets() const { return entries / ways; }
};

/// Where a TLB level keeps translations of large pages.
enum class LargePages : std::uint8_t {
  shared,    ///< in the same entries
  separate,  ///< in entries of their own
  none       ///< nowhere: each is a miss
};

/// One level of TLB, replaced by LRU.
struct TlbLevel {
  TlbGeometry base;  ///< for base pages, and for large ones if they share it
  LargePages large_pages = LargePages::shared;
  TlbGeometry large;  ///< if separate

  bool exists() const { return base.exists(); }
};

inline constexpr std::uint32_t large_page_shift = 21;
inline constexpr std::uint64_t large_page_bytes = std::uint64_t{1} << large_page_shift;

struct CacheSystem {
  std::string name;  ///< as asked for: "host", a preset's name, or the specification
  CacheGeometry l1, l2, l3;
  TlbLevel dtlb, stlb;
  std::uint32_t page_bytes = 4096;  ///< of a base page
  std::vector<std::string> notes;   ///< sources and assumptions, for the report
};

/// The places where a simulated access can miss, in the order of `level_names`.
enum class Level : std::uint8_t { l1, l2, l3, dtlb, stlb };
inline constexpr unsigned level_count = 5;
inline constexpr std::array<std::string_view, level_count> level_names{"L1D", "L2", "L3", "DTLB", "STLB"};

/// @throws UserError  one line on what no such machine can have
void check(const CacheSystem& system);

/// Of one set among others, or of a tree.
inline constexpr std::uint32_t most_ways = 64;

/// The geometry of this size with a power of two of sets: unchanged if it has one, otherwise with the next smaller such
/// number of sets that divides the lines, and more ways. (Sliced caches of 12 or 20 MiB have other numbers of sets, and
/// hash an address to them.) Where that would be more than most_ways (a hypervisor may tell the sum of a package's L3s,
/// 508 MiB), the ways stay, and the size becomes that of the nearest power of two of sets. More ways than that are told
/// where the sum has the number of sets of one L3; they become most_ways.
CacheGeometry with_power_of_two_sets(CacheGeometry geometry);
TlbGeometry with_power_of_two_sets(TlbGeometry geometry);

}  // namespace slidebench
