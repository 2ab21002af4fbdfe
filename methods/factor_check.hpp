// SPDX-License-Identifier: MIT
//
// Is a number a magic factor of a square? For the tables of the sources and their tests; the project's own search and
// proof are harness/magics.
#pragma once

#include <vector>

#include "methods/magic/occupancies.hpp"

namespace slidebench {

/// Checks factors for one slider on one square.
class FactorCheck {
 public:
  FactorCheck(magic::Piece piece, Square s) {
    magic::for_each_occupancy(piece, s, [this](Bitboard occupied, Bitboard attacks) {
      occupancies_.push_back(occupied);
      attacks_.push_back(attacks);
    });
  }

  /// True if `factor` sends no two different attack sets to one of the 2^bits slots. Precondition: 0 < bits < 32.
  bool is_magic(std::uint64_t factor, unsigned bits) const {
    std::vector<Bitboard> slots(std::size_t{1} << bits, 0);  // no attack set is empty
    for (std::size_t i = 0; i < occupancies_.size(); ++i) {
      Bitboard& slot = slots[(occupancies_[i] * factor) >> (64 - bits)];
      if (slot != 0 && slot != attacks_[i]) return false;
      slot = attacks_[i];
    }
    return true;
  }

 private:
  std::vector<Bitboard> occupancies_;
  std::vector<Bitboard> attacks_;
};

}  // namespace slidebench
