// SPDX-License-Identifier: MIT
#include "harness/statistics/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "harness/base/enum_names.hpp"

namespace slidebench {

std::size_t draw(std::mt19937_64& random, std::size_t n) {
  return static_cast<std::size_t>(static_cast<unsigned __int128>(random()) * n >> 64);
}

double quantile(const std::vector<double>& sorted, double q) {
  if (sorted.empty()) throw std::invalid_argument("quantile of nothing");
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

double median(std::vector<double> values) {
  if (values.empty()) throw std::invalid_argument("median of nothing");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

namespace {

/// The share of the rounds that the trimmed mean leaves out at each end.
constexpr double trimmed = 0.25;

double student_reach(std::size_t n, double error) {
  return student_quantile(std::max(1.0, (1 - trimmed) * static_cast<double>(n) - 1), error);
}

/// With n process runs, a prior of the effect size (mean over standard deviation) N(0, tau^2), and u = t^2 / (n - 1),
/// the likelihood ratio is sqrt(b) ((1 + u) / (1 + b u))^(n/2) with b = 1 / (1 + n tau^2). Here it is solved for t
/// where it is 1 / error.
double sequence_reach(std::size_t n, double error) {
  // Of 1/2 to 8, the variance that makes intervals of 8 to 32 process runs narrowest at the errors of forty contenders.
  constexpr double prior_variance = 4;
  const double count = static_cast<double>(n);
  const double b = 1 / (1 + count * prior_variance);
  const double k = std::pow(1 / (error * std::sqrt(b)), 2 / count);
  if (k * b >= 1) return INFINITY;
  return std::sqrt((count - 1) * (k - 1) / (1 - k * b));
}

struct Moments {
  double mean = 0;
  double standard_error = 0;  ///< of the mean; 0 for one value
};

Moments moments(const std::vector<double>& values) {
  const double n = static_cast<double>(values.size());
  const double centre = mean(values);
  if (values.size() == 1) return {centre, 0};
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return {centre, std::sqrt(squares / (n - 1) / n)};
}

constexpr EnumName<Verdict> verdict_names[] = {
    {Verdict::faster, "faster"},         {Verdict::slower, "slower"},
    {Verdict::equivalent, "equivalent"}, {Verdict::inconclusive, "inconclusive"},
    {Verdict::unresolved, "unresolved"}, {Verdict::void_cell, "void"},
};

/// What is left of the variance of one number when contenders (rows) and process runs (columns) have their means.
double residual_variance(const std::vector<std::vector<double>>& times) {
  const std::size_t rows = times.size(), columns = times.front().size();
  std::vector<double> row_means, column_means(columns, 0.0);
  for (const std::vector<double>& row : times) {
    row_means.push_back(mean(row));
    for (std::size_t c = 0; c < columns; ++c) column_means[c] += row[c] / static_cast<double>(rows);
  }
  const double all = mean(column_means);
  double squares = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      const double residual = times[r][c] - row_means[r] - column_means[c] + all;
      squares += residual * residual;
    }
  }
  return squares / static_cast<double>((rows - 1) * (columns - 1));
}

/// Who is behind no other. `is_behind` judges by how much one was slower than another, process run by process run.
template <class IsBehind>
std::vector<bool> behind_nobody(const std::vector<std::vector<double>>& times, const IsBehind& is_behind) {
  std::vector<bool> stays(times.size(), true);
  for (std::size_t i = 0; i < times.size(); ++i) {
    for (std::size_t j = 0; j < times.size() && stays[i]; ++j) {
      std::vector<double> behind = times[i];
      std::transform(behind.begin(), behind.end(), times[j].begin(), behind.begin(), std::minus<>());
      stays[i] = i == j || !is_behind(behind);
    }
  }
  return stays;
}

}  // namespace

double trimmed_mean(const std::vector<double>& sorted) {
  if (sorted.empty()) throw std::invalid_argument("mean of nothing");
  const double cut = trimmed * static_cast<double>(sorted.size());
  const auto whole = static_cast<std::size_t>(cut);
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(whole);
  const double part = cut - static_cast<double>(whole);  // of the values at the edges, which is cut off too
  const double sum = std::accumulate(middle, sorted.end() - static_cast<std::ptrdiff_t>(whole), 0.0) -
                     part * (sorted[whole] + sorted[sorted.size() - 1 - whole]);
  return sum / (static_cast<double>(sorted.size()) - 2 * cut);
}

ByProcessRun pseudo_values(const ProcessRuns& process_runs) {
  std::vector<std::pair<double, unsigned>> sorted;
  for (const auto& [process_run, rounds] : process_runs) {
    for (const double round : rounds) sorted.emplace_back(round, process_run);
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> rounds;
  const auto without = [&](std::optional<unsigned> left_out) {
    rounds.clear();
    for (const auto& [round, process_run] : sorted) {
      if (process_run != left_out) rounds.push_back(round);
    }
    return trimmed_mean(rounds);
  };
  const double all = without(std::nullopt), n = static_cast<double>(process_runs.size());
  ByProcessRun values;
  for (const auto& entry : process_runs) {
    values[entry.first] = process_runs.size() == 1 ? all : n * all - (n - 1) * without(entry.first);
  }
  return values;
}

std::vector<double> values_of(const ByProcessRun& process_runs) {
  std::vector<double> values;
  for (const auto& [process_run, value] : process_runs) values.push_back(value);
  return values;
}

double reach(std::size_t n, double error, Inference inference) {
  if (n < 2) return INFINITY;
  return inference == Inference::fixed ? student_reach(n, error) : sequence_reach(n, error);
}

Estimate mean_interval(const std::vector<double>& process_runs, double error, Inference inference) {
  const Moments of = moments(process_runs);
  const double reaching = reach(process_runs.size(), error, inference);
  const double half = std::isinf(reaching) ? INFINITY : reaching * of.standard_error;
  return {of.mean, of.mean - half, of.mean + half};
}

Estimate simultaneous(const Estimate& alone, std::size_t n, std::size_t all, Inference inference) {
  if (n < 2 || all < 2) return alone;
  const double each = usual_error / static_cast<double>(all);
  const double wider = reach(n, each, inference) / reach(n, usual_error, inference);
  return {alone.value, alone.value - wider * (alone.value - alone.low),
          alone.value + wider * (alone.high - alone.value)};
}

Estimate exponential(const Estimate& e) { return {std::exp(e.value), std::exp(e.low), std::exp(e.high)}; }

bool has_interval(const Estimate& estimate) { return std::isfinite(estimate.low) && std::isfinite(estimate.high); }

std::string to_string(Verdict verdict) { return name_in(verdict_names, verdict); }

std::optional<Verdict> parse_verdict(std::string_view name) { return value_in(verdict_names, name); }

double aa_bound(const Estimate& twin) { return std::expm1(std::max(std::abs(twin.low), std::abs(twin.high))); }

Verdict judge(const Estimate& log_ratio, const Resolution& resolution) {
  const double equal = std::log1p(resolution.margin);
  const double different = std::log1p(std::max(resolution.margin, resolution.aa_bound));
  if (log_ratio.high < -different) return Verdict::faster;
  if (log_ratio.low > different) return Verdict::slower;
  if (!resolution.resolves()) return Verdict::unresolved;
  if (log_ratio.low >= -equal && log_ratio.high <= equal) return Verdict::equivalent;
  return Verdict::inconclusive;
}

std::vector<Judged> judge_together(const std::vector<std::vector<double>>& contenders, const Resolution& resolution,
                                   Inference inference) {
  std::vector<Judged> judged(contenders.size());
  std::size_t sharing = contenders.size();
  for (bool somebody_left = true; somebody_left && sharing > 0;) {
    const double error = usual_error / static_cast<double>(sharing);
    somebody_left = false;
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      if (is_decided(judged[i].verdict)) continue;
      judged[i].adjusted = mean_interval(contenders[i], error, inference);
      judged[i].verdict = judge(judged[i].adjusted, resolution);
      if (!is_decided(judged[i].verdict)) continue;
      somebody_left = true;
      --sharing;
    }
  }
  return judged;
}

std::size_t process_runs_needed(const std::vector<double>& process_runs, const Resolution& resolution, double error,
                                Inference inference) {
  constexpr std::size_t no_end = 1'000'000;
  if (process_runs.size() < 2) return no_end;
  const Moments of = moments(process_runs);
  const double deviation = of.standard_error * std::sqrt(static_cast<double>(process_runs.size()));
  const double distance = std::abs(std::abs(of.mean) - std::log1p(resolution.margin));
  const auto decided = [&](std::size_t n) {
    return reach(n, error, inference) * deviation / std::sqrt(static_cast<double>(n)) < distance;
  };
  std::size_t least = process_runs.size(), most = no_end;
  while (least < most) {  // the half-width falls with every process run
    const std::size_t middle = (least + most) / 2;
    if (decided(middle))
      most = middle;
    else
      least = middle + 1;
  }
  return least;
}

double mean(const std::vector<double>& values) {
  if (values.empty()) throw std::invalid_argument("mean of nothing");
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<bool> stay_in_race(const std::vector<std::vector<double>>& times, double error) {
  if (times.size() < 2 || times.front().size() < 2) return std::vector<bool>(times.size(), true);
  const double n = static_cast<double>(times.front().size()), others = static_cast<double>(times.size() - 1);
  const double reaching = student_quantile(others * (n - 1), 2 * error / others);
  const double shared = std::sqrt(2 * residual_variance(times) / n);
  return behind_nobody(times, [&](const std::vector<double>& behind) {
    const Moments of = moments(behind);
    return of.mean > reaching * std::max(shared, of.standard_error);
  });
}

std::vector<bool> may_be_fastest(const std::vector<std::vector<double>>& times, double error, Inference inference) {
  // Only this contender's comparisons have to hold at once, and of each only the one side.
  const double each = (inference == Inference::fixed ? 2 : 1) * error / (static_cast<double>(times.size()) - 1);
  return behind_nobody(times, [&](const std::vector<double>& behind) {
    return mean_interval(behind, std::min(each, 0.99), inference).low > 0;
  });
}

}  // namespace slidebench
