// SPDX-License-Identifier: MIT
//
// What the tests of search, network and exchanges share: moves by name, random games, and memory for networks, hash
// tables and accumulators.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string_view>

#include "harness/engine/legal_moves.hpp"
#include "harness/engine/move.hpp"
#include "harness/engine/move_generator.hpp"
#include "harness/engine/network.hpp"
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

/// Zeroed memory that begins at a cache line.
class LineMemory {
 public:
  explicit LineMemory(std::size_t bytes) : bytes_(bytes), data_(::operator new(bytes, alignment)) {
    std::memset(data_.get(), 0, bytes);
  }

  template <class T>
  T* as() {
    return static_cast<T*>(data_.get());
  }
  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::align_val_t alignment{64};
  struct Free {
    void operator()(void* memory) const { ::operator delete(memory, alignment); }
  };

  std::size_t bytes_;
  std::unique_ptr<void, Free> data_;
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
