// SPDX-License-Identifier: MIT
#include "harness/statistics/results_json.hpp"

#include <cmath>

#include "harness/base/json_optional.hpp"

namespace slidebench {

using nlohmann::json;

namespace {

Estimate estimate_in(const json& from, const char* value) {
  const auto or_end = [&from](const char* key, double end) {
    const json& number = from.value(key, json());
    return number.is_null() ? end : number.get<double>();
  };
  return {or_end(value, INFINITY), or_end("low", -INFINITY), or_end("high", INFINITY)};
}

CheckResult result_in(const json& from) { return parse_check_result(from.at("result").get<std::string>()).value(); }

}  // namespace

void to_json(json& to, const Estimate& e) { to = {{"value", e.value}, {"low", e.low}, {"high", e.high}}; }

void to_json(json& to, const RunChecks& checks) {
  to = {{"valid", checks.valid()}, {"twin", json::array()}, {"control", json::array()}};
  for (const TwinCheck& twin : checks.twins) {
    to["twin"].push_back({{"cell", twin.cell},
                          {"ratio", twin.ratio.value},
                          {"low", twin.ratio.low},
                          {"high", twin.ratio.high},
                          {"margin", twin.margin},
                          {"result", to_string(twin.result)}});
  }
  for (const ControlCheck& control : checks.controls) {
    to["control"].push_back({{"cell", control.cell},
                             {"expected_ratio", control.expected},
                             {"tolerance_ratio", control_tolerance},
                             {"measured_ratio", control.ratio.value},
                             {"low", control.ratio.low},
                             {"high", control.ratio.high},
                             {"result", to_string(control.result)}});
  }
}

void from_json(const json& from, RunChecks& checks) {
  for (const json& twin : from.at("twin"))
    checks.twins.push_back({twin.at("cell"), estimate_in(twin, "ratio"), twin.at("margin"), result_in(twin)});
  for (const json& control : from.at("control")) {
    if (!control.contains("measured_ratio")) continue;  // an earlier version's, told in cycles
    checks.controls.push_back(
        {control.at("cell"), control.at("expected_ratio"), estimate_in(control, "measured_ratio"), result_in(control)});
  }
}

void to_json(json& to, const RankCorrelation& c) {
  to = {{"a", c.a},
        {"b", c.b},
        {"methods", c.methods},
        {"spearman", c.spearman.value},
        {"low", c.spearman.low},
        {"high", c.spearman.high},
        {"bound", c.bound}};
}

void from_json(const json& from, RankCorrelation& c) {
  c = {from.at("a"), from.at("b"), from.at("methods"), estimate_in(from, "spearman"),
       from.at("bound").get<std::optional<double>>()};
}

void to_json(json& to, const BestOfCell& best) {
  to = {{"cell", best.cell},
        {"limit_bytes", best.limit_bytes},
        {"compared", best.compared},
        {"contenders", best.contenders},
        {"sure", best.contenders.size() == 1},
        {"lead", best.lead}};
}

void from_json(const json& from, BestOfCell& best) {
  best = {from.at("cell"), from.at("limit_bytes").get<std::optional<std::size_t>>(), from.at("compared"),
          from.at("contenders"), std::nullopt};
}

}  // namespace slidebench
