// SPDX-License-Identifier: MIT
#include "harness/cli/numbers.hpp"

#include <CLI/CLI.hpp>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <type_traits>

#include "harness/base/errors.hpp"
#include "harness/engine/network_kernels.hpp"
#include "harness/run/protocol_options.hpp"

namespace slidebench {

static_assert(widest_network == engine::max_network_width);

namespace {

/// Large bounds as powers: "10^12", "2^24", "2^64-1".
std::string short_text(std::uint64_t bound) {
  constexpr std::uint64_t large = 1'000'000;
  if (bound == std::numeric_limits<std::uint64_t>::max()) return "2^64-1";
  if (bound >= large && std::has_single_bit(bound)) return "2^" + std::to_string(std::countr_zero(bound));
  const std::string digits = std::to_string(bound);
  const bool power = bound >= large && digits.find_first_not_of('0', 1) == std::string::npos && digits[0] == '1';
  return power ? "10^" + std::to_string(digits.size() - 1) : digits;
}

std::string short_text(double bound) {
  if (bound >= 1 && bound == std::floor(bound)) return short_text(static_cast<std::uint64_t>(bound));
  char text[32];
  std::snprintf(text, sizeof text, "%g", bound);
  return text;
}

/// The option's values are numbers of this type within the bounds, and nothing else.
template <class Number>
CLI::Option* numbers(CLI::Option* option, const char* type, Number low, Number high) {
  const std::string range = short_text(low) + ".." + short_text(high);
  const auto fault_of = [=](const std::string& text) -> std::string {
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    const bool good = error == std::errc{} && rest == end && value >= low && value <= high;  // NaN is in no range
    const char* const kind = std::is_integral_v<Number> ? "whole number" : "number";
    return good ? "" : "'" + text + "' is no " + kind + " in " + range;
  };
  return option->type_name(type)->check(CLI::Validator(fault_of, range));
}

/// The option's values are what a function reads without throwing UserError.
template <class Read>
CLI::Option* texts(CLI::Option* option, const char* type, const char* kind, const std::string& range, Read read) {
  const auto fault_of = [=](const std::string& text) -> std::string {
    try {
      read(text);
      return "";
    } catch (const UserError&) {
      return "'" + text + "' is no " + kind + " in " + range;
    }
  };
  return option->type_name(type)->check(CLI::Validator(fault_of, range));
}

}  // namespace

CLI::Option* counts(CLI::Option* option, std::uint64_t low, std::uint64_t high) {
  return numbers(option, "N", low, high);
}

CLI::Option* seeds(CLI::Option* option) {
  return numbers(option, "SEED", std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max());
}

CLI::Option* seconds(CLI::Option* option, double low, double high) { return numbers(option, "SECONDS", low, high); }

CLI::Option* bytes(CLI::Option* option, std::uint64_t low, std::uint64_t high) {
  // CLI11 replaces the units before the range is checked.
  return numbers(option, "BYTES", low, high)->transform(CLI::AsSizeValue(false).description(""));
}

CLI::Option* durations(CLI::Option* option) {
  return texts(option, "TIME", "time", "1s..720h", [](const std::string& text) { parse_duration("", text); });
}

CLI::Option* margins(CLI::Option* option) {
  return texts(option, "PERCENT", "margin", "0.01%..25%", [](const std::string& text) { parse_margin(text); });
}

}  // namespace slidebench
