// SPDX-License-Identifier: MIT
//
// The sliders of a position, as a trace keeps them.
#pragma once

#include "harness/engine/position_state.hpp"
#include "harness/trace/block.hpp"

namespace slidebench::engine {

inline SliderSets sliders_of(const PositionState& state) {
  const auto [white, black] = state.colors;
  const auto set = [&state](PieceType type) { return state.pieces[static_cast<std::size_t>(type)]; };
  const Bitboard diagonal = set(PieceType::bishop) | set(PieceType::queen);
  const Bitboard orthogonal = set(PieceType::rook) | set(PieceType::queen);
  return {diagonal & white, orthogonal & white, diagonal & black, orthogonal & black};
}

}  // namespace slidebench::engine
