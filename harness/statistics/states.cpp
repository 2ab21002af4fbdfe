// SPDX-License-Identifier: MIT
#include "harness/statistics/states.hpp"

#include <algorithm>
#include <map>

#include "harness/statistics/statistics.hpp"

namespace slidebench {

std::optional<MachineStates> machine_states(const std::vector<ProcessRunRow>& rows) {
  std::map<Cell, std::vector<double>> times;
  for (const ProcessRunRow& row : rows) {
    if (row.role == ContenderRole::reference) times[row.cell].push_back(row.ns_per_query);
  }
  std::optional<MachineStates> most;
  double greatest = least_state_ratio;
  for (auto& [cell, ns] : times) {
    if (ns.size() < 4) continue;
    std::sort(ns.begin(), ns.end());
    const MachineStates found{cell, quantile(ns, 0.1), quantile(ns, 0.9)};
    if (found.slow_ns < greatest * found.quick_ns) continue;
    greatest = found.slow_ns / found.quick_ns;
    most = found;
  }
  return most;
}

}  // namespace slidebench
