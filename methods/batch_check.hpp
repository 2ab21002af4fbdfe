// SPDX-License-Identifier: MIT
//
// For tests: a method's batches against the oracle, in all lengths and mixtures of kinds.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>

#include "methods/batch.hpp"
#include "methods/reference.hpp"

namespace slidebench {

/// `batch` is called with sliders, an occupancy, and the array for the answers.
template <class Batch>
void expect_right_batches(Batch batch) {
  constexpr Bitboard untouched = 0x5EA1ED5EA1ED5EA1;
  std::mt19937_64 random(3);
  for (unsigned trial = 0; trial < 20'000; ++trial) {
    SliderBatch sliders;
    for (std::uint8_t& square : sliders.squares) square = static_cast<std::uint8_t>(random() % 64);
    const unsigned size = trial % (SliderBatch::capacity + 1);
    sliders.bishops = static_cast<std::uint8_t>(random() % (size + 1));
    sliders.queens = static_cast<std::uint8_t>(random() % (size + 1 - sliders.bishops));
    sliders.rooks = static_cast<std::uint8_t>(size - sliders.bishops - sliders.queens);
    Bitboard occupied = random();
    for (unsigned thinner = trial % 4; thinner != 0; --thinner) occupied &= random();
    std::array<Bitboard, SliderBatch::room + 1> attacks;
    attacks.fill(untouched);
    batch(sliders, occupied, attacks.data());
    for (unsigned n = 0; n < size; ++n) {
      const Square s = sliders.squares[n];
      const Bitboard bishop = n < sliders.diagonal_end() ? reference::bishop(s, occupied) : 0;
      const Bitboard rook = n >= sliders.orthogonal_begin() ? reference::rook(s, occupied) : 0;
      ASSERT_EQ(attacks[n], bishop | rook) << "slider " << n << " of " << size << ", square " << s;
    }
    ASSERT_EQ(attacks[SliderBatch::room], untouched) << size;
  }
}

}  // namespace slidebench
