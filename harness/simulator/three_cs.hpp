// SPDX-License-Identifier: MIT
//
// Why an access missed (M. D. Hill, Aspects of Cache Memory and Instruction Buffer Performance, 1987):
//   compulsory  the line was never read before: no cache helps
//   capacity    a fully associative LRU cache of the same size would have missed as well: more lines would help
//   conflict    the rest: caused by too few ways in a set, by a replacement other than LRU, or by an inclusive level
//   below
//
// The three add up to the misses. Conflict can be negative: sets can beat LRU, which on a sweep over a little more than
// the cache throws out exactly what comes next.
#pragma once

#include <cstdint>

namespace slidebench {

struct ThreeCs {
  std::int64_t compulsory = 0;
  std::int64_t capacity = 0;
  std::int64_t conflict = 0;

  friend bool operator==(const ThreeCs&, const ThreeCs&) = default;
};

/// @param misses                    of the cache in question
/// @param fully_associative_misses  of a fully associative LRU cache of the same size, on the same accesses
/// @param compulsory                accesses to lines never accessed before
constexpr ThreeCs classify_misses(std::uint64_t misses, std::uint64_t fully_associative_misses,
                                  std::uint64_t compulsory) {
  const auto signed_misses = static_cast<std::int64_t>(misses);
  const auto signed_full = static_cast<std::int64_t>(fully_associative_misses);
  const auto signed_first = static_cast<std::int64_t>(compulsory);
  return {signed_first, signed_full - signed_first, signed_misses - signed_full};
}

}  // namespace slidebench
