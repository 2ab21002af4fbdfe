// SPDX-License-Identifier: MIT
//
// How little one ranking says of another: rank correlations between cells, with intervals, and how well a cell's
// ranking agrees with itself.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/statistics/comparison.hpp"

namespace slidebench {

/// Spearman's rank correlation; equal values share their mean rank. Absent for fewer than three pairs, and if either
/// side is constant. Precondition: as many values on both sides.
std::optional<double> spearman(const std::vector<double>& a, const std::vector<double>& b);

/// A rank correlation of n methods with its 95 % interval by Fisher's z: what it may be for methods like these,
/// measured as precisely as here. Without ends for fewer than four methods, which carry none. The interval always holds
/// the value; for a perfect correlation it reaches as low as that of one exchange of neighbours. Source: D. Bonett and
/// T. Wright, Sample Size Requirements for Estimating Pearson, Kendall and Spearman Correlations, 2000 (standard error
/// of z: the root of (1 + rho^2 / 2) / (n - 3)).
Estimate spearman_interval(double rho, std::size_t n);

/// Two cells, and how alike they rank the methods that both have.
struct RankCorrelation {
  Cell a;
  Cell b;
  std::size_t methods = 0;
  Estimate spearman;
  std::optional<double> bound;  ///< what the noise of both rankings lets any correlation reach; absent if not known
};

/// How reliable a cell's own ranking is.
struct Reliability {
  Cell cell;
  std::size_t methods = 0;
  double split_half = 0;  ///< median over random splits of the process runs into halves, corrected to full length
};

/// Split-half reliability by Spearman and Brown's formula. Halves are split by process run, so that they share no
/// process's addresses. Of cells with fewer than two process runs there is none. Source: W. Brown, Some Experimental
/// Results in the Correlation of Mental Abilities, 1910.
std::vector<Reliability> reliabilities(const std::vector<CellSamples>& cells, std::uint64_t seed);

/// All pairs of cells, for the methods (and the reference) by their ratio to the reference. The bound is the root of
/// the product of both reliabilities.
/// Source: C. Spearman, The Proof and Measurement of Association between Two Things, 1904 (attenuation).
std::vector<RankCorrelation> correlate_rankings(const std::vector<CellSamples>& cells,
                                                const std::vector<Reliability>& reliabilities);

}  // namespace slidebench
