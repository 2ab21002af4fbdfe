// SPDX-License-Identifier: MIT
//
// What a trace is like: the figures by which it can be compared with the traces of real engines.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

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

  double mean_queries_per_node = 0;
  std::uint64_t median_queries_per_node = 0;
  std::uint64_t p99_queries_per_node = 0;
  std::uint64_t max_queries_per_node = 0;

  double mean_occupied_squares = 0;  ///< per node

  /// Of the queries but the first: how many have the occupancy of the query before.
  std::optional<double> same_occupancy_share;
  /// Of all queries: how many have the kind, square and relevant occupancy of one of the 32 (1,024) before. The
  /// relevant occupancy of queen and both is that of bishop and rook together.
  std::optional<double> recurrence_32_share;
  std::optional<double> recurrence_1024_share;

  /// What a replay streams through the cache: 10 bytes a node and 1 a query, divided by the queries.
  std::optional<double> replayed_bytes_per_query;

  std::uint64_t trace_bytes = 0;  ///< of the whole trace, uncompressed
  std::string digest;             ///< 16 hexadecimal digits
  nlohmann::json provenance;
};

/// Reads through the trace once.
TraceInfo describe(const Trace& trace);

/// The same as one JSON object, null for what is absent.
nlohmann::json to_json(const TraceInfo& info);

/// The same for people: some lines, each with a line feed.
std::string to_text(const TraceInfo& info);

}  // namespace slidebench
