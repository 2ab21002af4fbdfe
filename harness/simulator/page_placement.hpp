// SPDX-License-Identifier: MIT
//
// Where the operating system happens to put pages: the reason why L2 and L3 misses differ from run to run.
//
// L2 and L3 are indexed by physical addresses. With 4 KiB pages the index bits above bit 11 are as good as random, each
// page on its own; a report shows the range over several draws. Inside a page (2 MiB, say) the order is kept.
#pragma once

#include <cstdint>

namespace slidebench {

class PagePlacement {
 public:
  explicit PagePlacement(std::uint64_t seed) : seed_(seed * 0x9E3779B97F4A7C15) {}

  /// The number of the physical page under a virtual one: uniform and independent. Two pages may get the same number;
  /// only its lowest bits, which choose a set, are ever used.
  std::uint64_t physical_page(std::uint64_t virtual_page) const {
    // The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
    std::uint64_t x = seed_ ^ (virtual_page + 0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return (x ^ (x >> 31)) & 0xFFFFFFFF;
  }

 private:
  std::uint64_t seed_;
};

}  // namespace slidebench
