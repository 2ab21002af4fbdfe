// SPDX-License-Identifier: MIT
#include "harness/statistics/dose.hpp"

#include <cmath>

#include "harness/statistics/builds.hpp"
#include "harness/statistics/sittings.hpp"

namespace slidebench {
namespace {

struct DoseKind {
  const char* name;
  std::vector<unsigned> amounts;
};

const std::vector<DoseKind>& kinds() {
  static const std::vector<DoseKind> all{{"cycles", {6, 12, 24}}, {"instructions", {8, 16, 32}}, {"lines", {1, 2}}};
  return all;
}

/// What a node costs more in each process run, with one amount of a kind.
struct Measured {
  unsigned amount;
  ByProcessRun ns_per_node;
};

Estimate interval(const ByProcessRun& values, const BuildByProcessRun& builds) {
  const double factor = build_effect(values, builds, {}).widening;
  return mean_interval(values_of(widened(values, factor)), usual_error, Inference::fixed);
}

/// A number of the process runs that all amounts have.
template <typename Combine>
ByProcessRun combined(const std::vector<Measured>& measured, const Combine& combine) {
  ByProcessRun values;
  for (const auto& [process_run, first] : measured.front().ns_per_node) {
    std::vector<double> extra;
    for (const Measured& one : measured) {
      const auto found = one.ns_per_node.find(process_run);
      if (found != one.ns_per_node.end()) extra.push_back(found->second);
    }
    if (extra.size() == measured.size()) values[process_run] = combine(extra);
  }
  return values;
}

DoseSlope fit(const std::string& kind, const std::vector<Measured>& measured, const BuildByProcessRun& builds) {
  DoseSlope slope{.kind = kind, .points = {}, .ns_per_node = {}, .bend = {}};
  for (const Measured& one : measured) slope.points.push_back({one.amount, interval(one.ns_per_node, builds)});
  const auto through_nothing = [&](const std::vector<double>& extra) {
    double products = 0, squares = 0;
    for (std::size_t i = 0; i < extra.size(); ++i) {
      products += measured[i].amount * extra[i];
      squares += static_cast<double>(measured[i].amount) * measured[i].amount;
    }
    return products / squares;
  };
  const auto bend = [&](const std::vector<double>& extra) {
    return extra.back() / measured.back().amount - extra.front() / measured.front().amount;
  };
  slope.ns_per_node = interval(combined(measured, through_nothing), builds);
  slope.bend = interval(combined(measured, bend), builds);
  return slope;
}

}  // namespace

std::string to_string(const Dose& dose) {
  return dose.kind.empty() ? "none" : dose.kind + "=" + std::to_string(dose.amount);
}

std::vector<Dose> usual_doses() {
  std::vector<Dose> doses{{}};
  for (const DoseKind& kind : kinds()) {
    for (const unsigned amount : kind.amounts) doses.push_back({kind.name, amount});
  }
  return doses;
}

bool DoseSlope::is_straight() const {
  if (bend.low <= 0 && bend.high >= 0) return true;
  return std::max(std::abs(bend.low), std::abs(bend.high)) <= std::abs(ns_per_node.value) / 4;
}

DoseResult fit_doses(const CellSamples& cell) {
  const ContenderSamples& none = cell.contenders.at(to_string(Dose{}));
  DoseResult result;
  result.ns_per_node = std::exp(mean(values_of(pseudo_values(log_times(none)))));
  const BuildByProcessRun builds = builds_of(none);
  for (const DoseKind& kind : kinds()) {
    std::vector<Measured> measured;
    for (const unsigned amount : kind.amounts) {
      const auto found = cell.contenders.find(to_string(Dose{kind.name, amount}));
      if (found == cell.contenders.end()) continue;
      Measured one{amount, pseudo_values(log_ratios(found->second, none))};
      for (auto& [process_run, value] : one.ns_per_node) value = result.ns_per_node * std::expm1(value);
      measured.push_back(std::move(one));
    }
    if (!measured.empty() && !measured.front().ns_per_node.empty())
      result.slopes.push_back(fit(kind.name, measured, builds));
  }
  return result;
}

}  // namespace slidebench
