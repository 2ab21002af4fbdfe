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
    {"lines", "Memory: one line more of a table of 800 KiB in each query", 1}};

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

/// What a look-up by fancy magic costs by these slopes, which is about the most that an answer for nothing could save.
std::string bound_text(const json& dose) {
  constexpr double latency = 11, instructions = 9, lines = 1;
  Estimate sum{0, 0, 0};
  double squares = 0;
  for (const json& kind : dose.at("kinds")) {
    const std::string name = kind.at("kind").get<std::string>();
    const double amount = name == "cycles" ? latency : name == "instructions" ? instructions : lines;
    const Estimate slope = scaled(estimate_of(kind.at("ns_per_node")), amount);
    if (!has_interval(slope)) return "";
    sum.value += slope.value;
    squares += (slope.high - slope.value) * (slope.high - slope.value);
  }
  const double whole = dose.at("ns_per_node").get<double>(), half = std::sqrt(squares);
  return "A look-up by fancy magic (some 11 dependent cycles, 9 instructions and a line) costs by these slopes " +
         decimals(100 * sum.value / whole, 1) + " % of its time [" + decimals(100 * (sum.value - half) / whole, 1) +
         ", " + decimals(100 * (sum.value + half) / whole, 1) + "]: an answer for nothing could bring about as much.";
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
  const std::string bound = bound_text(dose);
  return bound.empty() ? text : text + wrapped(bound, width, 2) + "\n";
}

}  // namespace slidebench
