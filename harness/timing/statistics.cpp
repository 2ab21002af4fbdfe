// SPDX-License-Identifier: MIT
#include "harness/timing/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include <stdexcept>

namespace slidebench {
namespace {

/// All rounds of as many launches as there are, both drawn with replacement.
std::vector<double> resample(const Launches& launches, std::mt19937_64& random) {
  std::vector<double> drawn;
  for (std::size_t l = 0; l < launches.size(); ++l) {
    const std::vector<double>& rounds = launches[draw(random, launches.size())];
    for (std::size_t r = 0; r < rounds.size(); ++r) drawn.push_back(rounds[draw(random, rounds.size())]);
  }
  return drawn;
}

std::vector<double> all_rounds(const Launches& launches) {
  std::vector<double> all;
  for (const auto& rounds : launches) all.insert(all.end(), rounds.begin(), rounds.end());
  return all;
}

}  // namespace

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

Estimate bootstrap_median(const Launches& launches, std::uint64_t seed, unsigned resamples) {
  Launches full;
  for (const auto& rounds : launches) {
    if (!rounds.empty()) full.push_back(rounds);
  }
  if (full.empty()) throw std::invalid_argument("bootstrap of nothing");

  std::mt19937_64 random(seed);
  std::vector<double> medians;
  medians.reserve(resamples);
  for (unsigned i = 0; i < resamples; ++i) medians.push_back(median(resample(full, random)));
  std::sort(medians.begin(), medians.end());
  return {median(all_rounds(full)), quantile(medians, 0.025), quantile(medians, 0.975)};
}

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster: return "faster";
    case Verdict::slower: return "slower";
    case Verdict::equivalent: return "equivalent";
    case Verdict::inconclusive: return "inconclusive";
  }
  return {};
}

double equivalence_margin(const Estimate& twin) {
  const double seen = std::max(std::abs(twin.low), std::abs(twin.high));
  return std::max(0.01, std::expm1(seen));
}

Verdict judge(const Estimate& log_ratio, double margin) {
  const double delta = std::log1p(margin);
  if (log_ratio.high < -delta) return Verdict::faster;
  if (log_ratio.low > delta) return Verdict::slower;
  if (log_ratio.low >= -delta && log_ratio.high <= delta) return Verdict::equivalent;
  return Verdict::inconclusive;
}

double normal_quantile(double p) {
  // Newton's method on the distribution function; a dozen steps from the centre reach machine precision.
  double x = 0;
  for (int i = 0; i < 60; ++i) {
    const double error = 0.5 * std::erfc(-x / std::sqrt(2.0)) - p;
    const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    const double step = std::clamp(error / density, -1.0, 1.0);
    x -= step;
    if (std::abs(step) < 1e-14) break;
  }
  return x;
}

namespace {

Estimate stretched(const Estimate& e, double factor) {
  return {e.value, e.value - factor * (e.value - e.low), e.value + factor * (e.high - e.value)};
}

/// How far an interval can be stretched before its verdict is lost: below 1 it has none.
double strength(const Estimate& e, double margin) {
  const double delta = std::log1p(margin);
  const auto room = [](double distance, double reach) {
    if (distance <= 0) return 0.0;
    return reach > 0 ? distance / reach : INFINITY;
  };
  if (e.value > delta) return room(e.value - delta, e.value - e.low);
  if (e.value < -delta) return room(-delta - e.value, e.high - e.value);
  return std::min(room(delta - e.value, e.high - e.value), room(e.value + delta, e.value - e.low));
}

}  // namespace

std::vector<Judged> judge_together(const std::vector<Estimate>& log_ratios, double margin) {
  std::vector<std::size_t> clearest_first(log_ratios.size());
  std::iota(clearest_first.begin(), clearest_first.end(), std::size_t{0});
  std::stable_sort(clearest_first.begin(), clearest_first.end(), [&](std::size_t a, std::size_t b) {
    return strength(log_ratios[a], margin) > strength(log_ratios[b], margin);
  });
  std::vector<Judged> judged(log_ratios.size());
  std::size_t sharing = log_ratios.size();
  for (const std::size_t i : clearest_first) {
    const double widened = normal_quantile(1 - 0.025 / static_cast<double>(sharing)) / normal_quantile(0.975);
    judged[i].adjusted = stretched(log_ratios[i], widened);
    judged[i].verdict = judge(judged[i].adjusted, margin);
    if (judged[i].verdict != Verdict::inconclusive) --sharing;
  }
  return judged;
}

}  // namespace slidebench
