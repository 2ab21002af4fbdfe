// SPDX-License-Identifier: MIT
#include "harness/answer/dose_text.hpp"

#include <cmath>

#include "harness/base/json_schema.hpp"
#include "harness/base/text_output.hpp"

namespace slidebench {
namespace {

using nlohmann::json;

constexpr const char* dose_schema = R"({
  "@estimate": {"value": "number", "low": "number|null", "high": "number|null"},
  "@point": {"amount": "whole", "ns_per_node": "@estimate"},
  "ns_per_node": "number", "queries_per_node": "number", "cycle_ns": "number",
  "kinds": [{"kind": "=cycles|=instructions|=lines", "points": ["@point"], "ns_per_node": "@estimate",
             "bend": "@estimate", "straight": "boolean"}]
})";

json estimate_json(const Estimate& e) {
  const auto finite = [](double value) { return std::isfinite(value) ? json(value) : json(); };
  return {{"value", e.value}, {"low", finite(e.low)}, {"high", finite(e.high)}};
}

Estimate estimate_of(const json& from) {
  const auto end = [&](const char* name, double otherwise) {
    return from.at(name).is_null() ? otherwise : from.at(name).get<double>();
  };
  return {from.at("value").get<double>(), end("low", -INFINITY), end("high", INFINITY)};
}

/// "0.52 [0.44, 0.60]".
std::string figure(const Estimate& e, int digits) {
  std::string text = decimals(e.value, digits);
  if (std::isfinite(e.low)) text += " [" + decimals(e.low, digits) + ", " + decimals(e.high, digits) + "]";
  return text;
}

Estimate scaled(const Estimate& e, double factor) { return {e.value * factor, e.low * factor, e.high * factor}; }

struct KindWords {
  const char* kind;
  const char* what;
  unsigned unit;  ///< so many of the amount are told together
};

constexpr KindWords kind_words[] = {
    {"cycles", "Latency: one dependent cycle more in each query", 1},
    {"instructions", "Instructions: eight more in each query, for which nothing waits", 8},
    {"lines", "Memory: one look-up more in a table of 841 KiB in each query", 1}};

const KindWords& words_of(const std::string& kind) {
  for (const KindWords& words : kind_words) {
    if (kind == words.kind) return words;
  }
  return kind_words[0];
}

std::string kind_text(const json& dose, const json& kind) {
  const KindWords& words = words_of(kind.at("kind").get<std::string>());
  const Estimate of_node = scaled(estimate_of(kind.at("ns_per_node")), words.unit);
  const double queries = dose.at("queries_per_node").get<double>(), cycle = dose.at("cycle_ns").get<double>();
  std::string text = std::string(words.what) + " costs " + figure(of_node, 2) + " ns a node, " +
                     decimals(of_node.value / queries, 3) + " ns a query";
  if (words.kind == std::string("cycles"))
    text += ": " + decimals(100 * of_node.value / queries / cycle, 0) + " % of the cycle arrives";
  if (of_node.low <= 0 && of_node.high >= 0) text += "; that is not told from nothing";
  if (!kind.at("straight").get<bool>()) {
    text += "; not straight:";
    for (const json& point : kind.at("points"))
      text += " " + std::to_string(point.at("amount").get<unsigned>()) + " cost " +
              decimals(estimate_of(point.at("ns_per_node")).value, 2);
  }
  return text + ".";
}

/// What so much of a kind costs: as it was measured where that amount was, else by the slope.
Estimate cost_of(const json& kind, unsigned amount) {
  for (const json& point : kind.at("points")) {
    if (point.at("amount").get<unsigned>() == amount) return estimate_of(point.at("ns_per_node"));
  }
  return scaled(estimate_of(kind.at("ns_per_node")), amount);
}

/// What one look-up more in each query would cost: a line's dose is its instructions and its misses, the cycles' that
/// its answer is waited for. The engine's own costs less where its table is in the caches already, and this one lies
/// beside it.
std::string further_text(const json& dose) {
  constexpr unsigned latency = 12;
  double sum = 0, squares = 0;
  for (const json& kind : dose.at("kinds")) {
    const std::string name = kind.at("kind").get<std::string>();
    if (name == "instructions") continue;
    const Estimate cost = cost_of(kind, name == "cycles" ? latency : 1);
    if (!has_interval(cost)) return "";
    sum += cost.value;
    squares += (cost.high - cost.value) * (cost.high - cost.value);
  }
  const double whole = dose.at("ns_per_node").get<double>(), half = std::sqrt(squares);
  const auto share = [whole](double ns) { return decimals(100 * ns / whole, 1); };
  return "A further look-up such as fancy magic's (some 12 dependent cycles, and a word of its table) in each query "
         "would cost " +
         share(sum) + " % of its time [" + share(sum - half) + ", " + share(sum + half) +
         "]. Its own may cost less: a dose's table comes on top of its tables.";
}

}  // namespace

json dose_json(const DoseResult& result, double queries_per_node, double cycle_ns) {
  json kinds = json::array();
  for (const DoseSlope& slope : result.slopes) {
    json points = json::array();
    for (const DosePoint& point : slope.points)
      points.push_back({{"amount", point.amount}, {"ns_per_node", estimate_json(point.ns_per_node)}});
    kinds.push_back({{"kind", slope.kind},
                     {"points", points},
                     {"ns_per_node", estimate_json(slope.ns_per_node)},
                     {"bend", estimate_json(slope.bend)},
                     {"straight", slope.is_straight()}});
  }
  return {{"ns_per_node", result.ns_per_node},
          {"queries_per_node", queries_per_node},
          {"cycle_ns", cycle_ns},
          {"kinds", kinds}};
}

std::string dose_text(const json& dose, std::size_t width) {
  check_json(dose, json::parse(dose_schema), "run.json has no whole dose");
  const double ns = dose.at("ns_per_node").get<double>(), queries = dose.at("queries_per_node").get<double>();
  std::string text = wrapped("A node takes this engine " + decimals(ns, 1) + " ns and has " + decimals(queries, 2) +
                                 " queries; a cycle is " + decimals(dose.at("cycle_ns").get<double>(), 3) + " ns.",
                             width, 2) +
                     "\n";
  for (const json& kind : dose.at("kinds")) text += wrapped(kind_text(dose, kind), width, 2) + "\n";
  const std::string further = further_text(dose);
  return further.empty() ? text : text + wrapped(further, width, 2) + "\n";
}

}  // namespace slidebench
