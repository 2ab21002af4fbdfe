// SPDX-License-Identifier: MIT
#include "harness/plugin/pressure.hpp"

#include <charconv>
#include <numeric>
#include <optional>
#include <random>

#include "harness/trace/errors.hpp"

namespace slidebench {
namespace {

constexpr std::uint64_t largest_block = std::uint64_t{4} << 30;

/// A whole number at the start of `text`, which is then shortened by it.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// Bytes with an optional suffix. Too large a number is cut off at a value that is refused later.
std::optional<std::uint64_t> take_bytes(std::string_view& text) {
  const std::optional<std::uint64_t> number = take_number(text);
  if (!number) return std::nullopt;
  const unsigned shift = take(text, "K") ? 10 : take(text, "M") ? 20 : take(text, "G") ? 30 : 0;
  return *number > (largest_block >> shift) ? largest_block + 1 : *number << shift;
}

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  std::string presets;
  for (const PressurePreset& preset : pressure_presets) presets += std::string(preset.name) + ", ";
  throw UserError("bad pressure '" + text + "': " + why + "; use " + presets +
                  "or LINES@BLOCK/node|eval[/random|rows], such as 64@256K/node or 768@8M/eval/rows");
}

Pressure parse_specification(const std::string& text) {
  Pressure pressure;
  pressure.name = text;
  std::string_view rest = text;
  const std::optional<std::uint64_t> lines = take_number(rest);
  if (!lines || !take(rest, "@")) refuse(text, "it is neither a preset nor LINES@BLOCK/WHEN");
  const std::optional<std::uint64_t> bytes = take_bytes(rest);
  if (!bytes || !take(rest, "/")) refuse(text, "the block's size is not a number of bytes");
  if (take(rest, "node")) {
    pressure.when = PressureWhen::node;
  } else if (take(rest, "eval")) {
    pressure.when = PressureWhen::evaluation;
  } else {
    refuse(text, "after the block's size stands node or eval");
  }
  if (take(rest, "/rows"))
    pressure.pattern = PressurePattern::rows;
  else
    take(rest, "/random");
  if (!rest.empty()) refuse(text, "'" + std::string(rest) + "' is left over");

  const std::uint64_t unit = std::uint64_t{cache_line_bytes} * pressure.lines_at_once();
  if (*bytes > largest_block) refuse(text, "a block has at most 4 GiB");
  if (*bytes < unit || *bytes % unit != 0)
    refuse(text, "the block is not a multiple of " + std::to_string(unit) + " bytes");
  if (*lines == 0) refuse(text, "no lines; that is the preset 'isolated'");
  if (*lines > *bytes / cache_line_bytes) refuse(text, "more lines than the block has");
  if (*lines % pressure.lines_at_once() != 0) {
    refuse(text, "rows have " + std::to_string(lines_per_row) + " lines, and LINES is no multiple of that");
  }
  pressure.lines = static_cast<std::uint32_t>(*lines);
  pressure.block_bytes = *bytes;
  return pressure;
}

}  // namespace

Pressure parse_pressure(const std::string& text) {
  for (const PressurePreset& preset : pressure_presets) {
    if (preset.name != text) continue;
    Pressure pressure;
    if (!preset.specification.empty()) pressure = parse_specification(std::string(preset.specification));
    pressure.name = text;
    pressure.chunk_queries = preset.chunk_queries;
    return pressure;
  }
  return parse_specification(text);
}

std::vector<std::uint32_t> touch_order(const Pressure& pressure, std::uint64_t seed) {
  const std::uint64_t lines = pressure.block_bytes / cache_line_bytes;
  const std::uint32_t step = pressure.lines_at_once();
  std::vector<std::uint32_t> order(lines / step);
  std::iota(order.begin(), order.end(), 0u);
  // Fisher and Yates' shuffle by hand: what std::shuffle draws is not fixed by the standard.
  std::mt19937_64 random(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  for (std::uint32_t& first : order) first *= step;
  return order;
}

}  // namespace slidebench
