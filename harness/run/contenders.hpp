// SPDX-License-Identifier: MIT
//
// The contenders of a run: the methods asked for and those that every run has, checked, with their builds at other
// addresses.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/plugin/method_selection.hpp"

namespace slidebench {

/// The methods asked for, and the contenders that every run has: the empty loop, the reference, its twin and its
/// control.
std::vector<Plugin> select_contenders(const MethodOptions& options, std::vector<Skipped>& skipped);

/// A contender's builds at other addresses, the plain one first: paths.
using Placements = std::vector<std::string>;
Placements placements_of(const Plugin& contender);

/// No method is timed before it has passed verification (with fewer random boards than `slidebench verify`), in a
/// process of its own. Throws CheckFailed with the counter-example, or with the name of a module that crashed.
void check_methods(const std::vector<Plugin>& contenders);

/// What makes contenders unlike each other beside their methods, a line each: the level, the number of placements,
/// compiler and flags. `modules` are the builds of each contender.
std::vector<std::string> unlike_contenders(const std::vector<Plugin>& contenders,
                                           const std::vector<Placements>& modules);

/// SHA-256 of each module, by its file's name.
nlohmann::json module_digests(const std::vector<Placements>& modules);

}  // namespace slidebench
