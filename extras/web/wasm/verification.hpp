// SPDX-License-Identifier: MIT
//
// A method's answers in WebAssembly against the oracle's.
#pragma once

#include <cstdint>

#include "harness/plugin/abi.hpp"

namespace slidebench::wasm {

/// The number of wrong answers: bishop and rook on every square and subset of its relevant occupancy, with noise
/// elsewhere and the slider's own bit off and on; queen, both, set_attacks and batch on random boards. As `slidebench
/// verify`, with 20,000 boards. The method's tables must have been built.
std::uint32_t wrong_answers(const OccupancyQueries& queries);

}  // namespace slidebench::wasm
