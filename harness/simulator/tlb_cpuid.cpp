// SPDX-License-Identifier: MIT
#include "harness/simulator/host_system.hpp"

namespace slidebench {
namespace {

constexpr std::uint32_t bits(std::uint32_t word, unsigned high, unsigned low) {
  return (word >> low) & ((1u << (high - low + 1)) - 1);
}

TlbGeometry fitted(std::uint32_t entries, std::uint32_t ways) {
  if (entries == 0 || ways == 0) return {};
  if (ways > entries || entries % ways != 0) ways = entries;
  return with_power_of_two_sets(TlbGeometry{entries, ways});
}

/// Leaf 80000005h: entries in eight bits, ways in eight, FFh for fully associative.
TlbGeometry amd_first_level(std::uint32_t word) {
  const std::uint32_t entries = bits(word, 23, 16);
  const std::uint32_t ways = bits(word, 31, 24);
  return fitted(entries, ways == 0xFF ? entries : ways);
}

/// Leaf 80000006h: entries in twelve bits, ways as a code.
TlbGeometry amd_second_level(std::uint32_t word) {
  static constexpr std::uint32_t ways_of_code[16] = {0, 1, 2, 3, 4, 6, 8, 0, 16, 0, 32, 48, 64, 96, 128, 0};
  const std::uint32_t entries = bits(word, 27, 16);
  const std::uint32_t code = bits(word, 31, 28);
  const std::uint32_t ways = ways_of_code[code];
  return fitted(entries, ways == 0 ? entries : ways);
}

TlbLevel level_of(const TlbGeometry& base, const TlbGeometry& large) {
  TlbLevel level;
  level.base = base;
  if (!large.exists()) {
    level.large_pages = LargePages::none;
  } else if (large.entries != base.entries) {
    level.large_pages = LargePages::separate;
    level.large = large;
  }
  return level;
}

/// One subleaf of leaf 18h.
struct Translation {
  std::uint32_t type, level;
  bool base_pages, large_pages;
  TlbGeometry geometry;

  explicit Translation(const CpuidRegisters& r)
      : type(bits(r.edx, 4, 0)),
        level(bits(r.edx, 7, 5)),
        base_pages((r.ebx & 1) != 0),
        large_pages((r.ebx & 2) != 0),
        geometry(fitted(bits(r.ebx, 31, 16) * r.ecx,
                        bits(r.edx, 8, 8) != 0 ? bits(r.ebx, 31, 16) * r.ecx : bits(r.ebx, 31, 16))) {}

  /// Data, load-only or unified: what a load looks up.
  bool serves_loads() const { return type == 1 || type == 3 || type == 4; }
};

void add(TlbLevel& level, const Translation& translation) {
  if (translation.base_pages && !level.base.exists()) {
    level.base = translation.geometry;
    if (translation.large_pages) level.large_pages = LargePages::shared;
  } else if (translation.large_pages && level.large_pages == LargePages::none) {
    level.large_pages = LargePages::separate;
    level.large = translation.geometry;
  }
}

}  // namespace

std::optional<DataTlbs> decode_amd_tlbs(const CpuidRegisters& leaf5, const CpuidRegisters& leaf6) {
  DataTlbs tlbs;
  tlbs.dtlb = level_of(amd_first_level(leaf5.ebx), amd_first_level(leaf5.eax));
  tlbs.stlb = level_of(amd_second_level(leaf6.ebx), amd_second_level(leaf6.eax));
  if (!tlbs.dtlb.exists()) return std::nullopt;
  return tlbs;
}

std::optional<DataTlbs> decode_intel_tlbs(std::span<const CpuidRegisters> subleaves) {
  DataTlbs tlbs;
  tlbs.dtlb.large_pages = tlbs.stlb.large_pages = LargePages::none;
  for (const CpuidRegisters& registers : subleaves) {
    const Translation translation(registers);
    if (!translation.serves_loads() || !translation.geometry.exists()) continue;
    if (translation.level == 1) add(tlbs.dtlb, translation);
    if (translation.level == 2) add(tlbs.stlb, translation);
  }
  if (!tlbs.dtlb.exists()) return std::nullopt;
  return tlbs;
}

}  // namespace slidebench
