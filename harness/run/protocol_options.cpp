// SPDX-License-Identifier: MIT
#include "harness/run/protocol_options.hpp"

#include <charconv>

#include "harness/base/errors.hpp"

namespace slidebench {

double parse_margin(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string unit(end, text.data() + text.size());
  if (unit == "%") value /= 100;
  if (error != std::errc{} || (!unit.empty() && unit != "%") || !(value >= 1e-4 && value <= 0.25)) {
    throw UserError("--margin " + text + ": from 0.01% to 25%, such as 1% or 0.01");
  }
  return value;
}

double parse_duration(const std::string& option, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string unit(end, text.data() + text.size());
  const double factor = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (error != std::errc{} || factor == 0 || !(value * factor >= 1) || value * factor > 30 * 24 * 3600) {
    throw UserError(option + " " + text + ": from 1s to 30 days, such as 90s, 30m or 2h");
  }
  return value * factor;
}

}  // namespace slidebench
