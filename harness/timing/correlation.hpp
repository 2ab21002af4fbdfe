// SPDX-License-Identifier: MIT
//
// How little one ranking says of another: rank correlations between cells, with intervals, and how well a cell's
// ranking agrees with itself.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/timing/comparison.hpp"

namespace slidebench {

/// Spearman's rank correlation; equal values share their mean rank. Absent for fewer than three pairs, and if either
/// side is constant. Precondition: as many values on both sides.
std::optional<double> spearman(const std::vector<double>& a, const std::vector<double>& b);

/// Two cells, and how alike they rank the methods that both have.
struct RankCorrelation {
  Cell a;
  Cell b;
  std::size_t methods = 0;
  Estimate spearman;
};

/// All pairs of cells, for the methods (and the reference) by their ratio to the reference. The interval resamples
/// launches, the same for all methods and both cells; of fewer than four launches, rounds.
std::vector<RankCorrelation> correlate_rankings(const std::vector<CellSamples>& cells, std::uint64_t seed);

/// How reliable a cell's own ranking is.
struct Reliability {
  Cell cell;
  std::size_t methods = 0;
  double split_half = 0;  ///< median over random splits of the rounds into halves, corrected to full length
};

/// Split-half reliability by Spearman and Brown's formula. No other ranking can be expected to correlate better with
/// this one than it does with itself.
/// Source: W. Brown, Some Experimental Results in the Correlation of Mental Abilities, 1910.
std::vector<Reliability> reliabilities(const std::vector<CellSamples>& cells, std::uint64_t seed);

}  // namespace slidebench
