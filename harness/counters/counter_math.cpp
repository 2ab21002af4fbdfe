// SPDX-License-Identifier: MIT
#include "harness/counters/counter_math.hpp"

namespace slidebench {

std::optional<double> per_query(const Counted& method, const Counted& empty) {
  if (!method.value || !empty.value || method.queries == 0 || empty.queries == 0) return std::nullopt;
  return static_cast<double>(*method.value) / static_cast<double>(method.queries) -
         static_cast<double>(*empty.value) / static_cast<double>(empty.queries);
}

std::vector<std::vector<std::size_t>> plan_passes(std::size_t events, std::size_t limit,
                                                  const std::function<bool(const std::vector<std::size_t>&)>& fit) {
  std::vector<std::vector<std::size_t>> passes;
  const auto joins = [&](std::vector<std::size_t>& pass, std::size_t event) {
    if (pass.size() >= limit) return false;
    pass.push_back(event);
    if (fit(pass)) return true;
    pass.pop_back();
    return false;
  };
  for (std::size_t event = 0; event < events; ++event) {
    bool placed = false;
    for (std::size_t i = 0; i < passes.size() && !placed; ++i) placed = joins(passes[i], event);
    if (!placed) passes.push_back({event});
  }
  return passes;
}

}  // namespace slidebench
