// SPDX-License-Identifier: MIT
//
// Which replacement policy misses as often as a set of a cache does.
//
// As cacheSeq of nanoBench (A. Abel and J. Reineke, ISPASS 2020), on random sequences of visits to a few more lines of
// a set than it has ways; but each sequence is repeated without end, and what is compared is how often a visit misses
// in the long run, because that can be had from times alone: no counter, no flush and no kernel is needed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/simulator/cache_system.hpp"
#include "harness/statistics/statistics.hpp"

namespace slidebench {

/// One period of visits: numbers of lines of one set, at most eight of each.
using Visits = std::vector<std::uint8_t>;

/// Random periods over one to three lines more than ways, two to three times as long. No line is visited twice in a
/// row, all are visited.
std::vector<Visits> random_visits(std::uint32_t ways, unsigned count, std::uint64_t seed);

/// Of the visits of a period that goes on without end, how many miss, from 0 to 1; the mean over some states of the set
/// at the start, where that makes a difference.
double simulated_miss_ratio(const Visits& visits, std::uint32_t ways, Replacement replacement);

/// How far a policy is from what was measured.
struct PolicyResidual {
  Replacement replacement = Replacement::lru;
  Estimate residual;   ///< |measured - simulated| miss ratio, the mean over sequences, with its interval (95 %)
  double best_in = 0;  ///< in what share of the drawings of process runs it has the smallest residual
};

/// What is said of the policy.
enum class Fit {
  one,      ///< the first policy explains what was measured, and better than any other in nearly all drawings
  several,  ///< it does, but others may do so better
  none      ///< none does
};

struct ReplacementFit {
  Fit fit = Fit::none;
  std::vector<PolicyResidual> policies;  ///< all, from the best on
  double spread = 0;  ///< |miss ratio of a process run - median over all|, the mean over sequences and process runs
};

/// A residual up to which a policy explains what was measured: three visits in a hundred.
inline constexpr double largest_residual = 0.03;

/// Fits the median over process runs of each sequence, which a disturbed process run hardly moves. Intervals are
/// percentiles over process runs drawn with replacement (the bootstrap; B. Efron, Annals of Statistics 7, 1979).
/// Precondition: a miss ratio by sequence for each process run, at least one of them.
ReplacementFit fit_replacement(const std::vector<Visits>& sequences, std::uint32_t ways,
                               const std::vector<std::vector<double>>& miss_ratios);

/// The policy's name as --cache takes it.
std::string name_of(Replacement replacement);

}  // namespace slidebench
