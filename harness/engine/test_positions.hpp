// SPDX-License-Identifier: MIT
//
// What the tests of search and exchanges share: moves by name, random games.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/engine/legal_moves.hpp"
#include "harness/engine/move.hpp"
#include "harness/engine/move_generator.hpp"
#include "harness/engine/zobrist.hpp"

namespace slidebench::engine {

/// Two positions rich in everything that moves can do, from the literature on move generators.
inline constexpr std::string_view rich_fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
inline constexpr std::string_view promotion_fen = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";

/// The legal move of that name.
template <class Position>
Move move_named(Position& position, std::string_view name) {
  MoveList moves;
  generate<GenKind::all>(position, moves);
  if (const std::optional<Move> move = find_uci(name, moves)) return *move;
  ADD_FAILURE() << "no legal move " << name;
  return Move{};
}

/// A stream of numbers for random games.
class RandomMoves {
 public:
  explicit RandomMoves(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15) {}

  unsigned below(std::size_t count) { return static_cast<unsigned>((split_mix(state_) >> 33) % count); }

 private:
  std::uint64_t state_;
};

}  // namespace slidebench::engine
