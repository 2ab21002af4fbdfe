// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace slidebench::magic {

/// Steele, Lea and Flood's SplitMix64 (2014): a seeded stream of 64-bit words that is the same everywhere.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : state_(seed) {}
  constexpr std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  /// A word with about one bit in eight set: products of sparse factors spread the occupancy without much carrying.
  constexpr std::uint64_t sparse() { return next() & next() & next(); }

 private:
  std::uint64_t state_;
};

}  // namespace slidebench::magic
