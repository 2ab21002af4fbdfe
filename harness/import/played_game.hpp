// SPDX-License-Identifier: MIT
//
// Games from PGN files, played by the rules.
#pragma once

#include <functional>
#include <string>

#include "harness/engine/position.hpp"
#include "harness/import/pgn_output.hpp"
#include "methods/calculation/hyperbola.hpp"

namespace slidebench::engine {

using GamePosition = Position<Hyperbola>;

/// Called at each position of a game, with the move that is played there; null at the last.
using PositionVisit = std::function<void(const GamePosition& position, const Move* next)>;

/// Plays a game from its first position to its last. Returns "", or what is wrong with it: a bad FEN (Chess960 too), or
/// a move that is not legal; the positions before that move have then been visited.
std::string play_game(const GameText& game, const PositionVisit& visit);

}  // namespace slidebench::engine
