// SPDX-License-Identifier: MIT
//
// Verification for a module's engine. It is compiled apart from the module's queries, and a method that keeps a table
// of its own for each source file can be right there and wrong here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/plugin/abi.hpp"

namespace slidebench::engine {

struct EngineVerdict {
  std::uint64_t nodes = 0;  ///< leaves counted and nodes searched
  std::optional<std::string> counter_example;
};

/// Compares perft with published counts, and a search with that of the ray-walking engine of the host. Modules without
/// an engine pass.
EngineVerdict verify_engine(const EngineKernels& engine);

}  // namespace slidebench::engine
