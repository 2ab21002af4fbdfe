// SPDX-License-Identifier: MIT
#include "harness/simulator/cache_system.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

constexpr std::uint64_t largest_cache = std::uint64_t{4} << 30;
constexpr std::uint32_t largest_tlb = 1u << 20;

template <class... Values>
[[noreturn]] void refuse(std::string_view level, fmt::format_string<Values...> why, const Values&... values) {
  throw UserError(fmt::format("impossible {}: {}", level, fmt::vformat(why, fmt::make_format_args(values...))));
}

void check_cache(std::string_view name, const CacheGeometry& cache) {
  if (!std::has_single_bit(cache.line_bytes) || cache.line_bytes < 16 || cache.line_bytes > 4096) {
    refuse(name, "a line of {} bytes; use a power of two from 16 to 4096", cache.line_bytes);
  }
  if (cache.bytes > largest_cache) refuse(name, "it is larger than 4 GiB");
  if (cache.ways == 0) refuse(name, "it has no ways");
  if (cache.ways > cache.lines()) refuse(name, "{} ways, but only {} lines", cache.ways, cache.lines());
  if (cache.bytes % (std::uint64_t{cache.ways} * cache.line_bytes) != 0) {
    refuse(name, "{} bytes are no multiple of {} ways of {} bytes", cache.bytes, cache.ways, cache.line_bytes);
  }
  if (!std::has_single_bit(cache.sets())) refuse(name, "{} sets are no power of two", cache.sets());
  if (cache.ways > most_ways && (cache.sets() > 1 || cache.replacement != Replacement::lru)) {
    refuse(name, "{} ways; more than {} can only be fully associative LRU", cache.ways, most_ways);
  }
}

/// Two neighbouring levels.
void check_pair(std::string_view upper_name, const CacheGeometry& upper, std::string_view lower_name,
                const CacheGeometry& lower) {
  if (lower.line_bytes < upper.line_bytes) refuse(lower_name, "its lines are shorter than those of {}", upper_name);
  if (lower.inclusion == Inclusion::inclusive && lower.bytes < upper.bytes) {
    refuse(lower_name, "it is inclusive, but smaller than {}", upper_name);
  }
  if (takes_victims(lower.inclusion) && lower.line_bytes != upper.line_bytes) {
    refuse(lower_name, "a victim cache has lines as long as those of {}", upper_name);
  }
}

void check_tlb(const std::string& name, const TlbGeometry& tlb) {
  if (tlb.entries == 0) refuse(name, "it has no entries");
  if (tlb.entries > largest_tlb) refuse(name, "it has more than 2^20 entries");
  if (tlb.ways == 0) refuse(name, "it has no ways");
  if (tlb.ways > tlb.entries) refuse(name, "{} ways, but only {} entries", tlb.ways, tlb.entries);
  if (tlb.entries % tlb.ways != 0 || !std::has_single_bit(tlb.sets())) {
    refuse(name, "{} entries of {} ways make no power of two of sets", tlb.entries, tlb.ways);
  }
  if (tlb.ways > most_ways && tlb.sets() > 1) {
    refuse(name, "{} ways; more than {} can only be fully associative", tlb.ways, most_ways);
  }
}

void check_tlb_level(const std::string& name, const TlbLevel& level) {
  if (!level.exists()) return;
  check_tlb(name, level.base);
  if (level.large_pages == LargePages::separate) check_tlb(name + " for 2M pages", level.large);
}

/// The largest power of two, at most `wanted`, that divides `things`.
std::uint64_t power_of_two_divisor(std::uint64_t things, std::uint64_t wanted) {
  std::uint64_t sets = std::bit_floor(wanted);
  while (things % sets != 0) sets /= 2;
  return sets;
}

}  // namespace

void check(const CacheSystem& system) {
  if (!system.l1.exists()) refuse(level_names[0], "there has to be one");
  check_cache("L1", system.l1);
  if (system.l1.inclusion != Inclusion::noninclusive) refuse("L1", "there is no level above that it could include");
  if (system.l2.exists()) {
    check_cache("L2", system.l2);
    if (takes_victims(system.l2.inclusion)) refuse("L2", "only an L3 can be a victim cache here");
    check_pair("L1", system.l1, "L2", system.l2);
  }
  if (system.l3.exists()) {
    if (!system.l2.exists()) refuse("L3", "there is no L2 above it");
    check_cache("L3", system.l3);
    check_pair("L2", system.l2, "L3", system.l3);
  }
  check_tlb_level("DTLB", system.dtlb);
  check_tlb_level("STLB", system.stlb);
  if (system.stlb.exists() && !system.dtlb.exists()) refuse("STLB", "there is no DTLB above it");
  if (!std::has_single_bit(system.page_bytes) || system.page_bytes < 4096 || system.page_bytes > 65536) {
    refuse("page", "base pages have 4K, 8K, 16K, 32K or 64K");
  }
}

CacheGeometry with_power_of_two_sets(CacheGeometry geometry) {
  if (geometry.sets() > 1) geometry.ways = std::min(geometry.ways, most_ways);
  const std::uint64_t sets = geometry.sets();
  const auto ways = static_cast<std::uint32_t>(geometry.lines() / power_of_two_divisor(geometry.lines(), sets));
  if (ways <= most_ways) {
    geometry.ways = ways;
    return geometry;
  }
  const std::uint64_t below = std::bit_floor(sets), above = 2 * below;
  geometry.bytes = (sets - below <= above - sets ? below : above) * geometry.ways * geometry.line_bytes;
  return geometry;
}

TlbGeometry with_power_of_two_sets(TlbGeometry geometry) {
  geometry.ways =
      static_cast<std::uint32_t>(geometry.entries / power_of_two_divisor(geometry.entries, geometry.sets()));
  return geometry;
}

}  // namespace slidebench
