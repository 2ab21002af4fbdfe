// SPDX-License-Identifier: MIT
//
// How many pages the TLBs reach, by what finding a page adds to a read: a chase through one line of each of n pages,
// less a chase through as many lines that lie side by side.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "harness/lab/caches/timed_memory.hpp"

namespace slidebench {

/// What finding a page takes in a chase through so many.
struct PageCost {
  std::uint32_t pages = 0;
  double added_ns = 0;  ///< a read
};

/// A level of it.
struct TlbStep {
  std::uint32_t pages = 0;  ///< the largest measured number that it reaches
  double beyond_ns = 0;     ///< what a page beyond it adds
};

/// From 16 pages on, eight numbers an octave, up to the memory's or 8,192. Precondition: memory on base pages.
std::vector<PageCost> measure_page_costs(TimedMemory& memory, std::uint32_t page_bytes, std::mt19937_64& random);

/// The two steps that explain the costs best: three flat pieces with the smallest sum of distances, in the logarithm of
/// 1 ns and what is added. A step that adds less than 0.3 ns is none; fewer than six costs have none.
std::vector<TlbStep> find_tlb_steps(const std::vector<PageCost>& costs);

}  // namespace slidebench
