// SPDX-License-Identifier: MIT
//
// What a mispredicted branch costs on this machine: a loop that branches on random bits, half of which no predictor can
// foretell, against the same loop on bits that are all alike.
#pragma once

#include <cstdint>

namespace slidebench {

/// Measures it, for some 50 ms. @return ns a misprediction
double measure_misprediction_ns(std::uint64_t seed);

}  // namespace slidebench
