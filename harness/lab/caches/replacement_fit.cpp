// SPDX-License-Identifier: MIT
#include "harness/lab/caches/replacement_fit.hpp"

#include <algorithm>
#include <cmath>

#include "harness/lab/caches/cache_shape.hpp"
#include "harness/simulator/tag_store.hpp"

namespace slidebench {
namespace {

constexpr std::uint8_t most_visits = 8;  // words of a line
constexpr unsigned starts = 24;
constexpr unsigned settling = 16, counted = 24;  // periods

using MissRatios = std::vector<std::vector<double>>;  ///< by process run and sequence

bool repeats_itself(const Visits& visits) {
  for (std::size_t i = 0; i < visits.size(); ++i) {
    if (visits[i] == visits[(i + 1) % visits.size()]) return true;
  }
  return false;
}

Visits one_period(std::uint32_t ways, std::mt19937_64& random) {
  const auto lines = static_cast<std::uint8_t>(ways + 1 + draw(random, 3));
  const std::size_t length = 2 * lines + draw(random, lines);
  Visits visits;
  for (std::uint8_t line = 0; line < lines; ++line) visits.push_back(line);
  while (visits.size() < length) {
    const auto line = static_cast<std::uint8_t>(draw(random, lines));
    if (std::count(visits.begin(), visits.end(), line) < most_visits) visits.push_back(line);
  }
  do {
    shuffle(visits, random);
  } while (repeats_itself(visits));
  return visits;
}

std::uint64_t misses_in(TagStore& set, const Visits& visits, unsigned periods) {
  std::uint64_t misses = 0;
  for (unsigned period = 0; period < periods; ++period) {
    for (const std::uint8_t line : visits) misses += set.access(0, line) == tag_hit ? 0 : 1;
  }
  return misses;
}

double mean_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

std::vector<double> median_of(const MissRatios& rows) {
  std::vector<double> medians;
  for (std::size_t i = 0; i < rows.front().size(); ++i) {
    std::vector<double> column;
    for (const std::vector<double>& row : rows) column.push_back(row[i]);
    medians.push_back(median(std::move(column)));
  }
  return medians;
}

MissRatios drawn_from(const MissRatios& rows, std::mt19937_64& random) {
  MissRatios drawn;
  for (std::size_t i = 0; i < rows.size(); ++i) drawn.push_back(rows[draw(random, rows.size())]);
  return drawn;
}

/// Residuals of all policies in some drawings of process runs.
class Drawings {
 public:
  Drawings(const MissRatios& simulated, const MissRatios& measured) : residuals_(simulated.size()) {
    std::mt19937_64 random(1);
    for (unsigned i = 0; i < drawings; ++i) add(simulated, median_of(drawn_from(measured, random)));
  }

  Estimate estimate(std::size_t policy, double value) const {
    std::vector<double> sorted = residuals_[policy];
    std::sort(sorted.begin(), sorted.end());
    return {value, quantile(sorted, usual_error / 2), quantile(sorted, 1 - usual_error / 2)};
  }

  double best_in(std::size_t policy) const {
    return static_cast<double>(std::count(best_.begin(), best_.end(), policy)) / drawings;
  }

 private:
  static constexpr unsigned drawings = 400;

  void add(const MissRatios& simulated, const std::vector<double>& medians) {
    std::size_t best = 0;
    for (std::size_t policy = 0; policy < simulated.size(); ++policy) {
      residuals_[policy].push_back(mean_distance(medians, simulated[policy]));
      if (residuals_[policy].back() < residuals_[best].back()) best = policy;
    }
    best_.push_back(best);
  }

  MissRatios residuals_;  ///< by policy and drawing
  std::vector<std::size_t> best_;
};

Fit judged(const PolicyResidual& best) {
  if (best.residual.high > largest_residual) return Fit::none;
  return best.best_in >= 1 - usual_error ? Fit::one : Fit::several;
}

}  // namespace

std::vector<Visits> random_visits(std::uint32_t ways, unsigned count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Visits> sequences;
  for (unsigned i = 0; i < count; ++i) sequences.push_back(one_period(ways, random));
  return sequences;
}

double simulated_miss_ratio(const Visits& visits, std::uint32_t ways, Replacement replacement) {
  std::mt19937_64 random(1);
  const std::size_t lines = *std::max_element(visits.begin(), visits.end()) + std::size_t{1};
  std::uint64_t misses = 0;
  for (unsigned start = 0; start < starts; ++start) {
    TagStore set(1, ways, replacement);
    for (std::uint32_t before = 0; before < 8 * ways; ++before) set.access(0, static_cast<Tag>(draw(random, lines)));
    misses_in(set, visits, settling);
    misses += misses_in(set, visits, counted);
  }
  return static_cast<double>(misses) / static_cast<double>(visits.size() * counted * starts);
}

ReplacementFit fit_replacement(const std::vector<Visits>& sequences, std::uint32_t ways,
                               const std::vector<std::vector<double>>& miss_ratios) {
  MissRatios simulated;
  for (const auto& [name, replacement] : replacements) {
    simulated.emplace_back();
    for (const Visits& visits : sequences) simulated.back().push_back(simulated_miss_ratio(visits, ways, replacement));
  }
  const std::vector<double> medians = median_of(miss_ratios);
  const Drawings drawings(simulated, miss_ratios);
  ReplacementFit result;
  for (std::size_t i = 0; i < simulated.size(); ++i) {
    const double residual = mean_distance(medians, simulated[i]);
    result.policies.push_back({replacements[i].second, drawings.estimate(i, residual), drawings.best_in(i)});
  }
  std::stable_sort(result.policies.begin(), result.policies.end(),
                   [](const auto& a, const auto& b) { return a.residual.value < b.residual.value; });
  result.fit = judged(result.policies.front());
  for (const std::vector<double>& row : miss_ratios) {
    result.spread += mean_distance(row, medians) / static_cast<double>(miss_ratios.size());
  }
  return result;
}

std::string name_of(Replacement replacement) {
  const auto is_it = [&](const auto& named) { return named.second == replacement; };
  return std::string(std::find_if(replacements.begin(), replacements.end(), is_it)->first);
}

}  // namespace slidebench
