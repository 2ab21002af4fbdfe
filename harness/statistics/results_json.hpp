// SPDX-License-Identifier: MIT
//
// What run.json has of the results of a run: written by the run, read by its answer.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/statistics/best.hpp"
#include "harness/statistics/checks.hpp"
#include "harness/statistics/correlation.hpp"

namespace slidebench {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Reliability, cell, methods, split_half)

/// An end that is not known or lies beyond all that was measured is infinite, and null in JSON.
void to_json(nlohmann::json& to, const Estimate& estimate);
void to_json(nlohmann::json& to, const RunChecks& checks);
void to_json(nlohmann::json& to, const RankCorrelation& correlation);
void to_json(nlohmann::json& to, const BestOfCell& best);

void from_json(const nlohmann::json& from, RunChecks& checks);
void from_json(const nlohmann::json& from, RankCorrelation& correlation);
void from_json(const nlohmann::json& from, BestOfCell& best);

}  // namespace slidebench
