// SPDX-License-Identifier: MIT
//
// What a load takes that reads what a store has just written: from the store buffer if the processor forwards it, after
// the store has reached the cache if not. Rotated boards read words that the move before wrote; batches write their
// answers as vectors, and the loop reads them one by one.
#pragma once

#include <string>
#include <vector>

namespace slidebench {

struct ForwardedLoad {
  std::string name;
  double ns = 0;  ///< from one value through the store and the load to the next
};

/// All kinds that this processor can execute, as the lower quartile of some chains each.
std::vector<ForwardedLoad> measure_store_forwarding();

}  // namespace slidebench
