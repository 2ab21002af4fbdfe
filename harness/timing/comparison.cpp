// SPDX-License-Identifier: MIT
#include "harness/timing/comparison.hpp"

#include <cmath>
#include <set>

namespace slidebench {

double ArmSamples::median_ns_per_query() const {
  std::vector<double> values;
  for (const auto& [meeting, sample] : slices) values.push_back(sample.ns_per_query());
  return median(std::move(values));
}

std::size_t ArmSamples::launches() const {
  std::set<unsigned> launches;
  for (const auto& [meeting, sample] : slices) launches.insert(meeting.first);
  return launches.size();
}

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
  std::map<unsigned, std::vector<double>> by_launch;
  for (const auto& [meeting, slice] : arm.slices) {
    const auto other = reference.slices.find(meeting);
    if (other == reference.slices.end()) continue;
    if (rounds == Rounds::unflagged && (slice.flagged() || other->second.flagged())) continue;
    by_launch[meeting.first].push_back(std::log(slice.ns_per_query() / other->second.ns_per_query()));
  }
  Launches launches;
  for (auto& [launch, ratios] : by_launch) launches.push_back(std::move(ratios));
  return launches;
}

}  // namespace slidebench
