// SPDX-License-Identifier: MIT
//
// methods/square_records.hpp, written short for exports: the records of a square, side by side in one cache line.
#pragma once

#include <cstddef>

namespace slidebench {

constexpr std::size_t power_of_two(std::size_t n) { return n <= 1 ? 1 : 2 * power_of_two((n + 1) / 2); }

template <class Bishop, class Rook = Bishop>
struct alignas(power_of_two(sizeof(Bishop) + sizeof(Rook))) SquareRecords {
  Bishop bishop;
  Rook rook;
};

}  // namespace slidebench
