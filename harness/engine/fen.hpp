// SPDX-License-Identifier: MIT
//
// FEN, read strictly: what is accepted here the engine's rules can play, so nothing behind it checks again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/engine/position_state.hpp"

namespace slidebench::engine {

inline constexpr std::string_view start_position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Reads six fields, blanks between them; without the two counters, they are 0 and 1. Refused is what no game can reach
/// and a generator could stumble over: a king too many or too few, pawns on the first or eighth rank, more pieces than
/// promotion allows, the side not to move in check, check from three pieces, castling rights without king and rook at
/// home, an en-passant square that no pawn has just skipped, counters out of range.
/// @throws UserError  what is wrong with it
PositionState parse_fen(std::string_view fen);

/// The FEN of a position. parse_fen(to_fen(s)) == s, and to_fen(parse_fen(f)) == f if f has single blanks.
std::string to_fen(const PositionState& state);

/// The positions that the engine is measured on unless others are given: datasets/positions.fen, in its order, built
/// into the program.
std::vector<PositionState> default_positions();

}  // namespace slidebench::engine
