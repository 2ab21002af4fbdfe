// SPDX-License-Identifier: MIT
//
// Drawing factors at random until one is magic: the quick way where magic factors are plenty.
//
// Candidates are sparse (about one bit in eight) and must bring six bits of the mask's product to its top byte. A
// candidate is dropped at its first harmful collision. Tested by rising number of blockers, that is after ten
// occupancies on average (in the order of the subsets after 45, from the full ones down after 70). The slots hold
// attack numbers of one byte, stamped with the number of the try, so that nothing is cleared between tries. Ideas: L.
// Hansen 2006, P. Kannan 2007, T. Romstad's generator.
#pragma once

#include <array>
#include <bit>

#include "extras/magics/random.hpp"
#include "extras/magics/square_problem.hpp"

namespace slidebench::magic {

/// Tests one candidate after the other on one square. Precondition: indices below 4,096.
class CollisionTest {
 public:
  /// True if index(occupancy) makes no harmful collision.
  template <class Index>
  bool passes(const SquareProblem& problem, Index index) {
    try_ += 256;
    if (try_ == 0) {
      slots_.fill(0);
      try_ = 256;
    }
    for (const std::uint16_t i : problem.testing_order) {
      std::uint32_t& slot = slots_[index(problem.occupancies[i])];
      const std::uint32_t claim = try_ | problem.attack_numbers[i];
      if ((slot & ~255u) == try_ && slot != claim) return false;
      slot = claim;
    }
    return true;
  }

 private:
  std::array<std::uint32_t, 4096> slots_{};
  std::uint32_t try_ = 0;
};

/// An endless row of sparse words: each is the AND of three neighbours in a row of random ones.
class SparseWords {
 public:
  explicit SparseWords(std::uint64_t seed) : random_(seed), first_(random_.next()), second_(random_.next()) {}

  std::uint64_t next() {
    const std::uint64_t third = random_.next();
    const std::uint64_t word = first_ & second_ & third;
    first_ = second_;
    second_ = third;
    return word;
  }

 private:
  Random random_;
  std::uint64_t first_;
  std::uint64_t second_;
};

/// A 64-bit factor for so many index bits, with some bits given. Precondition: there is one.
inline std::uint64_t find_sparse_factor(const SquareProblem& problem, unsigned index_bits, std::uint64_t seed,
                                        FixedBits fixed = {}) {
  SparseWords words(seed);
  CollisionTest test;
  const Bitboard mask = relevant(problem.piece, problem.square);
  for (;;) {
    const std::uint64_t factor = (words.next() & ~fixed.mask) | fixed.value;
    if (fixed.mask == 0 && std::popcount((mask * factor) >> 56) < 6) continue;
    if (test.passes(problem, [=](Bitboard o) { return (o * factor) >> (64 - index_bits); })) return factor;
  }
}

}  // namespace slidebench::magic
