// SPDX-License-Identifier: MIT
#include "harness/pressure/pressure.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <random>
#include <utility>

#include "harness/base/errors.hpp"

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

/// Refuses one text with reasons.
class Refusal {
 public:
  explicit Refusal(const std::string& text) : text_(text) {}

  [[noreturn]] void operator()(const std::string& why) const {
    std::string presets;
    for (const PressurePreset& preset : pressure_presets) presets += std::string(preset.name) + ", ";
    throw UserError("bad pressure '" + text_ + "': " + why + "; use " + presets +
                    "or a sum of LINES@BLOCK/node|make|probe|eval[/random|rows] and N/query, such as 64@256K/node or "
                    "1@16M/probe+768@8M/eval/rows+192/query");
  }

 private:
  const std::string& text_;
};

constexpr std::pair<std::string_view, PressureWhen> event_names[]{{"node", PressureWhen::node},
                                                                  {"make", PressureWhen::make},
                                                                  {"probe", PressureWhen::probe},
                                                                  {"eval", PressureWhen::evaluation}};

PressureWhen take_event(std::string_view& rest, const Refusal& refuse) {
  for (const auto& [name, when] : event_names) {
    if (take(rest, name)) return when;
  }
  refuse("after the block's size stands node, make, probe or eval");
}

void check_part(const Touching& part, const Refusal& refuse) {
  const std::uint64_t unit = std::uint64_t{cache_line_bytes} * part.lines_at_once();
  if (part.block_bytes > largest_block) refuse("a block has at most 4 GiB");
  if (part.block_bytes < unit || part.block_bytes % unit != 0)
    refuse("the block is not a multiple of " + std::to_string(unit) + " bytes");
  if (part.lines == 0) refuse("no lines; that is the preset 'isolated'");
  if (part.lines > part.block_bytes / cache_line_bytes) refuse("more lines than the block has");
  if (part.lines % part.lines_at_once() != 0)
    refuse("rows have " + std::to_string(lines_per_row) + " lines, and LINES is no multiple of that");
}

/// "@W/when[/pattern]" behind the number of lines.
Touching take_touching(std::uint64_t lines, std::string_view& rest, const Refusal& refuse) {
  Touching part;
  const std::optional<std::uint64_t> bytes = take_bytes(rest);
  if (!bytes || !take(rest, "/")) refuse("the block's size is not a number of bytes");
  part.block_bytes = *bytes;
  part.when = take_event(rest, refuse);
  if (take(rest, "/rows"))
    part.pattern = PressurePattern::rows;
  else
    take(rest, "/random");
  part.lines = static_cast<std::uint32_t>(std::min<std::uint64_t>(lines, UINT32_MAX));
  check_part(part, refuse);
  return part;
}

Pressure parse_specification(const std::string& text) {
  constexpr std::uint64_t most_instructions = 100'000;
  const Refusal refuse(text);
  Pressure pressure;
  pressure.name = text;
  std::string_view rest = text;
  do {
    const std::optional<std::uint64_t> number = take_number(rest);
    if (number && take(rest, "@")) {
      pressure.parts.push_back(take_touching(*number, rest, refuse));
    } else if (number && take(rest, "/query")) {
      if (pressure.instructions != 0) refuse("two numbers of instructions");
      if (*number == 0 || *number % work_unit != 0 || *number > most_instructions) {
        refuse("instructions come by " + std::to_string(work_unit) + ", up to " + std::to_string(most_instructions));
      }
      pressure.instructions = static_cast<std::uint32_t>(*number);
    } else {
      refuse("it is neither a preset nor LINES@BLOCK/WHEN nor N/query");
    }
  } while (take(rest, "+"));
  if (!rest.empty()) refuse("'" + std::string(rest) + "' is left over");
  return pressure;
}

}  // namespace

std::uint64_t Pressure::block_bytes() const {
  std::uint64_t bytes = 0;
  for (const Touching& part : parts) bytes += part.block_bytes;
  return bytes;
}

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

std::string block_text(const Touching& part) {
  constexpr std::pair<unsigned, std::string_view> suffixes[]{{20, "M"}, {10, "K"}, {0, ""}};
  std::string text;
  for (const auto& [shift, suffix] : suffixes) {
    if (part.block_bytes % (std::uint64_t{1} << shift) != 0) continue;
    text = std::to_string(part.block_bytes >> shift) + std::string(suffix);
    break;
  }
  for (const auto& [name, when] : event_names) {
    if (when == part.when) text += "/" + std::string(name);
  }
  return text + (part.pattern == PressurePattern::rows ? "/rows" : "/random");
}

std::string definition_of(const std::string& text) {
  for (const PressurePreset& preset : pressure_presets) {
    if (preset.name != text) continue;
    if (preset.chunk_queries > 0) return "in turns of " + std::to_string(preset.chunk_queries) + " queries";
    return std::string(preset.specification);
  }
  return text;
}

TagSet events_of(PressureWhen when) {
  TagSet events;
  for (NodeTag tag = 0; tag <= known_tag_bits; ++tag) {
    if ((tag & continued_flag) != 0) continue;
    const bool is_event = when == PressureWhen::node ||
                          (when == PressureWhen::make && node_event(tag) == NodeEvent::make) ||
                          (when == PressureWhen::probe && (tag & probed_flag) != 0) ||
                          (when == PressureWhen::evaluation && (tag & evaluated_flag) != 0);
    if (is_event) events.bits |= std::uint64_t{1} << tag;
  }
  return events;
}

TagSet pressure_events(const Pressure& pressure) {
  TagSet events;
  for (const Touching& part : pressure.parts) events.bits |= events_of(part.when).bits;
  return events;
}

std::vector<std::uint32_t> touch_order(const Touching& part, std::uint64_t seed) {
  const std::uint64_t lines = part.block_bytes / cache_line_bytes;
  const std::uint32_t step = part.lines_at_once();
  std::vector<std::uint32_t> order(lines / step);
  std::iota(order.begin(), order.end(), 0u);
  // Fisher and Yates' shuffle by hand: what std::shuffle draws is not fixed by the standard.
  std::mt19937_64 random(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  for (std::uint32_t& first : order) first *= step;
  return order;
}

}  // namespace slidebench
