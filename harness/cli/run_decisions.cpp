// SPDX-License-Identifier: MIT
#include "harness/cli/run_decisions.hpp"

#include <algorithm>

#include "harness/cli/run_cells.hpp"

namespace slidebench {

void Decisions::update(const std::vector<CellSamples>& cells, const Protocol& protocol) {
  for (const CellSamples& cell : cells) {
    State state;
    state.open = open_arms(cell, protocol);
    const ArmSamples* reference = cell.find(ArmRole::reference);
    if (reference != nullptr) state.launches = log_times(*reference).size();
    for (const auto& [name, arm] : cell.arms) {
      const bool open = std::any_of(state.open.begin(), state.open.end(),
                                    [&name = name](const OpenArm& one) { return one.arm == name; });
      if (arm.first.role == ArmRole::method && !open) state.decided.insert(name);
    }
    cells_[cell.cell] = std::move(state);
  }
}

bool Decisions::is_open(const Cell& cell) const {
  if (!cell_is_judged(cell)) return false;
  const auto known = cells_.find(cell);
  return known == cells_.end() || !known->second.open.empty();
}

std::set<std::string> Decisions::decided_in(const Cell& cell) const {
  const auto known = cells_.find(cell);
  return known == cells_.end() ? std::set<std::string>{} : known->second.decided;
}

std::size_t Decisions::decided() const {
  std::size_t sum = 0;
  for (const auto& [cell, state] : cells_) sum += state.decided.size();
  return sum;
}

std::size_t Decisions::judged() const {
  std::size_t sum = 0;
  for (const auto& [cell, state] : cells_) sum += state.decided.size() + state.open.size();
  return sum;
}

std::size_t Decisions::launches_left() const {
  std::size_t most = 0;
  for (const auto& [cell, state] : cells_) {
    for (const OpenArm& arm : state.open) {
      most = std::max(most, arm.launches_needed > state.launches ? arm.launches_needed - state.launches : 1);
    }
  }
  return most;
}

std::string Decisions::open_text(std::size_t most) const {
  std::string text;
  std::size_t named = 0, open = 0;
  for (const auto& [cell, state] : cells_) {
    for (const OpenArm& arm : state.open) {
      ++open;
      if (named == most) continue;
      ++named;
      text += (text.empty() ? "" : "; ") + arm.arm + " (" + to_string(cell) + ")";
    }
  }
  return open > named ? text + " and " + std::to_string(open - named) + " more" : text;
}

}  // namespace slidebench
