// SPDX-License-Identifier: MIT
//
// The positions that the engine is measured on unless others are given: datasets/positions.fen, built into the program.
#pragma once

#include <vector>

#include "harness/engine/position_state.hpp"

namespace slidebench::engine {

/// In the file's order.
std::vector<PositionState> default_positions();

}  // namespace slidebench::engine
