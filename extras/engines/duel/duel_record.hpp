// SPDX-License-Identifier: MIT
//
// What the record of a duel says that no run's does.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "extras/engines/duel/duel_process_run.hpp"
#include "extras/engines/duel/duel_session.hpp"
#include "extras/engines/duel/tree_comparison.hpp"
#include "harness/run/settings.hpp"

namespace slidebench {

/// Whether any engine has several builds, of which process runs draw.
bool draws_builds(const DuelSettings& settings);

RunSettings settings_as_of_a_run(const DuelSettings& settings);

/// What run.json says of the duel.
nlohmann::json duel_json(const DuelSettings& settings, const std::vector<duel::TreeComparison>& trees);

/// What engines did in their own turns and in those of others that a reader of times has to know.
std::vector<std::string> turn_notes(duel::DuelNotes seen);

/// Engines that did not search the same tree as the first one, or not the same every time.
std::vector<std::string> tree_notes(const std::vector<duel::TreeComparison>& trees, const std::string& reference);

}  // namespace slidebench
