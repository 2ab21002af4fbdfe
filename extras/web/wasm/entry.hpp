// SPDX-License-Identifier: MIT
//
// A method in the WebAssembly module: what a module of the native program has, less engine and stores.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "harness/plugin/module.hpp"

namespace slidebench::wasm {

struct Entry {
  MethodInfo info;
  std::uint32_t table_bytes;  ///< of all its tables, without padding
  void (*initialise)();       ///< builds large tables; call once before the first query
  OccupancyQueries queries;
  ReplayKernels replay;
};

/// The kernels that are asked for here: beside a network only single queries.
template <AttackMethod M>
constexpr ReplayKernels kernels_of() {
  ReplayKernels kernels{};
  kernels.throughput = {
      [](const TraceBlock& b) { return replay<M, Dependence::independent>(b); }, nullptr,
      [](const TraceBlock& b, const PressureHook& p) { return replay<M, Dependence::independent>(b, WithWork{p}); }};
  kernels.latency.alone = [](const TraceBlock& b) { return replay<M, Dependence::chained>(b); };
  kernels.setwise.alone = [](const TraceBlock& b) { return replay_sets<M>(b); };
  kernels.batch.alone = [](const TraceBlock& b) { return replay_batches<M>(b); };
  return kernels;
}

template <AttackMethod M>
constexpr Entry entry_of() {
  std::uint32_t bytes = 0;
  for (const TableInfo& table : M::tables) bytes += static_cast<std::uint32_t>(table.bytes);
  return {M::info, bytes, &initialise<M>, ModuleOf<M>::queries, kernels_of<M>()};
}

/// Every method of the build, in the order of methods/CMakeLists.txt (generated: entries.cpp.in).
std::span<const Entry* const> entries();

}  // namespace slidebench::wasm
