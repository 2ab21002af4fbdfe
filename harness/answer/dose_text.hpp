// SPDX-License-Identifier: MIT
//
// What a dose found: of latency, instructions and lines of a table, what an engine pays for.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/base/terminal.hpp"
#include "harness/statistics/dose.hpp"

namespace slidebench {

/// As run.json has it, at "duel", "dose".
/// @param cycle_ns  how long a cycle is on this machine
nlohmann::json dose_json(const DoseResult& result, double queries_per_node, double cycle_ns);

/// The way back to words. Throws UserError if it is no such JSON. @param width  columns of a line
std::string dose_text(const nlohmann::json& dose, std::size_t width);

}  // namespace slidebench
