// SPDX-License-Identifier: MIT
//
// Turns one method into a module: SLIDEBENCH_MODULE defines the symbol that the module exports.
// The build passes SLIDEBENCH_LEVEL, SLIDEBENCH_COMPILED_ISA, SLIDEBENCH_ROLE, SLIDEBENCH_GROUP and
// SLIDEBENCH_FLAGS (add_method.cmake).
#pragma once

#include <cstddef>
#include <new>

#include "harness/plugin/abi.hpp"
#include "harness/plugin/replay_moves.hpp"
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

/// The module of a method.
template <AttackMethod M>
struct ModuleOf {
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
    if constexpr (requires { M::tables; }) {
      return M::tables.empty() ? &no_table : M::tables.data();
    }
    return nullptr;
  }
  static constexpr TableInfo no_table{};
  static constexpr std::uint32_t table_count() {
    if constexpr (requires { M::tables; }) return static_cast<std::uint32_t>(M::tables.size());
    return 0;
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
  static constexpr WorkloadKernels moves = all_kernels(
      [](const TraceBlock& b) { return replay_moves<MethodLine<M>>(b); },
      [](const TraceBlock& b, const PressureHook& p) { return replay_moves<MethodLine<M>>(b, WithPressure{p}); },
      [](const TraceBlock& b, const PressureHook& p) { return replay_moves<MethodLine<M>>(b, WithWork{p}); });

  template <ModuleRole role>
  static constexpr PluginDescriptor descriptor(std::uint32_t level, Isa compiled_isa, MethodGroup group,
                                               const char* flags) {
    return {.magic = plugin_magic,
            .abi_version = plugin_abi_version,
            .descriptor_bytes = sizeof(PluginDescriptor),
            .info = M::info,
            .level = level,
            .compiled_isa = compiled_isa,
            .role = role,
            .group = group,
            .tables = tables(),
            .table_count = table_count(),
            .initialise = &initialise<M>,
            .queries = queries,
            .board = board,
            .replay = {.throughput = queries_with<Dependence::independent>,
                       .latency = queries_with<Dependence::chained>,
                       .setwise = sets,
                       .batch = batches,
                       .update = moves},
            .engine = engine_kernels(),
            .trace_accesses = access_tracer(),
            .extension = nullptr,
#ifdef __clang__
            .compiler = "Clang " __clang_version__,
#else
            .compiler = "GCC " __VERSION__,
#endif
            .flags = flags};
  }
};

}  // namespace slidebench

/// Exports a method. Use it once, in a module's first source file.
#define SLIDEBENCH_MODULE(...)                                                                                         \
  extern "C" __attribute__((visibility("default"))) constinit const ::slidebench::PluginDescriptor slidebench_plugin = \
      ::slidebench::ModuleOf<__VA_ARGS__>::descriptor<::slidebench::SLIDEBENCH_ROLE>(                                  \
          SLIDEBENCH_LEVEL, SLIDEBENCH_COMPILED_ISA, ::slidebench::SLIDEBENCH_GROUP, SLIDEBENCH_FLAGS)
