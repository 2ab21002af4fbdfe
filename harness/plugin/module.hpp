// SPDX-License-Identifier: MIT
//
// Turns one method or store into a module: SLIDEBENCH_MODULE defines the symbol that the module exports.
// The build passes SLIDEBENCH_LEVEL, SLIDEBENCH_COMPILED_ISA, SLIDEBENCH_ROLE, SLIDEBENCH_GROUP and
// SLIDEBENCH_FLAGS (add_method.cmake).
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <new>
#include <tuple>
#include <type_traits>

#include "harness/chess/ask_anew.hpp"
#include "harness/plugin/abi.hpp"
#include "harness/plugin/replay.hpp"
#include "methods/method.hpp"

#ifdef SLIDEBENCH_TRACED
#include "harness/plugin/access_recorder.hpp"
#endif

namespace slidebench {

namespace engine {
/// The module's engine. In a source file of its own (engine.cpp.in), so that its size does not change how the compiler
/// inlines the replay kernels.
SearchResult module_search(const SearchRequest& request);
std::uint64_t module_perft(const PositionState& position, unsigned depth);
}  // namespace engine

/// Traced modules are never timed, so that they need no kernels under pressure.
constexpr WorkloadKernels all_kernels(ReplayKernel alone, [[maybe_unused]] auto with_pressure,
                                      [[maybe_unused]] auto with_work) {
#ifdef SLIDEBENCH_TRACED
  return {alone, nullptr, nullptr};
#else
  return {alone, with_pressure, with_work};
#endif
}

/// The module's store. In a source file of its own too (stores.cpp.in), where the build has it.
struct ModuleStore {
  static const StoreQueries queries;
  static std::uint64_t moves(const TraceBlock& block);
  static std::uint64_t threats(const TraceBlock& block);
  static std::uint64_t keep(const TraceBlock& block);
#ifndef SLIDEBENCH_TRACED
  static std::uint64_t moves_under(const TraceBlock& block, const PressureHook& pressure);
  static std::uint64_t threats_under(const TraceBlock& block, const PressureHook& pressure);
  static std::uint64_t keep_under(const TraceBlock& block, const PressureHook& pressure);
  static std::uint64_t moves_beside(const TraceBlock& block, const PressureHook& work);
  static std::uint64_t threats_beside(const TraceBlock& block, const PressureHook& work);
  static std::uint64_t keep_beside(const TraceBlock& block, const PressureHook& work);
#else
  alignas(64) static std::byte place[];  ///< what is to be listened to stands here
  static constexpr PressureKernel moves_under = nullptr, threats_under = nullptr, keep_under = nullptr;
  static constexpr PressureKernel moves_beside = nullptr, threats_beside = nullptr, keep_beside = nullptr;
#endif
};

/// How many tables of its method a store lists besides its own: all, unless they are its own.
template <AttackMethod M, AttackStore S>
constexpr std::size_t asked_tables() {
  if constexpr (requires { M::tables; }) {
    const bool same =
        !M::tables.empty() && !S::tables.empty() && M::tables.front().address == S::tables.front().address;
    return same ? 0 : M::tables.size();
  }
  return 0;
}

/// A store's tables, those of its method, and in traced modules what it keeps.
template <AttackMethod M, AttackStore S>
inline constexpr auto store_tables = [] {
#ifdef SLIDEBENCH_TRACED
  constexpr std::size_t kept = 1;
#else
  constexpr std::size_t kept = 0;
#endif
  constexpr std::size_t own = S::tables.size(), asked = asked_tables<M, S>();
  std::array<TableInfo, own + asked + kept> list{};
  for (std::size_t i = 0; i < own; ++i) list[i] = S::tables[i];
  if constexpr (asked != 0) {
    for (std::size_t i = 0; i < asked; ++i) list[own + i] = M::tables[i];
  }
#ifdef SLIDEBENCH_TRACED
  list.back() = {"state", ModuleStore::place, sizeof(StoreLine<S, store_depth>)};
#endif
  return list;
}();

/// The module of a method, or of a store S with the method that it asks.
template <AttackMethod M, AttackStore S = AskAnew<M>>
struct ModuleOf {
  static constexpr bool is_method = std::same_as<S, AskAnew<M>>;
  using Described = std::conditional_t<is_method, M, S>;
  using Board = BoardOf<M>;

  static constexpr OccupancyQueries queries{
      .bishop = [](Square s, Bitboard o) { return M::bishop(s, Board(o)); },
      .rook = [](Square s, Bitboard o) { return M::rook(s, Board(o)); },
      .queen = [](Square s, Bitboard o) { return queen_attacks<M>(s, Board(o)); },
      .both = [](Square s, Bitboard o) { return both_attacks<M>(s, Board(o)); },
      .set_attacks = [](Bitboard diagonal, Bitboard orthogonal,
                        Bitboard o) { return set_attacks<M>(diagonal, orthogonal, Board(o)); },
      .batch = [](const SliderBatch& sliders, Bitboard o,
                  Bitboard* attacks) { batch_attacks<M>(sliders, Board(o), attacks); },
      .own_batch = HasBatch<M>};

  static constexpr BoardQueries board{
      .bytes = sizeof(Board),
      .has_state = HasBoard<M>,
      .build = [](void* storage, Bitboard o) { new (storage) Board(o); },
      .toggle = [](void* storage, Bitboard changed) { static_cast<Board*>(storage)->toggle(changed); },
      .both = [](const void* storage, Square s) { return both_attacks<M>(s, *static_cast<const Board*>(storage)); }};

  /// Null if the method does not say what tables it has; not null if it says that it has none.
  static constexpr const TableInfo* tables() {
    if constexpr (!is_method) return store_tables<M, S>.data();
    if constexpr (requires { Described::tables; }) {
      return Described::tables.empty() ? &no_table : Described::tables.data();
    }
    return nullptr;
  }
  static constexpr TableInfo no_table{};
  static constexpr std::uint32_t table_count() {
    if constexpr (!is_method) return static_cast<std::uint32_t>(store_tables<M, S>.size());
    if constexpr (requires { Described::tables; }) return static_cast<std::uint32_t>(Described::tables.size());
    return 0;
  }

  static constexpr const StoreQueries* store() {
#ifdef SLIDEBENCH_WITHOUT_STORE
    static_assert(!HasBoard<M>, "a method that keeps a board is measured on moves: say BOARD in its add_method()");
    return nullptr;
#else
    return &ModuleStore::queries;
#endif
  }

  /// Modules that are not measured inside the engine come without one, and those that the build left it out of.
  static constexpr EngineKernels engine_kernels() {
#ifdef SLIDEBENCH_HAS_ENGINE
    return {.search = &engine::module_search, .perft = &engine::module_perft};
#else
    return {.search = nullptr, .perft = nullptr};
#endif
  }

  static constexpr auto access_tracer() {
#ifdef SLIDEBENCH_TRACED
    return +[](AccessSink sink, void* context) { AccessRecorder::send_to(tables(), table_count(), sink, context); };
#else
    return static_cast<void (*)(AccessSink, void*)>(nullptr);
#endif
  }

  template <Dependence dependence>
  static constexpr WorkloadKernels queries_with =
      all_kernels([](const TraceBlock& b) { return replay<M, dependence>(b); },
                  [](const TraceBlock& b, const PressureHook& p) { return replay<M, dependence>(b, WithPressure{p}); },
                  [](const TraceBlock& b, const PressureHook& p) { return replay<M, dependence>(b, WithWork{p}); });
  static constexpr WorkloadKernels sets = all_kernels(
      [](const TraceBlock& b) { return replay_sets<M>(b); },
      [](const TraceBlock& b, const PressureHook& p) { return replay_sets<M>(b, WithPressure{p}); }, nullptr);
  static constexpr WorkloadKernels batches = all_kernels(
      [](const TraceBlock& b) { return replay_batches<M>(b); },
      [](const TraceBlock& b, const PressureHook& p) { return replay_batches<M>(b, WithPressure{p}); }, nullptr);
  /// A store's module has no kernels of queries: its method's module has them.
  static constexpr ReplayKernels replay_kernels() {
    ReplayKernels kernels{};
    if constexpr (is_method) {
      kernels.throughput = queries_with<Dependence::independent>;
      kernels.latency = queries_with<Dependence::chained>;
      kernels.setwise = sets;
      kernels.batch = batches;
    }
#ifndef SLIDEBENCH_WITHOUT_STORE
    kernels.update = {&ModuleStore::moves, ModuleStore::moves_under, ModuleStore::moves_beside};
    kernels.threats = {&ModuleStore::threats, ModuleStore::threats_under, ModuleStore::threats_beside};
    kernels.keep = {&ModuleStore::keep, ModuleStore::keep_under, ModuleStore::keep_beside};
#endif
    return kernels;
  }

  template <ModuleRole role>
  static constexpr PluginDescriptor descriptor(std::uint32_t level, Isa compiled_isa, MethodGroup group,
                                               const char* flags) {
    return {.magic = plugin_magic,
            .abi_version = plugin_abi_version,
            .descriptor_bytes = sizeof(PluginDescriptor),
            .info = Described::info,
            .level = level,
            .compiled_isa = compiled_isa,
            .role = role,
            .group = group,
            .tables = tables(),
            .table_count = table_count(),
            .initialise = &initialise<M>,
            .queries = queries,
            .board = board,
            .store = store(),
            .replay = replay_kernels(),
            .engine = engine_kernels(),
            .trace_accesses = access_tracer(),
#ifdef __clang__
            .compiler = "Clang " __clang_version__,
#else
            .compiler = "GCC " __VERSION__,
#endif
            .flags = flags};
  }
};

}  // namespace slidebench

/// Exports a method, or a method and the store that asks it. Use it once, in a module's first source file.
#define SLIDEBENCH_MODULE(...)                                                                                         \
  extern "C" __attribute__((visibility("default"))) constinit const ::slidebench::PluginDescriptor slidebench_plugin = \
      ::slidebench::ModuleOf<__VA_ARGS__>::descriptor<::slidebench::SLIDEBENCH_ROLE>(                                  \
          SLIDEBENCH_LEVEL, SLIDEBENCH_COMPILED_ISA, ::slidebench::SLIDEBENCH_GROUP, SLIDEBENCH_FLAGS)
