// SPDX-License-Identifier: MIT
//
// What a trace is like: the figures by which it can be compared with the traces of real engines.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/distribution.hpp"
#include "harness/simulator/recurrence.hpp"
#include "harness/trace/reader.hpp"

namespace slidebench {

/// So many queries back a recurrence counts as one.
inline constexpr std::array<std::uint64_t, 5> recurrence_windows{1, 8, 32, 128, 1024};
static_assert(recurrence_windows.back() == RecurrenceFinder::window);

/// A figure by which traces are compared: this trace's, and that of a strong engine of 2026, traced over a million
/// positions in two of its generations (so it is a range; where it is one number, both ends are the same).
struct ComparedFigure {
  std::string name;
  bool is_share = false;
  std::optional<double> trace;
  std::optional<std::pair<double, double>> engine;
};

/// Shares are in [0, 1]; a mean or share of nothing is absent, never 0.
struct TraceInfo {
  std::uint64_t nodes = 0;
  std::array<std::uint64_t, 4> events{};  ///< by NodeEvent; the roots are the games
  std::uint64_t evaluated_nodes = 0;
  std::uint64_t probed_nodes = 0;

  std::uint64_t queries = 0;
  std::array<std::uint64_t, query_kinds> queries_by_kind{};

  Quantiles queries_per_node;

  /// Queries from one evaluated node to the next one; nothing if there are less than two.
  std::optional<Quantiles> queries_between_evaluations;

  double mean_occupied_squares = 0;  ///< per node

  /// Of the queries but the first: how many have the occupancy of the query before.
  std::optional<double> same_occupancy_share;
  /// Of all queries: how many have the kind, square and relevant occupancy of one of the recurrence_windows[i] before.
  /// The relevant occupancy of queen and both is that of bishop and rook together.
  std::array<std::optional<double>, recurrence_windows.size()> recurrence_shares;

  /// Different cache lines of the tables of fancy and plain magic that TableLines::windows[i] queries in a row touch.
  std::array<std::optional<double>, TableLines::windows.size()> fancy_lines;
  std::array<std::optional<double>, TableLines::windows.size()> plain_lines;

  /// What a replay streams through the cache: 10 bytes per node and 1 a query, divided by the queries.
  std::optional<double> replayed_bytes_per_query;

  std::uint64_t trace_bytes = 0;  ///< of the whole trace, uncompressed
  std::string digest;             ///< 16 hexadecimal digits
  nlohmann::json provenance;
};

/// Reads through the trace once.
TraceInfo describe(const Trace& trace);

/// The trace beside the engine. A search trace takes what is counted by searched positions, and who asked, from its
/// provenance: it has several nodes per position (harness/import/search_trace.hpp).
std::vector<ComparedFigure> compare_with_engine(const TraceInfo& info);

/// In a sentence how the trace differs from the engine: the figures that lie furthest outside theirs.
std::string conclusion(const std::vector<ComparedFigure>& figures);

/// The same as one JSON object, null for what is absent.
nlohmann::json to_json(const TraceInfo& info);

/// The same for people: some lines, each with a line feed, and the conclusion. The provenance is told by its recipe.
std::string to_text(const TraceInfo& info);

}  // namespace slidebench
