// SPDX-License-Identifier: MIT
#include "harness/timing/correlation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace slidebench {
namespace {

constexpr unsigned correlation_resamples = 1000;
constexpr unsigned splits = 50;
constexpr std::size_t enough_launches = 4;

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

/// A method's log ratio in each unit of resampling (a launch's median, or a round) of one cell.
using Units = std::map<Meeting, double>;

/// A cell's methods by name; all of the same units.
struct Ranking {
  Cell cell;
  std::map<std::string, Units> methods;
};

Units units_of(const ArmSamples& arm, const ArmSamples& reference, bool by_launch) {
  std::map<Meeting, std::vector<double>> gathered;
  for (const auto& [meeting, slice] : arm.slices) {
    const auto other = reference.slices.find(meeting);
    if (other == reference.slices.end()) continue;
    const Meeting unit{meeting.first, by_launch ? 0 : meeting.second};
    gathered[unit].push_back(std::log(slice.ns_per_query() / other->second.ns_per_query()));
  }
  Units units;
  for (auto& [unit, values] : gathered) units[unit] = median(std::move(values));
  return units;
}

std::optional<Ranking> ranking_of(const CellSamples& cell, bool by_launch) {
  const ArmSamples* reference = cell.find(ArmRole::reference);
  if (reference == nullptr) return std::nullopt;
  Ranking ranking{cell.cell, {}};
  for (const auto& [name, arm] : cell.arms) {
    if (arm.first.role != ArmRole::method && arm.first.role != ArmRole::reference) continue;
    ranking.methods[name] = units_of(arm, *reference, by_launch);
  }
  return ranking;
}

/// The units of a ranking that all of its methods have.
std::vector<Meeting> common_units(const Ranking& ranking) {
  std::map<Meeting, std::size_t> seen;
  for (const auto& [name, units] : ranking.methods) {
    for (const auto& [unit, value] : units) ++seen[unit];
  }
  std::vector<Meeting> common;
  for (const auto& [unit, count] : seen) {
    if (count == ranking.methods.size()) common.push_back(unit);
  }
  return common;
}

/// The median of each named method over the given units, which it has.
std::vector<double> medians(const Ranking& ranking, const std::vector<std::string>& names,
                            const std::vector<Meeting>& units) {
  std::vector<double> values;
  for (const std::string& name : names) {
    const Units& of_method = ranking.methods.at(name);
    std::vector<double> chosen;
    for (const Meeting& unit : units) chosen.push_back(of_method.at(unit));
    values.push_back(median(std::move(chosen)));
  }
  return values;
}

std::vector<Meeting> redraw(const std::vector<Meeting>& units, std::mt19937_64& random) {
  std::vector<Meeting> drawn;
  for (std::size_t i = 0; i < units.size(); ++i) drawn.push_back(units[draw(random, units.size())]);
  return drawn;
}

std::vector<std::string> common_methods(const Ranking& a, const Ranking& b) {
  std::vector<std::string> names;
  for (const auto& [name, units] : a.methods) {
    if (b.methods.contains(name)) names.push_back(name);
  }
  return names;
}

std::optional<RankCorrelation> correlate(const Ranking& a, const Ranking& b, std::uint64_t seed) {
  const std::vector<std::string> names = common_methods(a, b);
  const std::vector<Meeting> units_a = common_units(a);
  const std::vector<Meeting> units_b = common_units(b);
  if (units_a.empty() || units_b.empty()) return std::nullopt;
  const auto value = spearman(medians(a, names, units_a), medians(b, names, units_b));
  if (!value) return std::nullopt;

  // Cells that were measured by the same launches are resampled together.
  const bool together = units_a == units_b;
  std::mt19937_64 random(seed);
  std::vector<double> drawn;
  for (unsigned i = 0; i < correlation_resamples; ++i) {
    const std::vector<Meeting> draw_a = redraw(units_a, random);
    const std::vector<Meeting> draw_b = together ? draw_a : redraw(units_b, random);
    if (const auto rho = spearman(medians(a, names, draw_a), medians(b, names, draw_b))) drawn.push_back(*rho);
  }
  std::sort(drawn.begin(), drawn.end());
  Estimate estimate{*value, *value, *value};
  if (!drawn.empty()) estimate = {*value, quantile(drawn, 0.025), quantile(drawn, 0.975)};
  return RankCorrelation{a.cell, b.cell, names.size(), estimate};
}

std::vector<Ranking> rankings_of(const std::vector<CellSamples>& cells, bool by_launch) {
  std::vector<Ranking> rankings;
  for (const CellSamples& cell : cells) {
    if (auto ranking = ranking_of(cell, by_launch)) rankings.push_back(std::move(*ranking));
  }
  return rankings;
}

bool has_enough_launches(const std::vector<CellSamples>& cells) {
  return std::all_of(cells.begin(), cells.end(), [](const CellSamples& cell) {
    const ArmSamples* reference = cell.find(ArmRole::reference);
    return reference == nullptr || reference->launches() >= enough_launches;
  });
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

std::vector<RankCorrelation> correlate_rankings(const std::vector<CellSamples>& cells, std::uint64_t seed) {
  const std::vector<Ranking> rankings = rankings_of(cells, has_enough_launches(cells));
  std::vector<RankCorrelation> correlations;
  for (std::size_t i = 0; i < rankings.size(); ++i) {
    for (std::size_t j = i + 1; j < rankings.size(); ++j) {
      if (const auto correlation = correlate(rankings[i], rankings[j], seed)) correlations.push_back(*correlation);
    }
  }
  return correlations;
}

std::vector<Reliability> reliabilities(const std::vector<CellSamples>& cells, std::uint64_t seed) {
  std::vector<Reliability> results;
  for (const Ranking& ranking : rankings_of(cells, false)) {
    std::vector<std::string> names;
    for (const auto& [name, units] : ranking.methods) names.push_back(name);
    std::vector<Meeting> units = common_units(ranking);
    if (units.size() < 2) continue;
    std::mt19937_64 random(seed);
    std::vector<double> corrected;
    for (unsigned i = 0; i < splits; ++i) {
      for (std::size_t k = units.size(); k > 1; --k) std::swap(units[k - 1], units[draw(random, k)]);
      const auto middle = units.begin() + static_cast<std::ptrdiff_t>(units.size() / 2);
      const auto rho =
          spearman(medians(ranking, names, {units.begin(), middle}), medians(ranking, names, {middle, units.end()}));
      if (rho) corrected.push_back(*rho > 0 ? 2 * *rho / (1 + *rho) : *rho);
    }
    if (!corrected.empty()) results.push_back({ranking.cell, names.size(), median(std::move(corrected))});
  }
  return results;
}

}  // namespace slidebench
