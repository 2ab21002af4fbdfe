// SPDX-License-Identifier: MIT
//
// Turns a store into a module, as harness/plugin/module.hpp a method.
#pragma once

#include "extras/stores/replay_keep.hpp"
#include "harness/plugin/module.hpp"

namespace slidebench {

template <AttackStore S>
struct StoreModuleOf {
  using M = typename S::Method;
  using Line = StoreLine<S, line_depth>;

  static constexpr StoreModule module{
      .id = StoreModule::current_id,
      .queries = QueriesOfStore<S>::value,
      .moves = {[](const TraceBlock& b) { return replay_moves<Line>(b); },
                [](const TraceBlock& b, const PressureHook& p) { return replay_moves<Line>(b, WithPressure{p}); },
                [](const TraceBlock& b, const PressureHook& p) { return replay_moves<Line>(b, WithWork{p}); }},
      .keep = {[](const TraceBlock& b) { return replay_keep<S>(b); },
               [](const TraceBlock& b, const PressureHook& p) { return replay_keep<S>(b, WithPressure{p}); },
               [](const TraceBlock& b, const PressureHook& p) { return replay_keep<S>(b, WithWork{p}); }}};

  static constexpr const TableInfo* tables() {
    if constexpr (requires { S::tables; }) return S::tables.data();
    return ModuleOf<M>::tables();
  }
  static constexpr std::uint32_t table_count() {
    if constexpr (requires { S::tables; }) return static_cast<std::uint32_t>(S::tables.size());
    return ModuleOf<M>::table_count();
  }

  /// The method's, but for what is the store's. It has no kernels of queries and no engine: its method's module has.
  static constexpr PluginDescriptor descriptor(std::uint32_t level, Isa compiled_isa, const char* flags) {
    PluginDescriptor store =
        ModuleOf<M>::template descriptor<ModuleRole::timed>(level, compiled_isa, MethodGroup::extension, flags);
    store.info = S::info;
    store.tables = tables();
    store.table_count = table_count();
    store.replay = {};
    store.extension = &module;
    return store;
  }
};

}  // namespace slidebench

/// Exports a store.
#define SLIDEBENCH_STORE(...)                                                                                          \
  extern "C" __attribute__((visibility("default"))) constinit const ::slidebench::PluginDescriptor slidebench_plugin = \
      ::slidebench::StoreModuleOf<__VA_ARGS__>::descriptor(SLIDEBENCH_LEVEL, SLIDEBENCH_COMPILED_ISA,                  \
                                                           SLIDEBENCH_FLAGS)
