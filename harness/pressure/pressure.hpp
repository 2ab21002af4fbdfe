// SPDX-License-Identifier: MIT
//
// Pressure: what an engine does between attack queries, reduced to touching cache lines and executing instructions.
//
// A specification is a sum of parts, "1@16M/probe+768@8M/eval/rows+192/query":
//
//   K@W/when[/random]  K scattered cache lines of a block of W bytes at every such event: hash table, histories
//   K@W/when/rows      the same in short sequential rows, which the prefetchers like: a network's weights
//   N/query            N instructions after every query, independent of its answer (replay.hpp): the other work, in
//                      which a short computation disappears
//
//   when is
//   node               every change of the occupancy
//   make               of these, where a move is made or pieces are looked through, taking back left out
//   probe              where the hash table is probed
//   eval               where the position is evaluated
//
// The lines stand in an order fixed beforehand, the same in the timed replay and in the simulated one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/pressure/pressure_hook.hpp"
#include "harness/trace/block.hpp"

namespace slidebench {

inline constexpr std::uint32_t cache_line_bytes = 64;
/// A row of 1,024 one-byte weights, as in the threat features of the networks of 2026.
inline constexpr std::uint32_t lines_per_row = 16;
/// Other work between queries comes in so many instructions.
inline constexpr std::uint32_t work_unit = 16;

enum class PressureWhen : std::uint8_t { node, make, probe, evaluation };
enum class PressurePattern : std::uint8_t { random, rows };

/// The lines of a block that are touched at one kind of event.
struct Touching {
  std::uint32_t lines = 0;        ///< at each event; for rows a multiple of lines_per_row
  std::uint64_t block_bytes = 0;  ///< a multiple of a line (of a row)
  PressureWhen when = PressureWhen::evaluation;
  PressurePattern pattern = PressurePattern::random;

  std::uint32_t lines_at_once() const { return pattern == PressurePattern::rows ? lines_per_row : 1; }
};

/// What is done between queries, and when; by default nothing.
struct Pressure {
  std::string name = "isolated";    ///< as asked for: a preset's name, or the specification
  std::vector<Touching> parts;      ///< each with a block of its own, at an event in this order
  std::uint32_t instructions = 0;   ///< after each query, a multiple of work_unit
  std::uint64_t chunk_queries = 0;  ///< if not 0: every contender replays this many queries in turn, so that each finds
                                    ///< the caches as the others left them

  bool touches() const { return !parts.empty(); }
  bool isolated() const { return !touches() && instructions == 0 && chunk_queries == 0; }
  std::uint64_t block_bytes() const;  ///< of all parts
};

/// A named pressure, and where its numbers come from.
struct PressurePreset {
  std::string_view name;
  std::string_view specification;  ///< empty: no touching
  std::uint64_t chunk_queries;
  std::string_view source;
  std::optional<unsigned> network = {};  ///< of one fitted to the engine here: its network's width, 0 without one
  unsigned engine_lines = 0;  ///< of one fitted to a network: what the engine touches between two evaluations
};

inline constexpr PressurePreset pressure_presets[] = {
    {"isolated", "", 0, "nothing but the queries: the usual micro-benchmark, warm"},
    {"net0", "64@256K/node+64/query", 0,
     "fitted to the engine here without a network (reports/archive); it touches 16 lines per node and "
     "executes some 200 instructions from query to query",
     0},
    {"net256", "64@1M/eval+96/query", 0,
     "fitted to the engine here with a network of 256 and with its threats; it touches 162 and 229 lines from one "
     "evaluation to the next",
     256, 162},
    {"net1024", "256@1M/eval+96/query", 0,
     "fitted to the engine here with a network of 1,024 and with its threats; it touches 582 and 844 lines from one "
     "evaluation to the next, in rows, of which the prefetchers hide a part",
     1024, 582},
    {"lukewarm", "", 2048, "the methods take turns every 2,048 queries and cool each other's tables; no estimate"},
    {"light", "64@256K/node/random", 0,
     "touches alone; estimate: hash table, histories and pawn tables of an engine without a network, some 60 scattered "
     "lines per node; the small engine here touches 16"},
    {"nnue", "768@8M/eval/rows", 0,
     "a whole L1D: between the median, 665, and the mean, 844, of the lines that the engine here touches from one "
     "evaluation to the next, with a network of 1,024 and threats; by the "
     "constants of a strong engine of 2026 it is 490 to 750"},
    {"nnue-xl", "1536@96M/eval/rows", 0,
     "estimate: a network twice as wide, whose rows do not fit a usual L3; in the same count, 1,709 is the 90 % "
     "quantile"},
};

/// A preset's name, or a specification as above, with W in bytes or with suffix K, M or G. Without a pattern: scattered
/// lines. Throws UserError for anything else, for blocks that are smaller than what is touched at once or larger than
/// 4 GiB, and for N that is no multiple of work_unit.
Pressure parse_pressure(const std::string& text);

/// What a pressure's name stands for: a preset's specification, of anything else the text itself.
std::string definition_of(const std::string& text);

/// "8M/eval/rows": a part in the form of a specification, without its lines.
std::string block_text(const Touching& part);

/// The nodes at which an event falls. What only continues a node is none of them.
TagSet events_of(PressureWhen when);

/// The nodes at which lines are touched; none for no pressure.
TagSet pressure_events(const Pressure& pressure);

/// The first lines (of rows: the row's first line) in the order in which they are touched, cyclically: a permutation of
/// all of the block's lines (rows), the same for the same seed everywhere.
std::vector<std::uint32_t> touch_order(const Touching& part, std::uint64_t seed);

}  // namespace slidebench
