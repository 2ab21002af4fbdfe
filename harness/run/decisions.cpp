// SPDX-License-Identifier: MIT
#include "harness/run/decisions.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace slidebench {

void Decisions::update(const std::vector<CellSamples>& cells, const Protocol& protocol) {
  for (const CellSamples& cell : cells) {
    State state;
    state.open = open_contenders(cell, protocol);
    const ContenderSamples* reference = cell.find(ContenderRole::reference);
    if (reference != nullptr) state.process_runs = log_times(*reference).size();
    for (const auto& [name, contender] : cell.contenders) {
      const bool open = std::ranges::find(state.open, name, &OpenContender::contender) != state.open.end();
      if (contender.first.role == ContenderRole::method && !open) state.decided.insert(name);
    }
    cells_[cell.cell] = std::move(state);
  }
}

bool Decisions::is_open(const Cell& cell) const {
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

std::size_t Decisions::process_runs_left() const {
  std::size_t most = 0;
  for (const auto& [cell, state] : cells_) {
    for (const OpenContender& contender : state.open) {
      most = std::max(most, contender.process_runs_needed > state.process_runs
                                ? contender.process_runs_needed - state.process_runs
                                : 1);
    }
  }
  return most;
}

std::string Decisions::open_text(std::size_t most) const {
  std::string text;
  std::size_t named = 0, open = 0;
  for (const auto& [cell, state] : cells_) {
    for (const OpenContender& contender : state.open) {
      ++open;
      if (named == most) continue;
      ++named;
      text += (text.empty() ? "" : "; ") + contender.contender + " (" + to_string(cell) + ")";
    }
  }
  return open > named ? fmt::format("{} and {} more", text, open - named) : text;
}

}  // namespace slidebench
