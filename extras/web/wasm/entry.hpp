// SPDX-License-Identifier: MIT
//
// A method in the WebAssembly module: what a module of the native program has, less the engine.
#pragma once

#include <cstdint>
#include <span>

#include "harness/plugin/module.hpp"

namespace slidebench::wasm {

struct Entry {
  MethodInfo info;
  void (*initialise)();  ///< builds large tables; call once before the first query
  OccupancyQueries queries;
  std::uint64_t (*alone)(const TraceBlock&);                       ///< the sum of the answers
  std::uint64_t (*under)(const TraceBlock&, const PressureHook&);  ///< the same next to a pressure
};

template <AttackMethod M>
constexpr Entry entry_of() {
  return {
      M::info, &initialise<M>, ModuleOf<M>::queries,
      [](const TraceBlock& b) { return replay<M, Dependence::independent>(b); },
      [](const TraceBlock& b, const PressureHook& p) { return replay<M, Dependence::independent>(b, WithWork{p}); }};
}

/// Every method of the build, in the order of methods/CMakeLists.txt (generated: entries.cpp.in).
std::span<const Entry* const> entries();

}  // namespace slidebench::wasm
