// SPDX-License-Identifier: MIT
#include "harness/counters/counter_math.hpp"

#include <cmath>

namespace slidebench {

std::optional<double> per_query(std::optional<std::uint64_t> value, std::optional<std::uint64_t> value_empty,
                                std::uint64_t queries) {
  if (!value || !value_empty || queries == 0) return std::nullopt;
  // Subtracted as integers, in the direction that cannot wrap: as doubles, large counts would lose their last digits.
  const double net =
      *value >= *value_empty ? static_cast<double>(*value - *value_empty) : -static_cast<double>(*value_empty - *value);
  return net / static_cast<double>(queries);
}

ConsistencyCheck check_count(std::optional<std::uint64_t> measured, double expected, double tolerance) {
  if (!measured || !(expected > 0)) return {};
  const double ratio = static_cast<double>(*measured) / expected;
  const bool agrees = std::abs(ratio - 1) <= tolerance;
  return {agrees ? Consistency::consistent : Consistency::inconsistent, ratio};
}

ConsistencyCheck check_empty_fills(std::optional<std::uint64_t> fills, std::uint64_t trace_bytes,
                                   std::uint64_t line_bytes) {
  if (line_bytes == 0) return {};
  return check_count(fills, static_cast<double>(trace_bytes) / static_cast<double>(line_bytes), 0.10);
}

ConsistencyCheck check_repeated_instructions(std::optional<std::uint64_t> first, std::optional<std::uint64_t> again) {
  if (!first) return {};
  return check_count(again, static_cast<double>(*first), 0.001);
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
