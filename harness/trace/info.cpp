// SPDX-License-Identifier: MIT
#include "harness/trace/info.hpp"

#include <bit>
#include <cstdio>
#include <map>
#include <optional>
#include <string_view>

#include "harness/trace/recurrence.hpp"

namespace slidebench {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 4> event_names{"root", "make", "unmake", "null_move"};
constexpr std::array<std::string_view, query_kinds> kind_names{"bishop", "rook", "queen", "both"};
constexpr std::uint64_t short_window = 32;

/// What a replay kernel reads of a node; a query is one byte more.
constexpr std::uint64_t replayed_node_bytes = sizeof(Bitboard) + sizeof(RunLengths);

std::optional<double> ratio(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

/// Collects the figures node by node.
class Census {
 public:
  void add(const TraceBlock& block) {
    for (std::uint32_t i = 0; i < block.nodes; ++i) {
      add_node(block.occupied[i], block.tags[i], queries_in(block.runs[i]));
    }
    for_each_query(block, [&](std::uint32_t node, QueryKind kind, Square s) {
      add_query(encode_query(kind, s), block.occupied[node]);
    });
  }

  TraceInfo info() {
    close_node();
    info_.mean_queries_per_node = ratio(info_.queries, info_.nodes).value_or(0);
    info_.mean_occupied_squares = ratio(occupied_squares_, info_.nodes).value_or(0);
    info_.median_queries_per_node = quantile(50);
    info_.p99_queries_per_node = quantile(99);
    info_.max_queries_per_node = quantile(100);
    info_.same_occupancy_share = ratio(same_occupancy_, info_.queries == 0 ? 0 : info_.queries - 1);
    info_.recurrence_32_share = ratio(recurrences_short_, info_.queries);
    info_.recurrence_1024_share = ratio(recurrences_, info_.queries);
    info_.replayed_bytes_per_query = ratio(replayed_node_bytes * stored_nodes_ + info_.queries, info_.queries);
    return info_;
  }

 private:
  /// A continued node only has more queries of the node before.
  void add_node(Bitboard occupied, NodeTag tag, unsigned queries) {
    ++stored_nodes_;
    if ((tag & continued_flag) == 0) {
      close_node();
      ++info_.nodes;
      ++info_.events[static_cast<std::size_t>(node_event(tag))];
      info_.evaluated_nodes += (tag & evaluated_flag) != 0;
      info_.probed_nodes += (tag & probed_flag) != 0;
      occupied_squares_ += static_cast<std::uint64_t>(std::popcount(occupied));
    }
    queries_of_node_ += queries;
  }

  /// Counts the node whose last part was seen.
  void close_node() {
    if (info_.nodes > 0) ++nodes_with_queries_[queries_of_node_];
    queries_of_node_ = 0;
  }

  void add_query(QueryCode query, Bitboard occupied) {
    same_occupancy_ += info_.queries > 0 && occupied == last_occupied_;
    last_occupied_ = occupied;
    ++info_.queries;
    ++info_.queries_by_kind[static_cast<std::size_t>(query_kind(query))];
    const std::uint64_t distance = recurrence_.add(query, occupied);
    recurrences_ += distance != 0;
    recurrences_short_ += distance != 0 && distance <= short_window;
  }

  /// The smallest number of queries that at least `percent` per cent of the nodes do not exceed.
  std::uint64_t quantile(std::uint64_t percent) const {
    std::uint64_t below = 0;
    for (const auto& [queries, nodes] : nodes_with_queries_) {
      below += nodes;
      if (below * 100 >= info_.nodes * percent) return queries;
    }
    return 0;
  }

  TraceInfo info_;
  std::map<std::uint64_t, std::uint64_t> nodes_with_queries_;
  std::uint64_t queries_of_node_ = 0;
  std::uint64_t stored_nodes_ = 0;
  std::uint64_t occupied_squares_ = 0;
  Bitboard last_occupied_ = 0;
  std::uint64_t same_occupancy_ = 0;
  std::uint64_t recurrences_short_ = 0;
  std::uint64_t recurrences_ = 0;
  RecurrenceFinder recurrence_;
};

json to_json(const std::optional<double>& value) { return value ? json(*value) : json(nullptr); }

template <std::size_t n>
json named_counts(const std::array<std::string_view, n>& names, const std::array<std::uint64_t, n>& counts) {
  json object = json::object();
  for (std::size_t i = 0; i < n; ++i) object[std::string(names[i])] = counts[i];
  return object;
}

std::string line(std::string_view label, const std::string& value) {
  std::string text(label);
  text.resize(std::max<std::size_t>(text.size() + 1, 28), ' ');
  return text + value + "\n";
}

std::string decimal(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string percent(const std::optional<double>& share) { return share ? decimal(100 * *share, 1) + " %" : "-"; }

/// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, 1, ',');
  return digits;
}

template <std::size_t n>
std::string grouped_counts(const std::array<std::string_view, n>& names, const std::array<std::uint64_t, n>& counts) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) text += ", ";
    text.append(names[i]).append(" ").append(grouped(counts[i]));
  }
  return text;
}

std::string queries_per_node(const TraceInfo& info) {
  return "mean " + decimal(info.mean_queries_per_node, 2) + ", median " + std::to_string(info.median_queries_per_node) +
         ", 99 % " + std::to_string(info.p99_queries_per_node) + ", max " + std::to_string(info.max_queries_per_node);
}

}  // namespace

TraceInfo describe(const Trace& trace) {
  Census census;
  for (const TraceBlock& block : trace.blocks()) census.add(block);
  TraceInfo info = census.info();
  info.trace_bytes = trace.bytes();
  info.digest = trace.digest_hex();
  info.provenance = trace.provenance();
  return info;
}

json to_json(const TraceInfo& info) {
  return {{"nodes", info.nodes},
          {"games", info.events[static_cast<std::size_t>(NodeEvent::root)]},
          {"nodes_by_event", named_counts(event_names, info.events)},
          {"evaluated_nodes", info.evaluated_nodes},
          {"probed_nodes", info.probed_nodes},
          {"queries", info.queries},
          {"queries_by_kind", named_counts(kind_names, info.queries_by_kind)},
          {"queries_per_node",
           {{"mean", info.mean_queries_per_node},
            {"median", info.median_queries_per_node},
            {"p99", info.p99_queries_per_node},
            {"max", info.max_queries_per_node}}},
          {"mean_occupied_squares", info.mean_occupied_squares},
          {"same_occupancy_share", to_json(info.same_occupancy_share)},
          {"recurrence_32_share", to_json(info.recurrence_32_share)},
          {"recurrence_1024_share", to_json(info.recurrence_1024_share)},
          {"replayed_bytes_per_query", to_json(info.replayed_bytes_per_query)},
          {"trace_bytes", info.trace_bytes},
          {"digest", info.digest},
          {"provenance", info.provenance}};
}

std::string to_text(const TraceInfo& info) {
  const auto bytes = info.replayed_bytes_per_query;
  return line("nodes", grouped(info.nodes)) +
         line("games", grouped(info.events[static_cast<std::size_t>(NodeEvent::root)])) +
         line("nodes by event", grouped_counts(event_names, info.events)) +
         line("evaluated nodes", grouped(info.evaluated_nodes)) + line("probed nodes", grouped(info.probed_nodes)) +
         line("queries", grouped(info.queries)) +
         line("queries by kind", grouped_counts(kind_names, info.queries_by_kind)) +
         line("queries a node", queries_per_node(info)) +
         line("occupied squares", "mean " + decimal(info.mean_occupied_squares, 2)) +
         line("same occupancy as before", percent(info.same_occupancy_share)) +
         line("recurs within 32", percent(info.recurrence_32_share)) +
         line("recurs within 1,024", percent(info.recurrence_1024_share)) +
         line("replayed bytes a query", bytes ? decimal(*bytes, 2) : "-") +
         line("trace bytes", grouped(info.trace_bytes)) + line("digest", info.digest) +
         line("provenance", info.provenance.dump(2, ' ', false, json::error_handler_t::replace));
}

}  // namespace slidebench
