// SPDX-License-Identifier: MIT
//
// What the tests of search and network share: moves by name, and memory for networks, hash tables and accumulators.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/engine/legal_moves.hpp"
#include "harness/engine/move.hpp"
#include "harness/engine/move_generator.hpp"
#include "harness/engine/network.hpp"

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

/// Zeroed memory of whole cache lines.
class LineMemory {
 public:
  explicit LineMemory(std::size_t bytes) : lines_((bytes + sizeof(Line) - 1) / sizeof(Line)) {}

  template <class T>
  T* as() {
    return static_cast<T*>(static_cast<void*>(lines_.data()));
  }
  std::size_t bytes() const { return lines_.size() * sizeof(Line); }

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };

  std::vector<Line> lines_;
};

/// A network with its weights and room for a search's accumulators.
struct TestNetwork {
  explicit TestNetwork(NetworkShape shape, std::uint64_t seed = 1)
      : weights(network_bytes(shape)), accumulators(accumulator_bytes(shape.width)) {
    fill_network(shape, seed, weights.as<void>());
    calls = network_calls(shape, weights.as<void>());
  }

  LineMemory weights;
  LineMemory accumulators;
  NetworkCalls calls;
};

}  // namespace slidebench::engine
