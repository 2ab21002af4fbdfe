// SPDX-License-Identifier: MIT
//
// The legal moves of a position as plain data: for talking with other programs about it.
#pragma once

#include <optional>
#include <string_view>

#include "harness/engine/move.hpp"
#include "harness/engine/position_state.hpp"

namespace slidebench::engine {

/// All legal moves.
MoveList legal_moves(const PositionState& state);

/// The legal move that a text in UCI's notation names, such as "e2e4" or "e7e8q", if any.
std::optional<Move> legal_move(const PositionState& state, std::string_view uci);

/// The position after a move. Precondition: the move is legal.
PositionState after(const PositionState& state, Move move);

}  // namespace slidebench::engine
