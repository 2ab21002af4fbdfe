// SPDX-License-Identifier: MIT
//
// Logarithmic bins: every number below 64 has its own, and each octave above has 16. A bin is at most 1/16 as wide as
// the numbers in it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace slidebench {

struct LogBins {
  static constexpr unsigned octave_bits = 4;
  static constexpr std::uint64_t exact = 64;  ///< numbers below are exact

  static constexpr std::size_t index(std::uint64_t value) {
    if (value < exact) return static_cast<std::size_t>(value);
    const auto octave = static_cast<unsigned>(std::bit_width(value)) - 1;
    const std::uint64_t within = (value >> (octave - octave_bits)) & ((1u << octave_bits) - 1);
    return exact + (octave - first_octave) * (std::size_t{1} << octave_bits) + within;
  }

  /// The smallest number of a bin.
  static constexpr std::uint64_t lower(std::size_t index) {
    if (index < exact) return index;
    const std::size_t octave = first_octave + (index - exact) / (1u << octave_bits);
    const std::uint64_t within = (index - exact) % (1u << octave_bits);
    return ((std::uint64_t{1} << octave_bits) + within) << (octave - octave_bits);
  }

  /// The middle of a bin.
  static constexpr double middle(std::size_t index) {
    return (static_cast<double>(lower(index)) + static_cast<double>(lower(index + 1) - 1)) / 2;
  }

 private:
  static constexpr std::size_t first_octave = 6;  // of the number 64
};

}  // namespace slidebench
