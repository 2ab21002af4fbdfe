// SPDX-License-Identifier: MIT
//
// The searches behind `slidebench magics find`, variant by variant.
//
// Each square has a random stream of its own, made of the seed, the piece and the square: so the result does not depend
// on the number of threads, and (but for the searches against the clock) not on the machine.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "extras/magics/factor_file.hpp"

namespace slidebench {

struct FindOptions {
  const MagicVariant* variant = nullptr;
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  /// For the searches against the clock: a square of `dense` (both kinds of search), `fixed_shift` as a whole, and
  /// `overlapped` and `black` as a whole.
  double seconds = 10;
  /// Given the best so far, so that a search of hours that is killed has lost little: by `dense` and `fixed_shift` each
  /// time a square has a better factor, by `overlapped` and `black` when there is a better table, and
  /// seconds_between_saves after the last time at the earliest.
  std::function<void(const FactorFile& best)> checkpoint = {};
};

inline constexpr double seconds_between_saves = 10;

/// A line on how far the search is; called from any thread, one at a time.
using FindProgress = std::function<void(const std::string& line)>;

/// Searches. `start`, a file of the same variant, is improved upon where the variant searches against the clock, and is
/// never made worse. When a stop is requested the best so far is returned.
FactorFile find_factors(const FindOptions& options, const std::optional<FactorFile>& start,
                        const FindProgress& progress, const std::stop_token& stop);

}  // namespace slidebench
