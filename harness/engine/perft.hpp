// SPDX-License-Identifier: MIT
//
// perft: the number of legal move sequences of a length. It has no use but to check a move generator against published
// counts, and to time it.
#pragma once

#include <cstdint>

#include "harness/engine/move.hpp"
#include "harness/engine/move_generator.hpp"

namespace slidebench::engine {

/// Sequences of `depth` moves from the position. The last move of each is counted, not made.
template <class Position>
std::uint64_t perft(Position& position, unsigned depth) {
  if (depth == 0) return 1;
  if (depth == 1) return count_moves(position);
  MoveList moves;
  generate<GenKind::all>(position, moves);
  std::uint64_t count = 0;
  for (const Move move : moves) {
    position.make(move);
    count += perft(position, depth - 1);
    position.unmake(move);
  }
  return count;
}

}  // namespace slidebench::engine
