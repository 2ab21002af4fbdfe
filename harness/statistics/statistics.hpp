// SPDX-License-Identifier: MIT
//
// The statistics of a comparison: pure functions on numbers, tested on data whose truth is known.
//
// Two contenders are compared inside each round, where they met the same disturbance: the observation is the log of the
// ratio of their times. Observations come in process runs, because memory placement is drawn anew with each process and
// is a source of variance of its own. The estimate is the trimmed mean of all rounds, which the long tails of disturbed
// samples and a process run in a bad moment hardly move; process runs are independent of each other, and an interval is
// made by leaving out one of them at a time (the jackknife).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace slidebench {

/// Median of the values; of an even number of them, the mean of the middle two. Precondition: not empty.
double median(std::vector<double> values);

/// The value below which the fraction q of the sorted values lies, interpolated. Precondition: not empty.
double quantile(const std::vector<double>& sorted, double q);

/// An index in [0, n). std::uniform_int_distribution is not the same on every library, this is.
std::size_t draw(std::mt19937_64& random, std::size_t n);

/// An interval around a point estimate, all three on the scale of the observations. Where nothing is known of the
/// spread (a single process run), the ends are infinite.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

/// Observations, a list a process run, by the process run's number; none of them empty.
using ProcessRuns = std::map<unsigned, std::vector<double>>;

/// One number per process run, by the process run's number.
using ByProcessRun = std::map<unsigned, double>;

/// Precondition of both means: not empty.
double mean(const std::vector<double>& values);

/// The mean of the middle half of the sorted values; of a number that four does not divide, the two values at the edges
/// of the half count with a part of their weight.
double trimmed_mean(const std::vector<double>& sorted);

/// The trimmed mean of all rounds as one number per process run: n times that of all, less n - 1 times that without
/// this process run. Their mean is the estimate without its bias to first order, and they scatter as if they had been
/// drawn independently, so that Student's t holds for them. Sources: J. Tukey, Bias and Confidence in Not Quite Large
/// Samples, 1958 (pseudo-values); R. Miller, The Jackknife: A Review, 1974.
ByProcessRun pseudo_values(const ProcessRuns& process_runs);

/// The numbers alone, in the order of the process runs.
std::vector<double> values_of(const ByProcessRun& process_runs);

/// What interval the process runs carry: it depends on how it was decided to stop.
enum class Inference {
  fixed,      ///< the number of process runs was fixed beforehand: Student's t
  sequential  ///< the run looked at its results after every process run: a confidence sequence
};

/// The error of the intervals in the outputs: 95 % hold the truth.
inline constexpr double usual_error = 0.05;

/// What |t| of Student's distribution exceeds with probability `error`, to nine digits; preconditions:
/// degrees_of_freedom > 0, 0 < error < 1.
double student_quantile(double degrees_of_freedom, double error);

/// By how many standard errors of the mean of n process runs an interval reaches to either side, if the error shall be
/// at most `error` (0 < error < 1). Infinite for fewer than two process runs, and for sequences that are too short to
/// say anything at this error.
///
/// fixed: the quantile of Student's t with 3/4 n - 1 degrees of freedom (at least 1): what is trimmed counts for less.
/// With n - 1 of them intervals of 8 process runs hold the truth at 95 %, but far out, where Holm's rule needs them,
/// they are too narrow (coverage_test.cpp). Sources: T. Kalibera and R. Jones, Quantifying Performance Changes with
/// Effect Size Confidence Intervals, 2020 (the parametric form); J. Tukey and D. McLaughlin, Less Vulnerable Confidence
/// and Significance Procedures, 1963 (the degrees of freedom of a trimmed mean are fewer).
///
/// sequential: all intervals from the first process run to any later one hold the truth at once with probability 1 -
/// error, so that one may look after every process run and stop when one likes. The means whose t test by a normal
/// mixture over the effect size has not rejected them yet: the mixture's likelihood ratio is a martingale that exceeds
/// 1 / error with probability `error` at most. Sources: T. Lai, On Confidence Sequences, 1976; D. Wang and A. Ramdas,
/// Anytime-valid t-tests and Confidence Sequences for Gaussian Means with Unknown Variance, 2023.
double reach(std::size_t n, double error, Inference inference);

/// The mean of one number per process run, and its interval. Precondition: not empty.
Estimate mean_interval(const std::vector<double>& process_runs, double error, Inference inference);

/// An estimate of a logarithm as one of the value itself.
Estimate exponential(const Estimate& e);

/// Whether an estimate has an interval at all.
bool has_interval(const Estimate& estimate);

/// What is said of a method beside the reference. No number makes it void: the empty loop of its cell does.
enum class Verdict { faster, slower, equivalent, inconclusive, unresolved, void_cell };
std::string to_string(Verdict verdict);
/// Absent if there is no such verdict.
std::optional<Verdict> parse_verdict(std::string_view name);

/// The interval of a log ratio as one of `all`, which all hold at once at 95 %, whichever is chosen afterwards
/// (Bonferroni).
/// @param alone  its own interval at 95 %, of n process runs; returned as it is where n < 2
Estimate simultaneous(const Estimate& alone, std::size_t n, std::size_t all, Inference inference);

/// What a cell can tell apart. The margin is fixed before the run. Identical code in the same cell (the A/A control)
/// can only withhold: where it may differ by more than the margin, nothing is called equal, and a difference only what
/// is beyond the bound.
struct Resolution {
  double margin = 0.01;  ///< as a fraction: times within it count as equal
  double aa_bound =
      0;  ///< by how much identical code may have differed, as a fraction; infinite without an A/A control

  bool resolves() const { return aa_bound <= margin; }
};

/// By how much the A/A control may differ: the farther end of its interval, as a fraction. `twin` is on the log scale.
double aa_bound(const Estimate& twin);

/// Judges a log ratio (negative: less time than the reference): faster or slower if the interval lies wholly outside
/// the margin and what identical code showed, equivalent if wholly inside the margin, inconclusive otherwise;
/// unresolved instead of the last two if the cell does not resolve the margin.
Verdict judge(const Estimate& log_ratio, const Resolution& resolution);

/// Whether a verdict says something about the method.
constexpr bool is_decided(Verdict verdict) {
  return verdict == Verdict::faster || verdict == Verdict::slower || verdict == Verdict::equivalent;
}

/// An estimate among many, judged by Holm's rule.
struct Judged {
  Estimate adjusted;  ///< the interval that the verdict rests on: wider than 95 %, the more so the more are undecided
  Verdict verdict = Verdict::inconclusive;
};

/// Judges the contenders of one cell at once, so that the chance of any wrong verdict in the cell stays at 5 %: first
/// with intervals at an error of 5 % divided by all contenders; what is decided leaves, and the rest share the error
/// again, until nobody leaves. Each contender is given by its log ratios, one a process run. Sources: S. Holm, A Simple
/// Sequentially Rejective Multiple Test Procedure, 1979; for verdicts with a direction J. Shaffer, Control of
/// Directional Errors with Stagewise Multiple Test Procedures, 1980; for sequential runs J. Bartroff and J. Song,
/// Sequential Tests of Multiple Hypotheses, 2014.
std::vector<Judged> judge_together(const std::vector<std::vector<double>>& contenders, const Resolution& resolution,
                                   Inference inference);

/// How many process runs an undecided contender may need in all until it is decided at this error, if it goes on as
/// before: at least those that it has; a million if there is no end in sight, as for a contender at the margin's edge.
std::size_t process_runs_needed(const std::vector<double>& process_runs, const Resolution& resolution, double error,
                                Inference inference);

/// Which contenders may be the fastest. `times` are one row per contender, one column per process run, log times up to
/// a constant a process run. Contender i stays unless some other contender is faster beyond doubt; the truly fastest
/// one stays with probability 1 - error, however many there are. Source: J. Hsu, Constrained Simultaneous Confidence
/// Intervals for Multiple Comparisons with the Best, 1984 (with Bonferroni's inequality instead of equal variances).
std::vector<bool> may_be_fastest(const std::vector<std::vector<double>>& times, double error, Inference inference);

/// Who goes on after the first stage of a race, which has few process runs: as may_be_fastest, but the differences
/// share the variance of all contenders, or have their own if that is larger. Four process runs alone could rule nobody
/// out. The truly fastest one stays with probability 1 - error. Sources: R. Bechhofer, T. Santner and D. Goldsman,
/// Design and Analysis of Experiments for Statistical Selection, Screening, and Multiple Comparisons, 1995 (subset
/// selection, randomised blocks); O. Maron and A. Moore, Hoeffding Races, 1994.
std::vector<bool> stay_in_race(const std::vector<std::vector<double>>& times, double error);

}  // namespace slidebench
