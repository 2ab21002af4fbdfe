// SPDX-License-Identifier: MIT
#include "harness/simulator/trace_info.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <optional>
#include <string_view>

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
    for (std::size_t i = 0; i < recurrence_windows.size(); ++i) {
      info_.recurrence_shares[i] = ratio(recurrences_[i], info_.queries);
    }
    for (std::size_t i = 0; i < TableLines::windows.size(); ++i) {
      info_.fancy_lines[i] = table_lines_.mean(TableLines::fancy, i);
      info_.plain_lines[i] = table_lines_.mean(TableLines::plain, i);
    }
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
    table_lines_.add(query, occupied);
    const std::uint64_t distance = recurrence_.add(query, occupied);
    if (distance == 0) return;
    for (std::size_t i = 0; i < recurrence_windows.size(); ++i) recurrences_[i] += distance <= recurrence_windows[i];
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
  std::array<std::uint64_t, recurrence_windows.size()> recurrences_{};
  RecurrenceFinder recurrence_;
  TableLines table_lines_;
};

json to_json(const std::optional<double>& value) { return value ? json(*value) : json(nullptr); }

template <std::size_t n>
json named_counts(const std::array<std::string_view, n>& names, const std::array<std::uint64_t, n>& counts) {
  json object = json::object();
  for (std::size_t i = 0; i < n; ++i) object[std::string(names[i])] = counts[i];
  return object;
}

/// A text with blanks behind it: at least one.
std::string padded(std::string_view label, std::size_t width) {
  std::string text(label);
  text.resize(std::max(text.size() + 1, width), ' ');
  return text;
}

std::string line(std::string_view label, const std::string& value) { return padded(label, 28) + value + "\n"; }

std::string decimal(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

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

std::string to_text(const Quantiles& q) {
  return "mean " + decimal(q.mean, 2) + ", median " + std::to_string(q.median) + ", 90 % " + std::to_string(q.p90) +
         ", 99 % " + std::to_string(q.p99) + ", max " + std::to_string(q.max);
}

/// A number in an object of the provenance, which may be anybody's.
std::optional<double> number_at(const json& object, const std::string& pointer) {
  const json::json_pointer at(pointer);
  if (!object.is_object() || !object.contains(at) || !object.at(at).is_number()) return std::nullopt;
  return object.at(at).get<double>();
}

std::optional<double> quotient(std::optional<double> part, std::optional<double> whole) {
  if (!part || !whole || *whole == 0) return std::nullopt;
  return *part / *whole;
}

/// Calls a searched position, and how many of the positions are evaluated.
void compare_positions(const TraceInfo& info, std::vector<ComparedFigure>& figures) {
  using Range = std::pair<double, double>;
  const std::string calls = "/search/calls_per_visit/";
  const Quantiles& own = info.queries_per_node;
  const bool search = number_at(info.provenance, calls + "mean").has_value();
  const auto add = [&](const char* name, const char* member, double of_nodes, std::optional<Range> engine) {
    const std::optional<double> value = search ? number_at(info.provenance, calls + member) : of_nodes;
    figures.push_back({std::string("calls per position, ") + name, false, value, engine});
  };
  add("mean", "mean", own.mean, Range{8.3, 8.3});
  add("median", "median", static_cast<double>(own.median), Range{6, 7});
  add("90 %", "p90", static_cast<double>(own.p90), std::nullopt);
  add("99 %", "p99", static_cast<double>(own.p99), Range{26, 32});
  add("most", "max", static_cast<double>(own.max), std::nullopt);
  const std::optional<double> evaluated =
      search ? quotient(number_at(info.provenance, "/search/evaluations"), number_at(info.provenance, "/search/visits"))
             : ratio(info.evaluated_nodes, info.nodes);
  figures.push_back({"evaluations per position", true, evaluated, Range{0.5, 0.5}});
  std::optional<double> between;
  if (info.queries_between_evaluations) between = info.queries_between_evaluations->mean;
  figures.push_back({"calls between evaluations", false, between, Range{17, 21}});
}

/// The kinds, and who asks.
void compare_mix(const TraceInfo& info, std::vector<ComparedFigure>& figures) {
  for (std::size_t i = query_kinds; i-- > 0;) {
    std::optional<std::pair<double, double>> engine;
    if (i == static_cast<std::size_t>(QueryKind::both)) engine = {2.0 / 3, 2.0 / 3};
    figures.push_back(
        {"asks for " + std::string(kind_names[i]), true, ratio(info.queries_by_kind[i], info.queries), engine});
  }
  const json::json_pointer at("/search/callers");
  if (!info.provenance.is_object() || !info.provenance.contains(at) || !info.provenance.at(at).is_object()) return;
  for (const auto& [caller, calls] : info.provenance.at(at).items()) {
    if (!calls.is_number()) continue;
    std::optional<std::pair<double, double>> engine;
    if (caller == "piece_moves") engine = {0, 0.25};
    figures.push_back(
        {"asked by " + caller, true, quotient(calls.get<double>(), static_cast<double>(info.queries)), engine});
  }
}

void compare_locality(const TraceInfo& info, std::vector<ComparedFigure>& figures) {
  using Range = std::pair<double, double>;
  figures.push_back({"same occupancy as before", true, info.same_occupancy_share, Range{0.57, 0.68}});
  for (std::size_t i = 0; i < recurrence_windows.size(); ++i) {
    std::optional<Range> engine;
    if (recurrence_windows[i] == 32) engine = {0.5, 0.5};
    if (recurrence_windows[i] == 1024) engine = {0.87, 0.87};
    figures.push_back({"recurs within " + grouped(recurrence_windows[i]), true, info.recurrence_shares[i], engine});
  }
  constexpr std::array<Range, TableLines::windows.size()> fancy{{{219, 251}, {692, 710}, {1930, 2076}}};
  constexpr std::array<Range, TableLines::windows.size()> plain{{{229, 266}, {814, 863}, {2691, 2754}}};
  for (std::size_t i = 0; i < TableLines::windows.size(); ++i) {
    const std::string calls = " lines in " + grouped(TableLines::windows[i]) + " calls";
    figures.push_back({"fancy magic," + calls, false, info.fancy_lines[i], fancy[i]});
    figures.push_back({"plain magic," + calls, false, info.plain_lines[i], plain[i]});
  }
}

/// A figure for people: "-" if it is absent.
std::string shown(const ComparedFigure& figure, std::optional<double> value) {
  if (!value) return "-";
  if (figure.is_share) return decimal(100 * *value, 1) + " %";
  return decimal(*value, *value < 100 && *value != static_cast<double>(static_cast<std::uint64_t>(*value)) ? 2 : 0);
}

std::string shown_range(const ComparedFigure& figure) {
  if (!figure.engine) return "-";
  const auto& [low, high] = *figure.engine;
  return low == high ? shown(figure, low) : shown(figure, low) + " to " + shown(figure, high);
}

std::string comparison_text(const TraceInfo& info) {
  std::string text("\n");  // a literal in front of the sum makes GCC 12 warn at -O3
  text += padded("compared", 36) + padded("this trace", 14) + "strong engine\n";
  for (const ComparedFigure& figure : compare_with_engine(info)) {
    text += padded(figure.name, 36) + padded(shown(figure, figure.trace), 14) + shown_range(figure) + "\n";
  }
  return text;
}

/// How far a figure lies outside the engine's range, as a factor; 1 inside it, and where there is nothing to compare.
double distance(const ComparedFigure& figure) {
  if (!figure.trace || !figure.engine || *figure.trace <= 0) return 1;
  const auto& [low, high] = *figure.engine;
  if (*figure.trace < low) return low / *figure.trace;
  return high > 0 && *figure.trace > high ? *figure.trace / high : 1;
}

/// Who made the trace, on one line.
std::string recipe_line(const json& provenance) {
  const auto text = [&provenance](const char* key) {
    return provenance.is_object() && provenance.contains(key) && provenance.at(key).is_string()
               ? provenance.at(key).get<std::string>()
               : std::string();
  };
  const std::string recipe = text("recipe"), kind = text("kind");
  if (recipe.empty() && kind.empty()) return line("made by", "not recorded (see --format json)");
  return line("made by", recipe.empty() ? kind : recipe);
}

json comparison_json(const TraceInfo& info) {
  json list = json::array();
  for (const ComparedFigure& figure : compare_with_engine(info)) {
    json engine = nullptr;
    if (figure.engine) engine = json::array({figure.engine->first, figure.engine->second});
    list.push_back({{"figure", figure.name}, {"trace", to_json(figure.trace)}, {"strong_engine", engine}});
  }
  return list;
}

template <std::size_t n>
json by_window(const std::array<std::uint64_t, n>& windows, const std::array<std::optional<double>, n>& values) {
  json object = json::object();
  for (std::size_t i = 0; i < n; ++i) object[std::to_string(windows[i])] = to_json(values[i]);
  return object;
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

std::string conclusion(const std::vector<ComparedFigure>& figures) {
  constexpr double alike = 1.15;
  constexpr std::size_t most = 3;
  std::vector<ComparedFigure> others;
  std::copy_if(figures.begin(), figures.end(), std::back_inserter(others),
               [](const ComparedFigure& figure) { return distance(figure) > alike; });
  if (others.empty()) return "Like the engines compared: every figure lies within 15 % of theirs.";
  std::stable_sort(others.begin(), others.end(),
                   [](const ComparedFigure& a, const ComparedFigure& b) { return distance(a) > distance(b); });
  std::string text =
      others.size() > figures.size() / 2 ? "Unlike the engines compared: " : "Like the engines compared, but: ";
  for (std::size_t i = 0; i < std::min(most, others.size()); ++i) {
    text += (i == 0 ? "" : "; ") + others[i].name + " " + shown(others[i], others[i].trace) + ", theirs " +
            shown_range(others[i]);
  }
  return others.size() > most ? text + "; and " + std::to_string(others.size() - most) + " more." : text + ".";
}

std::vector<ComparedFigure> compare_with_engine(const TraceInfo& info) {
  std::vector<ComparedFigure> figures;
  compare_positions(info, figures);
  compare_mix(info, figures);
  compare_locality(info, figures);
  return figures;
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
          {"queries_between_evaluations",
           info.queries_between_evaluations ? json(*info.queries_between_evaluations) : json(nullptr)},
          {"mean_occupied_squares", info.mean_occupied_squares},
          {"same_occupancy_share", to_json(info.same_occupancy_share)},
          {"recurrence_shares", by_window(recurrence_windows, info.recurrence_shares)},
          {"table_lines",
           {{"magic_fancy", by_window(TableLines::windows, info.fancy_lines)},
            {"magic_plain", by_window(TableLines::windows, info.plain_lines)}}},
          {"compared", comparison_json(info)},
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
         line("queries per node", to_text(info.queries_per_node)) +
         line("between evaluations",
              info.queries_between_evaluations ? to_text(*info.queries_between_evaluations) : "-") +
         line("occupied squares", "mean " + decimal(info.mean_occupied_squares, 2)) +
         line("replayed bytes per query", bytes ? decimal(*bytes, 2) : "-") +
         line("trace bytes", grouped(info.trace_bytes)) + line("digest", info.digest) + recipe_line(info.provenance) +
         comparison_text(info) + "\n" + conclusion(compare_with_engine(info)) + "\n";
}

}  // namespace slidebench
