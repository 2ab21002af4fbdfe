// SPDX-License-Identifier: MIT
#include "harness/statistics/correlation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace slidebench {
namespace {

constexpr unsigned splits = 50;

/// Ranks from 0; equal values share their mean rank.
std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&values](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() && values[order[last + 1]] == values[order[first]]) ++last;
    for (std::size_t i = first; i <= last; ++i) ranks[order[i]] = static_cast<double>(first + last) / 2;
    first = last + 1;
  }
  return ranks;
}

/// A cell's methods, each with its log ratios by process run.
using Ranking = std::map<std::string, ByProcessRun>;

Ranking ranking_of(const CellSamples& cell) {
  Ranking ranking;
  const ContenderSamples* reference = cell.find(ContenderRole::reference);
  if (reference == nullptr) return ranking;
  for (const auto& [name, contender] : cell.contenders) {
    if (contender.first.role != ContenderRole::method && contender.first.role != ContenderRole::reference) continue;
    const ProcessRuns ratios = log_ratios(contender, *reference);
    if (!ratios.empty()) ranking[name] = pseudo_values(ratios);
  }
  return ranking;
}

/// The means of each row over some of its columns.
std::vector<double> means_over(const std::vector<std::vector<double>>& rows, const std::vector<std::size_t>& columns,
                               std::size_t first, std::size_t last) {
  std::vector<double> means;
  for (const std::vector<double>& row : rows) {
    double sum = 0;
    for (std::size_t i = first; i < last; ++i) sum += row[columns[i]];
    means.push_back(sum / static_cast<double>(last - first));
  }
  return means;
}

/// By Spearman and Brown's formula, from the correlations of random halves of the columns.
std::optional<double> split_half(const std::vector<std::vector<double>>& rows, std::uint64_t seed) {
  if (rows.empty() || rows.front().size() < 2) return std::nullopt;
  std::vector<std::size_t> process_runs(rows.front().size());
  std::iota(process_runs.begin(), process_runs.end(), std::size_t{0});
  std::mt19937_64 random(seed);
  std::vector<double> corrected;
  for (unsigned i = 0; i < splits; ++i) {
    for (std::size_t k = process_runs.size(); k > 1; --k) std::swap(process_runs[k - 1], process_runs[draw(random, k)]);
    const std::size_t half = process_runs.size() / 2;
    const auto rho = spearman(means_over(rows, process_runs, 0, half), means_over(rows, process_runs, half, 2 * half));
    if (rho) corrected.push_back(*rho > 0 ? 2 * *rho / (1 + *rho) : *rho);
  }
  if (corrected.empty()) return std::nullopt;
  return median(std::move(corrected));
}

std::optional<RankCorrelation> correlate(const CellSamples& a, const CellSamples& b) {
  const Ranking ranking_a = ranking_of(a), ranking_b = ranking_of(b);
  std::vector<double> values_a, values_b;
  for (const auto& [name, process_runs] : ranking_a) {
    const auto other = ranking_b.find(name);
    if (other == ranking_b.end()) continue;
    values_a.push_back(mean(values_of(process_runs)));
    values_b.push_back(mean(values_of(other->second)));
  }
  const auto rho = spearman(values_a, values_b);
  if (!rho) return std::nullopt;
  return RankCorrelation{a.cell, b.cell, values_a.size(), spearman_interval(*rho, values_a.size()), {}};
}

/// What noise lets two rankings correlate at the most; nothing if one is not known to be reliable at all.
std::optional<double> bound_of(const RankCorrelation& correlation, const std::vector<Reliability>& reliabilities) {
  double product = 1;
  for (const Cell& cell : {correlation.a, correlation.b}) {
    const auto known = std::find_if(reliabilities.begin(), reliabilities.end(),
                                    [&cell](const Reliability& r) { return r.cell == cell; });
    if (known == reliabilities.end() || known->split_half <= 0) return std::nullopt;
    product *= known->split_half;
  }
  return std::sqrt(product);
}

}  // namespace

std::optional<double> spearman(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() < 3) return std::nullopt;
  const std::vector<double> ranks_a = ranks_of(a);
  const std::vector<double> ranks_b = ranks_of(b);
  const double mean = static_cast<double>(a.size() - 1) / 2;
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (ranks_a[i] - mean) * (ranks_b[i] - mean);
    aa += (ranks_a[i] - mean) * (ranks_a[i] - mean);
    bb += (ranks_b[i] - mean) * (ranks_b[i] - mean);
  }
  if (aa == 0 || bb == 0) return std::nullopt;
  return ab / std::sqrt(aa * bb);
}

Estimate spearman_interval(double rho, std::size_t n) {
  if (n < 4) return {rho, -INFINITY, INFINITY};
  const double count = static_cast<double>(n);
  // One exchange of neighbours changes a perfect correlation by so much; nearer to 1 the transform has no value.
  const double nearest = 1 - 12 / (count * (count * count - 1));
  const double held = std::clamp(rho, -nearest, nearest);
  constexpr double normal_quantile = 1.959964;
  const double half = normal_quantile * std::sqrt((1 + held * held / 2) / (count - 3));
  return {rho, std::min(rho, std::tanh(std::atanh(held) - half)), std::max(rho, std::tanh(std::atanh(held) + half))};
}

std::vector<Reliability> reliabilities(const std::vector<CellSamples>& cells, std::uint64_t seed) {
  std::vector<Reliability> results;
  for (const CellSamples& cell : cells) {
    std::vector<ByProcessRun> methods;
    for (const auto& [name, process_runs] : ranking_of(cell)) methods.push_back(process_runs);
    if (const auto found = split_half(common_process_runs(methods), seed)) {
      results.push_back({cell.cell, methods.size(), *found});
    }
  }
  return results;
}

std::vector<RankCorrelation> correlate_rankings(const std::vector<CellSamples>& cells,
                                                const std::vector<Reliability>& reliabilities) {
  std::vector<RankCorrelation> correlations;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (std::size_t j = i + 1; j < cells.size(); ++j) {
      auto correlation = correlate(cells[i], cells[j]);
      if (!correlation) continue;
      correlation->bound = bound_of(*correlation, reliabilities);
      correlations.push_back(*correlation);
    }
  }
  return correlations;
}

}  // namespace slidebench
