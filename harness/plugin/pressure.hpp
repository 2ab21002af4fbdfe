// SPDX-License-Identifier: MIT
//
// Pressure: what an engine does to the cache between attack queries, reduced to touching cache lines.
//
// "K@W/when" touches K cache lines of a block of W bytes at every node or at every evaluated node. The lines stand for
// hash table entries and histories (random lines) or for rows of a network's weights (short sequential rows, which the
// prefetchers like). The order is fixed beforehand, and the same in the timed replay and in the simulated one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/trace/block.hpp"

namespace slidebench {

inline constexpr std::uint32_t cache_line_bytes = 64;
/// A row of 1,024 one-byte weights, as in the threat features of the networks of 2026.
inline constexpr std::uint32_t lines_per_row = 16;

enum class PressureWhen : std::uint8_t { node, evaluation };
enum class PressurePattern : std::uint8_t { random, rows };

/// How much is touched, and when. `lines` is 0 for no pressure.
struct Pressure {
  std::string name = "isolated";  ///< as asked for: a preset's name, or the specification
  std::uint32_t lines = 0;        ///< touched at each event; for rows a multiple of lines_per_row
  std::uint64_t block_bytes = 0;  ///< a multiple of a line (of a row)
  PressureWhen when = PressureWhen::evaluation;
  PressurePattern pattern = PressurePattern::random;
  std::uint64_t chunk_queries = 0;  ///< if not 0: every arm replays this many queries in turn, so that each finds the
                                    ///< caches as the others left them

  bool touches() const { return lines > 0; }
  std::uint32_t lines_at_once() const { return pattern == PressurePattern::rows ? lines_per_row : 1; }
};

/// A named pressure, and where its numbers come from.
struct PressurePreset {
  std::string_view name;
  std::string_view specification;  ///< empty: no touching
  std::uint64_t chunk_queries;
  std::string_view source;
};

inline constexpr PressurePreset pressure_presets[] = {
    {"isolated", "", 0, "nothing but the queries: the usual micro-benchmark, warm"},
    {"lukewarm", "", 2048, "the methods take turns every 2,048 queries and cool each other's tables; no estimate"},
    {"light", "64@256K/node/random", 0,
     "estimate: hash table, histories and pawn tables of an engine without a network, some 60 scattered lines a node; "
     "the small engine here touches 16 (slidebench engine --calibrate --depth 10)"},
    {"nnue", "768@8M/eval/rows", 0,
     "a whole L1D: between the median, 665, and the mean, 844, of the lines that the engine here touches from one "
     "evaluation to the next, with a network of 1,024 and threats (slidebench engine --calibrate --depth 10); by the "
     "constants of a strong engine of 2026 it is 490 to 750"},
    {"nnue-xl", "1536@96M/eval/rows", 0,
     "estimate: a network twice as wide, whose rows do not fit a usual L3; in the same count, 1,709 is the 90 % "
     "quantile"},
};

/// A preset's name, or "K@W/node|eval[/random|rows]" with W in bytes or with suffix K, M or G: "64@256K/node",
/// "768@8M/eval/rows". Without a pattern: random lines. Throws UserError for anything else, and for blocks that are
/// smaller than what is touched at once or larger than 4 GiB.
Pressure parse_pressure(const std::string& text);

/// The nodes whose tag is `wanted` under `mask`.
struct NodePattern {
  NodeTag mask;
  NodeTag wanted;

  constexpr bool matches(NodeTag tag) const { return (tag & mask) == wanted; }
};

/// The nodes at which lines are touched; absent for no pressure. What only continues a node is none of them.
inline std::optional<NodePattern> pressure_events(const Pressure& pressure) {
  if (!pressure.touches()) return std::nullopt;
  const NodeTag evaluated = pressure.when == PressureWhen::evaluation ? evaluated_flag : NodeTag{0};
  return NodePattern{static_cast<NodeTag>(evaluated | continued_flag), evaluated};
}

/// True if lines are touched at a node with this tag.
inline bool is_pressure_event(const Pressure& pressure, NodeTag tag) {
  const std::optional<NodePattern> events = pressure_events(pressure);
  return events && events->matches(tag);
}

/// The first lines (of rows: the row's first line) in the order in which they are touched, cyclically: a permutation of
/// all of the block's lines (rows), the same for the same seed everywhere. Precondition: pressure.touches().
std::vector<std::uint32_t> touch_order(const Pressure& pressure, std::uint64_t seed);

}  // namespace slidebench
