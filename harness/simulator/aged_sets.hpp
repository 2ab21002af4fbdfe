// SPDX-License-Identifier: MIT
//
// Sets of ways whose replacement knows the age of a line, from 0 (just used) to 3, and not the order of uses: bit-PLRU,
// NRU, SRRIP, and the "quad-age LRU" (QLRU) that was measured in Intel's L2 and L3.
//
// The names are those of A. Abel and J. Reineke (nanoBench, ISPASS 2020; https://uops.info/cache.html):
//
//   H xy   a hit makes age 3 to x, age 2 to y, and a lower one to 0
//   M x    a line comes in with age x
//   R 0    the first way of age 3 goes; R 1: or the first way, if none has it
//   U 0    after an access all ages rise until the highest is 3;   U 1: those of the others do, until their highest is
//   3 U 2    if none is 3, all rise by 1 UMO    ages rise on a miss alone, and before a way is chosen
//
// MRU (bit-PLRU) is QLRU_H00_M0_R0_U1, NRU is QLRU_H00_M0_R0_U0_UMO (A. Jaleel et al., ISCA 2010), SRRIP is
// QLRU_H00_M2_R0_U0_UMO (the same paper).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/simulator/cache_system.hpp"
#include "harness/simulator/way_sets.hpp"

namespace slidebench {

/// How ages change.
struct Ageing {
  enum class Rise : std::uint8_t { all, others, all_by_one };

  std::array<std::uint8_t, 4> after_hit{0, 0, 0, 0};  ///< by age
  std::uint8_t at_first = 0;
  Rise rise = Rise::all;
  bool on_miss_only = false;
};

/// Precondition: a policy of ages.
constexpr Ageing ageing_of(Replacement replacement) {
  using enum Ageing::Rise;
  switch (replacement) {
    case Replacement::nru: return {.on_miss_only = true};
    case Replacement::srrip: return {.at_first = 2, .on_miss_only = true};
    case Replacement::qlru_h11_m1_r0_u0: return {.after_hit = {0, 0, 1, 1}, .at_first = 1};
    case Replacement::qlru_h11_m1_r1_u2: return {.after_hit = {0, 0, 1, 1}, .at_first = 1, .rise = all_by_one};
    case Replacement::qlru_h00_m1_r0_u1: return {.at_first = 1, .rise = others};
    case Replacement::qlru_h21_m2_r0_u0_umo: return {.after_hit = {0, 0, 1, 2}, .at_first = 2, .on_miss_only = true};
    default: return {.rise = others};  // MRU
  }
}

/// All functions as in LruList, within a set. Ways that were never filled, or were emptied, are filled first.
class AgedSets : public WaySets {
 public:
  AgedSets(std::uint32_t sets, std::uint32_t ways, Replacement replacement)
      : WaySets(sets, ways), ageing_(ageing_of(replacement)), ages_(std::size_t{sets} * ways, oldest) {}

  Tag access(std::uint32_t set, Tag tag) { return use(set, tag) ? tag_hit : fill(set, tag); }

  Tag fill(std::uint32_t set, Tag tag) {
    if (ageing_.on_miss_only) grow_old(set, ways_);
    const std::uint32_t empty = find(set, no_tag);
    const std::uint32_t way = empty != ways_ ? empty : victim(set);
    age(set, way) = ageing_.at_first;
    if (!ageing_.on_miss_only) grow_old(set, way);
    return std::exchange(tag_at(set, way), tag);
  }

  bool use(std::uint32_t set, Tag tag) {
    const std::uint32_t way = find(set, tag);
    if (way == ways_) return false;
    age(set, way) = ageing_.after_hit[age(set, way)];
    if (!ageing_.on_miss_only) grow_old(set, way);
    return true;
  }

  bool remove(std::uint32_t set, Tag tag) {
    const std::uint32_t way = find(set, tag);
    if (way != ways_) age(set, way) = oldest;
    return WaySets::remove(set, tag);
  }

 private:
  static constexpr std::uint8_t oldest = 3;

  std::uint8_t& age(std::uint32_t set, std::uint32_t way) { return ages_[std::size_t{set} * ways_ + way]; }

  /// The first of the oldest; the first way if none is (R 1 alone lets that happen).
  std::uint32_t victim(std::uint32_t set) {
    for (std::uint32_t way = 0; way < ways_; ++way) {
      if (age(set, way) == oldest) return way;
    }
    return 0;
  }

  /// @param used  the way of this access; ways_ if none was chosen yet
  void grow_old(std::uint32_t set, std::uint32_t used) {
    const bool spares_used = ageing_.rise == Ageing::Rise::others;
    std::uint8_t highest = 0;
    for (std::uint32_t way = 0; way < ways_; ++way) {
      if (!(spares_used && way == used)) highest = std::max(highest, age(set, way));
    }
    const auto missing = static_cast<std::uint8_t>(oldest - highest);
    const std::uint8_t step = ageing_.rise == Ageing::Rise::all_by_one ? std::min<std::uint8_t>(missing, 1) : missing;
    for (std::uint32_t way = 0; way < ways_; ++way) {
      if (!(spares_used && way == used)) age(set, way) = static_cast<std::uint8_t>(age(set, way) + step);
    }
  }

  Ageing ageing_;
  std::vector<std::uint8_t> ages_;  ///< by set and way
};

}  // namespace slidebench
