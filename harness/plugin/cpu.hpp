// SPDX-License-Identifier: MIT
//
// What this CPU can execute, and what a module needs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "methods/method.hpp"

namespace slidebench {

/// The features that this CPU has and the operating system has enabled.
/// The environment variable SLIDEBENCH_WITHOUT_ISA, a list such as "bmi2,avx2", takes features away: for tests, and for
/// trying what a lesser machine would do. Throws UserError if it names an unknown feature.
Isa host_isa();

/// The features of a level of this architecture (harness/plugin/features.hpp) as far as slidebench knows them.
Isa isa_of_level(std::uint32_t number);

/// Its name: "v3", or "sve2".
std::string level_name(std::uint32_t number);

/// Names of the features in the set, in a fixed order: {"bmi2", "avx2"}.
std::vector<std::string> isa_names(Isa features);

}  // namespace slidebench
