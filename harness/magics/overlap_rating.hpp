// SPDX-License-Identifier: MIT
//
// How well a candidate packs: the density of a table that consists of copies of it.
//
// Neither the number of used cells nor the range tells how much of the holes other arrays can use: 600 cells scattered
// over 4,096 may be worthless, while a comb of blocks fills up completely. Packing copies of the candidate, each at
// the lowest place, measures that without knowing the others: the slots each copy adds are what it really takes.
#pragma once

#include "harness/magics/overlap_slots.hpp"

namespace slidebench::overlap {

class Rater {
 public:
  /// Slots that each copy adds in a table of copies, >= the number of used cells. Takes a fraction of a millisecond.
  double rate(const Candidate& candidate);

 private:
  SlotMap map_;
  std::vector<std::uint32_t> places_;
};

}  // namespace slidebench::overlap
