// SPDX-License-Identifier: MIT
//
// Finding magic factors: draw sparse random numbers until one maps no two different attack sets to the same slot.
//
// For a square with n relevant squares there are 2^n occupancies. A factor is magic for `bits` index bits if, over all
// of them, (occupancy * factor) >> (64 - bits) never sends two occupancies with different attacks to one slot; two with
// equal attacks may share it ("constructive collision"). Products of sparse factors spread the occupancy bits without
// much carrying, so the AND of three random words finds a factor after a few thousand draws.
//
// Idea: Lasse Hansen (2006), Pradu Kannan (2007), Tord Romstad's generator; Chessprogramming wiki, Looking for Magics.
#pragma once

#include <vector>

#include "methods/magic/occupancies.hpp"

namespace slidebench::magic {

/// Steele, Lea and Flood's SplitMix64 (2014): a seeded stream of 64-bit words that is the same everywhere.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : state_(seed) {}
  constexpr std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  /// A word with about one bit in eight set.
  constexpr std::uint64_t sparse() { return next() & next() & next(); }

 private:
  std::uint64_t state_;
};

/// Searches and checks factors for one slider on one square.
class FactorSearch {
 public:
  FactorSearch(Piece piece, Square s) : mask_(relevant(piece, s)) {
    Bitboard subset = 0;
    do {
      occupancies_.push_back(subset);
      attacks_.push_back(attacks(piece, s, subset));
      subset = next_subset(subset, mask_);
    } while (subset != 0);
  }

  /// True if `factor` sends no two different attack sets to one of the 2^bits slots. Precondition: 0 < bits < 32.
  bool is_magic(std::uint64_t factor, unsigned bits) {
    slots_.resize(std::size_t{1} << bits);
    ++attempt_;
    for (std::size_t i = 0; i < occupancies_.size(); ++i) {
      Slot& slot = slots_[(occupancies_[i] * factor) >> (64 - bits)];
      if (slot.attempt == attempt_ && slot.attacks != attacks_[i]) return false;
      slot = {attempt_, attacks_[i]};
    }
    return true;
  }

  /// Draws until a factor is magic. It may run for ever where none exists: bits = popcount(relevant squares) is safe.
  std::uint64_t find(unsigned bits, Random& random) {
    for (;;) {
      const std::uint64_t factor = random.sparse();
      if (std::popcount((mask_ * factor) >> 56) >= 6 && is_magic(factor, bits)) return factor;
    }
  }

 private:
  /// The attempt number saves clearing all slots for every candidate.
  struct Slot {
    std::uint64_t attempt = 0;
    Bitboard attacks = 0;
  };

  Bitboard mask_;
  std::vector<Bitboard> occupancies_;
  std::vector<Bitboard> attacks_;
  std::vector<Slot> slots_;
  std::uint64_t attempt_ = 0;
};

}  // namespace slidebench::magic
