// SPDX-License-Identifier: MIT
//
// What rows of touched lines do to sets of 8 or 16 ways with LRU, for CPUs with AVX2: eight tags at a time.
//
// The same as LruSets (tag_store.hpp) does four tags at a time, and chosen when the program runs; a test compares them.
// A row's lines are given as bits of a number; sets are side by side, the way LruSets keeps them.
#pragma once

#include <cstdint>

#include "harness/simulator/lru_list.hpp"

namespace slidebench {

struct RowKernels {
  /// access() of line first + i in set i for every bit i. Returns those that missed; outcomes[i] is what access()
  /// returned.
  std::uint32_t (*access)(Tag* sets, Tag first, std::uint32_t lines, Tag* outcomes);
  /// remove() of the same. Returns those that were not there.
  std::uint32_t (*remove)(Tag* sets, Tag first, std::uint32_t lines);
  /// fill() of tags[i] in the set of that number, from `sets` on.
  void (*fill)(Tag* sets, const std::uint32_t* set_numbers, const Tag* tags, std::uint32_t lines);
};

/// For sets of that many ways; null if there are none, or if this CPU cannot run them.
const RowKernels* row_kernels(std::uint32_t ways);

}  // namespace slidebench
