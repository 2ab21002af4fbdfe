// SPDX-License-Identifier: MIT
//
// Zobrist keys: a random word for everything that makes two positions different; a position's key is their XOR.
//
// Inventor: A. Zobrist, A New Hashing Method with Application for Game Playing, University of Wisconsin, 1970. The
// words come from SplitMix64 (G. Steele, D. Lea, C. Flood, 2014): the same on every machine.
#pragma once

#include <array>
#include <cstdint>

#include "harness/engine/position_state.hpp"
#include "methods/bitboard.hpp"

namespace slidebench::engine {

/// SplitMix64: steps `state` and returns the next word.
constexpr std::uint64_t split_mix(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15;
  std::uint64_t word = state;
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EB;
  return word ^ (word >> 31);
}

struct ZobristKeys {
  std::array<std::array<std::array<std::uint64_t, 64>, 6>, 2> pieces;  ///< by colour, type and square
  std::array<std::uint64_t, 16> castling;                              ///< by rights; 0 for none
  std::array<std::uint64_t, 65> en_passant;                            ///< by square: one key a file; 0 for no_square
  std::uint64_t black_to_move;

  constexpr std::uint64_t piece(Color color, PieceType type, Square s) const {
    return pieces[static_cast<std::size_t>(color)][static_cast<std::size_t>(type)][s];
  }
};

inline constexpr ZobristKeys zobrist = [] {
  ZobristKeys keys{};
  std::uint64_t state = 1970;
  for (auto& types : keys.pieces) {
    for (auto& squares : types) {
      for (std::uint64_t& key : squares) key = split_mix(state);
    }
  }
  for (std::size_t rights = 1; rights < 16; ++rights) keys.castling[rights] = split_mix(state);
  for (unsigned file = 0; file < 8; ++file) {
    const std::uint64_t key = split_mix(state);
    for (unsigned rank = 0; rank < 8; ++rank) keys.en_passant[square_at(file, rank)] = key;
  }
  keys.black_to_move = split_mix(state);
  return keys;
}();

}  // namespace slidebench::engine
