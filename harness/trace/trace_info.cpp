// SPDX-License-Identifier: MIT
#include "harness/trace/trace_info.hpp"

#include <fmt/core.h>

#include <bit>
#include <optional>
#include <string_view>

#include "harness/base/json_optional.hpp"
#include "harness/base/text_output.hpp"

namespace slidebench {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 4> event_names{"root", "make", "unmake", "null_move"};
constexpr std::array<std::string_view, query_kinds> kind_names{"bishop", "rook", "queen", "both"};

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
    info_.mean_occupied_squares = ratio(occupied_squares_, info_.nodes).value_or(0);
    info_.queries_per_node = quantiles_of(per_node_);
    if (between_evaluations_.size() > 0) info_.queries_between_evaluations = quantiles_of(between_evaluations_);
    info_.same_occupancy_share = ratio(same_occupancy_, info_.queries == 0 ? 0 : info_.queries - 1);
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
      if ((tag & evaluated_flag) != 0) note_evaluation();
      info_.probed_nodes += (tag & probed_flag) != 0;
      occupied_squares_ += static_cast<std::uint64_t>(std::popcount(occupied));
    }
    queries_of_node_ += queries;
    queries_since_evaluation_ += queries;
  }

  void note_evaluation() {
    if (info_.evaluated_nodes > 0) between_evaluations_.add(queries_since_evaluation_);
    queries_since_evaluation_ = 0;
    ++info_.evaluated_nodes;
  }

  /// Counts the node whose last part was seen.
  void close_node() {
    if (info_.nodes > 0) per_node_.add(queries_of_node_);
    queries_of_node_ = 0;
  }

  void add_query(QueryCode query, Bitboard occupied) {
    same_occupancy_ += info_.queries > 0 && occupied == last_occupied_;
    last_occupied_ = occupied;
    ++info_.queries;
    ++info_.queries_by_kind[static_cast<std::size_t>(query_kind(query))];
  }

  TraceInfo info_;
  Distribution per_node_;
  Distribution between_evaluations_;
  std::uint64_t queries_of_node_ = 0;
  std::uint64_t queries_since_evaluation_ = 0;
  std::uint64_t stored_nodes_ = 0;
  std::uint64_t occupied_squares_ = 0;
  Bitboard last_occupied_ = 0;
  std::uint64_t same_occupancy_ = 0;
};

template <std::size_t n>
json named_counts(const std::array<std::string_view, n>& names, const std::array<std::uint64_t, n>& counts) {
  json object = json::object();
  for (std::size_t i = 0; i < n; ++i) object[std::string(names[i])] = counts[i];
  return object;
}

std::string line(std::string_view label, const std::string& value) {
  return padded(std::string(label), 28) + value + "\n";
}

template <std::size_t n>
std::string grouped_counts(const std::array<std::string_view, n>& names, const std::array<std::uint64_t, n>& counts) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i)
    text += fmt::format("{}{} {}", i > 0 ? ", " : "", names[i], with_commas(counts[i]));
  return text;
}

std::string to_text(const Quantiles& q) {
  return fmt::format("mean {:.2f}, median {}, 90 % {}, 99 % {}, max {}", q.mean, q.median, q.p90, q.p99, q.max);
}

/// Who made the trace, on one line.
std::string recipe_line(const json& provenance) {
  const std::string kind = provenance.value("kind", "not recorded (see --format json)");
  return line("made by", provenance.value("recipe", kind));
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
          {"queries_per_node", info.queries_per_node},
          {"queries_between_evaluations", info.queries_between_evaluations},
          {"mean_occupied_squares", info.mean_occupied_squares},
          {"same_occupancy_share", info.same_occupancy_share},
          {"replayed_bytes_per_query", info.replayed_bytes_per_query},
          {"trace_bytes", info.trace_bytes},
          {"digest", info.digest},
          {"provenance", info.provenance}};
}

std::string to_text(const TraceInfo& info) {
  const auto bytes = info.replayed_bytes_per_query;
  return line("nodes", with_commas(info.nodes)) +
         line("games or searches", with_commas(info.events[static_cast<std::size_t>(NodeEvent::root)])) +
         line("nodes by event", grouped_counts(event_names, info.events)) +
         line("evaluated nodes", with_commas(info.evaluated_nodes)) +
         line("probed nodes", with_commas(info.probed_nodes)) + line("queries", with_commas(info.queries)) +
         line("queries by kind", grouped_counts(kind_names, info.queries_by_kind)) +
         line("queries per node", to_text(info.queries_per_node)) +
         line("between evaluations",
              info.queries_between_evaluations ? to_text(*info.queries_between_evaluations) : "-") +
         line("same occupancy as before",
              info.same_occupancy_share ? decimals(100 * *info.same_occupancy_share, 1) + " %" : "-") +
         line("occupied squares", "mean " + decimals(info.mean_occupied_squares, 2)) +
         line("replayed bytes per query", bytes ? decimals(*bytes, 2) : "-") +
         line("trace bytes", with_commas(info.trace_bytes)) + line("digest", info.digest) +
         recipe_line(info.provenance);
}

}  // namespace slidebench
