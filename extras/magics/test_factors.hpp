// SPDX-License-Identifier: MIT
//
// For tests: the factors that methods/magic/ has.
#pragma once

#include <string>

#include "extras/magics/factor_file.hpp"

namespace slidebench {

inline FactorFile committed(const std::string& name) {
  return read_factor_file(TEST_SOURCE_DIR "/methods/magic/" + name + "_factors.hpp");
}

}  // namespace slidebench
