// SPDX-License-Identifier: MIT
//
// methods/calculation/first_rank.hpp, written short for exports: tables are computed by rays, each of its own.
#pragma once

#include <cstdint>

#include "methods/bitboard.hpp"
#include "methods/table.hpp"

namespace slidebench {

constexpr std::uint8_t first_rank_set(Square file, Bitboard inner) {
  return static_cast<std::uint8_t>(ray(Direction::east, file, inner << 1) | ray(Direction::west, file, inner << 1));
}

/// Element 64 * file + (occupancy of files b to g): the attacks along the first rank, one bit a file.
inline constexpr Table<std::uint8_t, 8 * 64> first_rank_attacks = [] {
  Table<std::uint8_t, 8 * 64> table;
  for (unsigned i = 0; i < 8 * 64; ++i) table.data[i] = first_rank_set(i / 64, i % 64);
  return table;
}();

/// Element 8 * (occupancy of files b to g) + file: the attacks along the first rank, one bit a file.
inline constexpr Table<std::uint8_t, 64 * 8> first_rank_by_inner = [] {
  Table<std::uint8_t, 64 * 8> table;
  for (unsigned i = 0; i < 64 * 8; ++i) table.data[i] = first_rank_set(i % 8, i / 8);
  return table;
}();

/// Attacks along the rank of s.
constexpr Bitboard rank_attacks(Square s, Bitboard occupied) {
  const unsigned rank_start = s & 56;
  const Bitboard twice_inner = (occupied >> rank_start) & 126;
  return Bitboard{first_rank_by_inner[4 * twice_inner + file_of(s)]} << rank_start;
}

}  // namespace slidebench
