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

/// The methods asked for, the empty loop and the reference; with `controls`, of these methods who asks twice.
std::vector<Plugin> select_contenders(const MethodOptions& options, bool controls, std::vector<Skipped>& skipped);

/// A contender of a run with its module's placements, the linker's own first: paths, of which each process run draws
/// one.
struct PlacedModule {
  ContenderRole role = ContenderRole::method;
  std::vector<std::string> placements;
};

/// Those of the contenders in their order, and after them the reference's module once more as its twin; with `controls`
/// twice more, as the second twin and the positive control.
std::vector<PlacedModule> placed_modules(const std::vector<Plugin>& contenders, bool controls);

/// No method is timed before it has passed verification (with fewer random boards than `slidebench verify`), in a
/// process of its own. Throws CheckFailed with the counter-example, or with the name of a module that crashed.
void check_methods(const std::vector<Plugin>& contenders);

/// What makes contenders unlike each other beside their methods, a line each: the level, the number of placements,
/// compiler and flags. `modules` are theirs, in their order.
std::vector<std::string> unlike_contenders(const std::vector<Plugin>& contenders,
                                           const std::vector<PlacedModule>& modules);

/// SHA-256 of each module, by its file's name.
nlohmann::json module_digests(const std::vector<PlacedModule>& modules);

}  // namespace slidebench
