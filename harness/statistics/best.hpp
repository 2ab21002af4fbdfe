// SPDX-License-Identifier: MIT
//
// Which method is the fastest of a cell, and how sure that is.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/statistics/comparison.hpp"

namespace slidebench {

/// The methods (and the reference) of a cell, and those of them that may be the fastest.
struct BestContenders {
  bool known = false;                ///< whether there were process runs enough to compare
  std::vector<std::string> by_time;  ///< all that were compared, the least ratio first
  std::vector<std::string> may_be;   ///< in the same order; the truly fastest one is among them at 95 %
  std::optional<Estimate> lead;  ///< time of the first over the second's; its interval allows for the choice of both

  bool sure() const { return may_be.size() == 1; }
  bool contains(const std::string& name) const { return std::ranges::find(may_be, name) != may_be.end(); }
};

/// Compares the admitted contenders with each other, in the process runs that all of them have. Those who left a race
/// have been compared before.
BestContenders best_contenders(const CellSamples& cell, const std::function<bool(const ContenderSamples&)>& admitted,
                               const Protocol& protocol);

/// Which methods may be the fastest of a cell, among all or among those whose tables are no larger than a limit.
struct BestOfCell {
  Cell cell;
  std::optional<std::size_t> limit_bytes;
  std::size_t compared = 0;
  std::vector<std::string> contenders;  ///< that may be the fastest, the least ratio first
  std::optional<Estimate> lead;         ///< of the first over the second
};

}  // namespace slidebench
