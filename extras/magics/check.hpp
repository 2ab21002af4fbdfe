// SPDX-License-Identifier: MIT
//
// Proof by trying: every relevant occupancy of every square, and for interleaved tables every slot.
#pragma once

#include <optional>
#include <string>

#include "extras/magics/factor_file.hpp"

namespace slidebench {

/// What a check found.
struct MagicsReport {
  std::optional<std::string> counter_example;  ///< one line; nothing if the factors are magic
  std::uint64_t entries = 0;                   ///< attack sets that the tables have room for
  std::uint64_t used = 0;                      ///< slots that hold one
};

MagicsReport check_factors(const FactorFile& file);

}  // namespace slidebench
