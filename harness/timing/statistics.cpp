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

std::vector<double> resample(const std::vector<double>& rounds, std::mt19937_64& random) {
  std::vector<double> drawn(rounds.size());
  for (double& value : drawn) value = rounds[draw(random, rounds.size())];
  return drawn;
}

/// The value below which the fraction q of the sorted values lies, interpolated.
double quantile(const std::vector<double>& sorted, double q) {
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

double median_of_launches(const Launches& launches) {
  std::vector<double> medians;
  for (const auto& rounds : launches) medians.push_back(median(rounds));
  return median(std::move(medians));
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
  for (unsigned i = 0; i < resamples; ++i) {
    std::vector<double> of_launches;
    for (std::size_t l = 0; l < full.size(); ++l) {
      of_launches.push_back(median(resample(full[draw(random, full.size())], random)));
    }
    medians.push_back(median(std::move(of_launches)));
  }
  std::sort(medians.begin(), medians.end());
  return {median_of_launches(full), quantile(medians, 0.025), quantile(medians, 0.975)};
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
