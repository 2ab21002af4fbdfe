// SPDX-License-Identifier: MIT
//
// The finder behind `slidebench magics find`: the factors of methods/magic/magic_factors.hpp, searched again.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace slidebench {

/// One factor a square, for as many index bits as the square has relevant squares.
struct MagicFactors {
  std::array<std::uint64_t, 64> bishop;
  std::array<std::uint64_t, 64> rook;
};

/// Searches all 128 factors; the same seed gives the same factors on every machine. Takes a fraction of a second.
MagicFactors find_magic_factors(std::uint64_t seed);

/// The text of methods/magic/magic_factors.hpp for these factors.
std::string magic_factors_header(const MagicFactors& factors, std::uint64_t seed);

}  // namespace slidebench
