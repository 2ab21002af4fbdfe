// SPDX-License-Identifier: MIT
//
// The arms of a run: the methods asked for and those that every run has, checked, with their builds at other addresses.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/cli/method_selection.hpp"

namespace slidebench {

/// The methods asked for, and the arms that every run has: the empty loop, the reference, its twin and its control.
std::vector<Plugin> select_arms(const MethodOptions& options, std::vector<Skipped>& skipped);

/// An arm's builds at other addresses, the plain one first: paths.
using Layouts = std::vector<std::string>;
Layouts layouts_of(const Plugin& arm);

/// No method is timed before it has passed verification (with fewer random boards than `slidebench verify`), in a
/// process of its own. Throws CheckFailed with the counter-example, or with the name of a module that crashed.
void check_methods(const std::vector<Plugin>& arms);

/// What makes arms unlike each other beside their methods, a line each: the level, the number of layouts, compiler and
/// flags. `modules` are the builds of each arm.
std::vector<std::string> unlike_arms(const std::vector<Plugin>& arms, const std::vector<Layouts>& modules);

/// SHA-256 of each module, by its file's name.
nlohmann::json module_digests(const std::vector<Layouts>& modules);

}  // namespace slidebench
