// SPDX-License-Identifier: MIT
//
// The statistics of a comparison: pure functions on numbers, tested on data whose truth is known.
//
// Two arms are compared inside each round, where they met the same disturbance: the observation is the log of the ratio
// of their times. Observations come in launches (processes), because memory layout is drawn anew with each process and
// is a source of variance of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace slidebench {

/// Median of the values; of an even number of them, the mean of the middle two. Precondition: not empty.
double median(std::vector<double> values);

/// The value below which the fraction q of the sorted values lies, interpolated. Precondition: not empty.
double quantile(const std::vector<double>& sorted, double q);

/// An index in [0, n). std::uniform_int_distribution is not the same on every library, this is.
std::size_t draw(std::mt19937_64& random, std::size_t n);

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

/// The seed of every interval in the outputs: the same samples give the same figures.
inline constexpr std::uint64_t bootstrap_seed = 1;

enum class Verdict { faster, slower, equivalent, inconclusive };
std::string to_string(Verdict verdict);

/// The margin within which arms count as equal, as a fraction: 1 %, or what the A/A arm, which differs by nothing,
/// still shows. `twin` is the A/A arm's estimate on the log scale.
double equivalence_margin(const Estimate& twin);

/// Judges a log ratio (negative: less time than the reference): faster or slower if the interval lies wholly outside
/// the margin, equivalent if wholly inside, inconclusive otherwise.
Verdict judge(const Estimate& log_ratio, double margin);

/// An estimate among many, judged by Holm's rule.
struct Judged {
  Estimate adjusted;  ///< the interval that the verdict uses: wider than 95 %, the more so the more arms are judged
  Verdict verdict = Verdict::inconclusive;
};

/// Judges many log ratios at once, so that the chance of any wrong verdict among them stays at 5 %. The clearest one
/// needs the widest interval (all arms share the error), the next one a narrower one, and so on, until one is
/// inconclusive: that interval then holds for the rest.
/// An interval is widened by stretching the bootstrap's, each side by the ratio of normal quantiles: its own far tails
/// would rest on a handful of resamples.
/// Source: S. Holm, A Simple Sequentially Rejective Multiple Test Procedure, 1979.
std::vector<Judged> judge_together(const std::vector<Estimate>& log_ratios, double margin);

/// The value below which a standard normal variable lies with probability p, 0 < p < 1.
double normal_quantile(double p);

}  // namespace slidebench
