// SPDX-License-Identifier: MIT
#include "harness/timing/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

namespace slidebench {
namespace {

/// An index in [0, n). std::uniform_int_distribution is not the same on every library, this is.
std::size_t draw(std::mt19937_64& random, std::size_t n) {
  return static_cast<std::size_t>(static_cast<unsigned __int128>(random()) * n >> 64);
}

/// The value below which the fraction q of the sorted values lies, interpolated.
double quantile(const std::vector<double>& sorted, double q) {
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

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

}  // namespace slidebench
