// SPDX-License-Identifier: MIT
//
// What the running machine can execute, and the levels of its architecture.
#pragma once

#include <cstdint>
#include <span>

#include "methods/method.hpp"

namespace slidebench {

/// The features that this CPU has and the operating system has enabled.
Isa machine_isa();

/// A level that modules are built for: what its number in a module's descriptor stands for.
struct IsaLevel {
  std::uint32_t number;
  const char* name;  ///< as in SLIDEBENCH_LEVELS and in a module's file name
  Isa isa;           ///< all that its code may use, as far as slidebench knows it
};

/// The levels of this architecture, lowest first, as in levels.cmake.
std::span<const IsaLevel> isa_levels();

}  // namespace slidebench
