// SPDX-License-Identifier: MIT
//
// Builds: binaries of one source that differ in placement alone. What a build does to a ratio is shared by all process
// runs that drew it, so that more of them say nothing of the next build; the variance between builds has to stand in
// the interval, or it speaks of these binaries alone (T. Mytkowicz, A. Diwan, M. Hauswirth and P. Sweeney, Producing
// Wrong Data Without Doing Anything Obviously Wrong!, 2009; C. Curtsinger and E. Berger, Stabilizer, 2013).
#pragma once

#include <map>
#include <vector>

#include "harness/statistics/statistics.hpp"

namespace slidebench {

/// Which build of a source each process run drew, by the process run's number.
using BuildByProcessRun = std::map<unsigned, unsigned>;

/// How much wider the builds of two sources make the interval of their comparison; at least 1.
///
/// The variance of the mean by clusters: that of each side's builds, less what they have counted several times, but
/// never less than without builds; Student's quantile is that of Satterthwaite's degrees of freedom. A side of one
/// build has no part in it. Sources: A. C. Cameron, J. Gelbach and D. Miller, Robust Inference With Multiway
/// Clustering, 2011; F. Satterthwaite, An Approximate Distribution of Estimates of Variance Components, 1946. How often
/// the intervals hold the truth: coverage_test.cpp.
///
/// It is the same for numbers that are widened already.
///
/// @param of_other, of_third  empty: there is no such side. Precondition: else each process run of `values` is there.
double builds_widening(const ByProcessRun& values, const BuildByProcessRun& of_one, const BuildByProcessRun& of_other,
                       const BuildByProcessRun& of_third = {});

/// What a build's mean over its process runs scatters by, if the builds of all sides scatter alike: those of one engine
/// with other look-ups do, and few builds a side leave too little to judge each side by its own.
struct PooledBuilds {
  double variance = 0;  ///< of the mean of a build, what process runs add included
  double freedom = 0;   ///< degrees of freedom; 0: there is nothing to pool
};

/// One-way analysis of variance over the builds of all sides, each side's own mean taken out.
/// @param sides   log times up to a constant a process run; precondition: all of the same process runs
/// @param builds  those that each side drew, side by side with `sides`
PooledBuilds pooled_builds(const std::vector<ByProcessRun>& sides, const std::vector<BuildByProcessRun>& builds);

/// How much wider the interval of a comparison has to be by pooled builds; at least 1.
/// @param of_one, of_other  how many builds either side has
double pooled_widening(const ByProcessRun& values, const PooledBuilds& pooled, double of_one, double of_other);

}  // namespace slidebench
