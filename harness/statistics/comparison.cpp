// SPDX-License-Identifier: MIT
#include "harness/statistics/comparison.hpp"

#include <algorithm>
#include <cmath>

namespace slidebench {

const ArmSamples* CellSamples::find(ArmRole role) const {
  for (const auto& [name, arm] : arms) {
    if (arm.first.role == role) return &arm;
  }
  return nullptr;
}

std::vector<CellSamples> sort_into_cells(const std::vector<Sample>& samples) {
  std::map<Cell, CellSamples> sorted;
  for (const Sample& s : samples) {
    CellSamples& cell = sorted.try_emplace(s.cell, CellSamples{s.cell, {}}).first->second;
    ArmSamples& arm = cell.arms.try_emplace(s.arm, ArmSamples{s, {}}).first->second;
    arm.slices.insert_or_assign({s.launch, s.round}, s);
  }
  std::vector<CellSamples> cells;
  for (auto& [key, cell] : sorted) cells.push_back(std::move(cell));
  return cells;
}

Launches log_ratios(const ArmSamples& arm, const ArmSamples& reference, Rounds rounds) {
  Launches launches;
  for (const auto& [round, slice] : arm.slices) {
    const auto other = reference.slices.find(round);
    if (other == reference.slices.end()) continue;
    if (rounds == Rounds::unflagged && (slice.flagged() || other->second.flagged())) continue;
    launches[round.first].push_back(std::log(slice.ns_per_query() / other->second.ns_per_query()));
  }
  return launches;
}

Launches log_times(const ArmSamples& arm) {
  Launches launches;
  for (const auto& [round, slice] : arm.slices) launches[round.first].push_back(std::log(slice.ns_per_query()));
  return launches;
}

std::vector<std::vector<double>> common_launches(const std::vector<ByLaunch>& arms) {
  std::vector<std::vector<double>> rows(arms.size());
  if (arms.empty()) return rows;
  for (const auto& entry : arms.front()) {
    const unsigned launch = entry.first;
    const bool everywhere =
        std::all_of(arms.begin(), arms.end(), [&](const ByLaunch& a) { return a.contains(launch); });
    for (std::size_t i = 0; everywhere && i < arms.size(); ++i) rows[i].push_back(arms[i].at(launch));
  }
  return rows;
}

}  // namespace slidebench
