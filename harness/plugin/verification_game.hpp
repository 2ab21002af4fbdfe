// SPDX-License-Identifier: MIT
//
// The real game along which verification follows a method's board.
#pragma once

#include <span>

#include "methods/bitboard.hpp"

namespace slidebench {

/// The occupancies of Morphy - Hart, London 1857 (1-0), from the start to the last move: captures, an en passant
/// capture, castling on both wings and a promotion in 45 plies.
std::span<const Bitboard> verification_game_occupancies();

}  // namespace slidebench
