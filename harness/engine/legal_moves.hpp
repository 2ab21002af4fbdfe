// SPDX-License-Identifier: MIT
//
// The legal moves of a position as plain data, and moves as UCI writes them, "e2e4", "e7e8q"; castling is the king's
// move, "e1g1": for talking with other programs about them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/engine/move.hpp"
#include "harness/engine/position_state.hpp"

namespace slidebench::engine {

/// No move is "0000".
std::string to_uci(Move move);

/// The move of the list that a text names, if any.
std::optional<Move> find_uci(std::string_view text, const MoveList& moves);

/// All legal moves.
MoveList legal_moves(const PositionState& state);

/// The legal move that a text names, if any.
std::optional<Move> legal_move(const PositionState& state, std::string_view uci);

/// The position after a move. Precondition: the move is legal.
PositionState after(const PositionState& state, Move move);

}  // namespace slidebench::engine
