// SPDX-License-Identifier: MIT
//
// The statistics of a comparison: pure functions on numbers, tested on data whose truth is known.
//
// Two arms are compared inside each round, where they met the same disturbance: the observation is the log of the ratio
// of their times. Observations come in launches (processes), because memory layout is drawn anew with each process and
// is a source of variance of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace slidebench {

/// Median of the values; of an even number of them, the mean of the middle two. Precondition: not empty.
double median(std::vector<double> values);

/// A 95 % interval around a point estimate, all three on the scale of the observations.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

/// Observations by launch: launches[l][r] is round r of launch l.
using Launches = std::vector<std::vector<double>>;

/// The median over the rounds of all launches, with a percentile bootstrap interval that resamples launches and then
/// rounds inside each (of one launch: its rounds only). Empty launches are ignored.
/// Source: T. Kalibera and R. Jones, Quantifying Performance Changes with Effect Size Confidence Intervals, 2020.
/// Precondition: at least one observation. The same seed gives the same interval.
Estimate bootstrap_median(const Launches& launches, std::uint64_t seed, unsigned resamples = 4000);

enum class Verdict { faster, slower, equivalent, inconclusive };
std::string to_string(Verdict verdict);

/// The margin within which arms count as equal, as a fraction: 1 %, or what the A/A arm, which differs by nothing,
/// still shows. `twin` is the A/A arm's estimate on the log scale.
double equivalence_margin(const Estimate& twin);

/// Judges a log ratio (negative: less time than the reference): faster or slower if the interval lies wholly outside
/// the margin, equivalent if wholly inside, inconclusive otherwise.
Verdict judge(const Estimate& log_ratio, double margin);

}  // namespace slidebench
