// SPDX-License-Identifier: MIT
//
// Moves as UCI writes them: "e2e4", "e7e8q"; castling is the king's move, "e1g1". No move is "0000".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/engine/move.hpp"

namespace slidebench::engine {

std::string to_uci(Move move);

/// The move of the list that a text names, if any.
std::optional<Move> find_uci(std::string_view text, const MoveList& moves);

}  // namespace slidebench::engine
