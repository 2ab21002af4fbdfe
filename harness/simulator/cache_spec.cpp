// SPDX-License-Identifier: MIT
#include "harness/simulator/cache_spec.hpp"

#include <charconv>
#include <optional>
#include <utility>

#include "harness/base/errors.hpp"
#include "harness/base/text_output.hpp"
#include "harness/simulator/cache_presets.hpp"
#include "harness/simulator/host_system.hpp"

namespace slidebench {
namespace {

/// Why a part of the text is refused; parse_cache_system() puts the whole text before it.
struct Refusal {
  std::string why;
};

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

/// Cuts off and returns what stands before the separator, or all of it.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view head = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return head;
}

/// A whole number with an optional K, M or G.
std::uint64_t parse_size(std::string_view text, const char* what) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view suffix(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const int shift = suffix.empty() ? 0 : suffix == "K" ? 10 : suffix == "M" ? 20 : suffix == "G" ? 30 : -1;
  if (error != std::errc{} || shift < 0 || number == 0 || number > (UINT64_MAX >> 1 >> shift)) {
    throw Refusal{quoted(text) + " is no " + what};
  }
  return number << shift;
}

std::uint32_t parse_count(std::string_view text, const char* what) {
  const std::uint64_t number = parse_size(text, what);
  if (number > UINT32_MAX) throw Refusal{quoted(text) + " is no " + what};
  return static_cast<std::uint32_t>(number);
}

constexpr EnumName<Inclusion> inclusion_names[]{{Inclusion::noninclusive, "noninclusive"},
                                                {Inclusion::inclusive, "inclusive"},
                                                {Inclusion::victim, "victim"},
                                                {Inclusion::retaining, "retaining"}};

void apply_option(CacheGeometry& cache, std::string_view option) {
  const auto replacement = value_in(replacements, option);
  const auto inclusion = value_in(inclusion_names, option);
  if (!replacement && !inclusion) {
    throw Refusal{quoted(option) + " is none of " + joined(replacements, ", ", &EnumName<Replacement>::name) + ", " +
                  joined(inclusion_names, ", ", &EnumName<Inclusion>::name)};
  }
  cache.replacement = replacement.value_or(cache.replacement);
  cache.inclusion = inclusion.value_or(cache.inclusion);
}

/// A line of 0 bytes stands for "as in the level above", to be filled in when all levels are known.
CacheGeometry parse_cache(std::string_view text) {
  if (text == "none") return {};
  std::string_view dimensions = take_until(text, ':');
  CacheGeometry cache;
  cache.bytes = parse_size(take_until(dimensions, '/'), "cache size");
  const std::string_view ways = take_until(dimensions, '/');
  if (ways.empty()) throw Refusal{"a cache is SIZE/WAYS[/LINE]"};
  cache.line_bytes = dimensions.empty() ? 0 : parse_count(dimensions, "line size");
  cache.ways = ways == "full" ? 0 : parse_count(ways, "number of ways");
  while (!text.empty()) apply_option(cache, take_until(text, ':'));
  return cache;
}

void complete(CacheGeometry& cache, std::uint32_t line_bytes) {
  if (!cache.exists()) return;
  if (cache.line_bytes == 0) cache.line_bytes = line_bytes;
  if (cache.ways == 0) cache.ways = static_cast<std::uint32_t>(cache.lines());
}

TlbGeometry parse_entries(std::string_view text) {
  TlbGeometry tlb;
  tlb.entries = parse_count(take_until(text, '/'), "number of entries");
  tlb.ways = text.empty() ? tlb.entries : parse_count(text, "number of ways");
  return tlb;
}

TlbLevel parse_tlb(std::string_view text) {
  if (text == "none") return {};
  TlbLevel level;
  level.base = parse_entries(take_until(text, ':'));
  if (text.empty()) return level;
  if (take_until(text, '=') != "2M") throw Refusal{"after a TLB's entries stands nothing or :2M=..."};
  if (text == "none") {
    level.large_pages = LargePages::none;
  } else {
    level.large_pages = LargePages::separate;
    level.large = parse_entries(text);
  }
  return level;
}

void apply_item(CacheSystem& system, std::string_view item) {
  std::string_view value = item;
  const std::string_view name = take_until(value, '=');
  if (name == "L1") {
    system.l1 = parse_cache(value);
  } else if (name == "L2") {
    system.l2 = parse_cache(value);
  } else if (name == "L3") {
    system.l3 = parse_cache(value);
  } else if (name == "DTLB") {
    system.dtlb = parse_tlb(value);
  } else if (name == "STLB") {
    system.stlb = parse_tlb(value);
  } else if (name == "PAGE") {
    system.page_bytes = parse_count(value, "page size");
  } else {
    throw Refusal{quoted(name) + " is none of L1, L2, L3, DTLB, STLB, PAGE"};
  }
}

CacheSystem parse_items(std::string_view text, CacheSystem system) {
  while (!text.empty()) apply_item(system, take_until(text, ','));
  complete(system.l1, 64);
  complete(system.l2, system.l1.line_bytes);
  complete(system.l3, system.l2.line_bytes);
  check(system);
  return system;
}

/// The system that a specification starts from, if its first item names one.
std::optional<CacheSystem> find_base(std::string_view name) {
  if (name == "host") return host_system();
  for (const CachePreset& preset : cache_presets) {
    if (preset.name != name) continue;
    CacheSystem system = parse_items(preset.specification, {});
    system.notes = {std::string(preset.title), std::string(preset.source)};
    return system;
  }
  return std::nullopt;
}

std::string preset_names() {
  std::string names;
  for (const CachePreset& preset : cache_presets) names += ", " + std::string(preset.name);
  return names;
}

std::string size_text(std::uint64_t bytes) {
  static constexpr std::pair<int, const char*> units[] = {{30, "G"}, {20, "M"}, {10, "K"}};
  for (const auto& [shift, suffix] : units) {
    if (bytes % (std::uint64_t{1} << shift) == 0) return std::to_string(bytes >> shift) + suffix;
  }
  return std::to_string(bytes);
}

std::string cache_text(const CacheGeometry& cache) {
  if (!cache.exists()) return "none";
  std::string text = size_text(cache.bytes) + "/" + std::to_string(cache.ways) + "/" + std::to_string(cache.line_bytes);
  text += ":" + name_in(replacements, cache.replacement);
  if (cache.inclusion != Inclusion::noninclusive) text += ":" + name_in(inclusion_names, cache.inclusion);
  return text;
}

std::string entries_text(const TlbGeometry& tlb) {
  return std::to_string(tlb.entries) + "/" + std::to_string(tlb.ways);
}

std::string tlb_text(const TlbLevel& level) {
  if (!level.exists()) return "none";
  switch (level.large_pages) {
    case LargePages::shared: return entries_text(level.base);
    case LargePages::separate: return entries_text(level.base) + ":2M=" + entries_text(level.large);
    case LargePages::none: return entries_text(level.base) + ":2M=none";
  }
  return {};
}

}  // namespace

CacheSystem parse_cache_system(const std::string& text) {
  try {
    std::string_view rest = text;
    CacheSystem base;
    if (rest.substr(0, rest.find(',')).find('=') == std::string_view::npos) {
      const std::string_view name = take_until(rest, ',');
      const std::optional<CacheSystem> found = find_base(name);
      if (!found) throw Refusal{"there is no preset " + quoted(name)};
      base = *found;
    }
    CacheSystem system = parse_items(rest, std::move(base));
    system.name = text;
    return system;
  } catch (const Refusal& refusal) {
    throw UserError("bad caches '" + text + "': " + refusal.why + "; use host" + preset_names() +
                    ", or levels such as L1=48K/12/64,L2=1M/16,L3=32M/16:victim,DTLB=96,STLB=4096/16");
  } catch (const UserError& error) {
    throw UserError("bad caches '" + text + "': " + error.what());
  }
}

std::string specification(const CacheSystem& system) {
  return "L1=" + cache_text(system.l1) + ",L2=" + cache_text(system.l2) + ",L3=" + cache_text(system.l3) +
         ",DTLB=" + tlb_text(system.dtlb) + ",STLB=" + tlb_text(system.stlb) + ",PAGE=" + size_text(system.page_bytes);
}

}  // namespace slidebench
