// SPDX-License-Identifier: MIT
//
// What this CPU can execute, and what a module needs.
#pragma once

#include <string>
#include <vector>

#include "methods/method.hpp"

namespace slidebench {

/// The features that this CPU has and the operating system has enabled.
/// The environment variable SLIDEBENCH_WITHOUT_ISA, a list such as "bmi2,avx2", takes features away: for tests, and for
/// trying what a lesser machine would do. Throws UserError if it names an unknown feature.
Isa host_isa();

/// Names of the features in the set, in a fixed order: {"bmi2", "avx2"}.
std::vector<std::string> isa_names(Isa features);

}  // namespace slidebench
