// SPDX-License-Identifier: MIT
//
// What is in a trace.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "harness/base/distribution.hpp"
#include "harness/trace/reader.hpp"

namespace slidebench {

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

  /// What a replay streams through the cache: 10 bytes per node and 1 a query, divided by the queries.
  std::optional<double> replayed_bytes_per_query;

  std::uint64_t trace_bytes = 0;  ///< of the whole trace, uncompressed
  std::string digest;             ///< 16 hexadecimal digits
  nlohmann::json provenance;
};

/// Reads through the trace once.
TraceInfo describe(const Trace& trace);

/// The same as one JSON object, null for what is absent.
nlohmann::json to_json(const TraceInfo& info);

/// The same for people: some lines, each with a line feed. The provenance is told by its recipe.
std::string to_text(const TraceInfo& info);

}  // namespace slidebench
