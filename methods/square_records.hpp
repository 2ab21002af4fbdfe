// SPDX-License-Identifier: MIT
//
// The records of one square: what a method must know to answer for a bishop and for a rook there, side by side.
//
// As two members of one struct they cost a query one address, with the rook's record at a constant displacement. In a
// flat array (element 2 * square + 1) compilers compute the rook's address anew: one instruction more for a rook, three
// for a queen. Rounding the size up to a power of two makes that address a shift, and keeps each square in one cache
// line.
#pragma once

#include <cstddef>

namespace slidebench {

constexpr std::size_t next_power_of_two(std::size_t n) {
  std::size_t power = 1;
  while (power < n) power *= 2;
  return power;
}

template <class BishopRecord, class RookRecord = BishopRecord>
struct alignas(next_power_of_two(sizeof(BishopRecord) + sizeof(RookRecord))) SquareRecords {
  BishopRecord bishop;
  RookRecord rook;
};

}  // namespace slidebench
