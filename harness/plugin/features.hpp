// SPDX-License-Identifier: MIT
//
// What the running machine can execute, and the levels of its architecture.
#pragma once

#include <span>

#include "methods/method.hpp"

namespace slidebench {

/// The features that this CPU has and the operating system has enabled.
Isa machine_isa();

/// A level that modules are built for.
struct IsaLevel {
  const char* name;  ///< as in SLIDEBENCH_LEVELS and in a module's file name
  Isa isa;           ///< all that its code may use, as far as slidebench knows it
};

/// The levels of this architecture, lowest first, as in levels.cmake: the first is number 1 in a module's descriptor.
std::span<const IsaLevel> isa_levels();

}  // namespace slidebench
