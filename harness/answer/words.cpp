// SPDX-License-Identifier: MIT
#include "harness/answer/words.hpp"

#include <fmt/core.h>

#include <cmath>
#include <utility>

namespace slidebench {

std::string percent(double share) {
  const double value = 100 * std::abs(share);
  return fmt::format("{:.{}f} %", value, value < 9.95 ? 1 : 0);
}

std::string signed_points(double share) {
  const double value = 100 * share;
  return fmt::format("{:+.{}f}", value, std::abs(value) < 9.95 ? 1 : 0);
}

std::string ratio_text(const Estimate& e) { return fmt::format("{:.3f} [{:.3f}, {:.3f}]", e.value, e.low, e.high); }

std::string change_of(const Estimate& ratio) {
  std::string value = signed_points(ratio.value - 1) + " %";
  if (!has_interval(ratio)) return value;
  return fmt::format("{} [{}, {}]", value, signed_points(ratio.low - 1), signed_points(ratio.high - 1));
}

std::string span_of(const Estimate& ratio) {
  const auto word = [](double saved) { return saved >= 0 ? " less" : " more"; };
  double first = 1 - ratio.high, second = 1 - ratio.low;
  if (second < 0) std::swap(first, second);
  const std::string start = percent(first);
  return (first >= 0) == (second >= 0) ? start + " to " + percent(second) + word(second)
                                       : start + word(first) + " to " + percent(second) + word(second);
}

}  // namespace slidebench
