// SPDX-License-Identifier: MIT
//
// The plug-in ABI: what a module exports, and all that the host knows about a method.
//
// A module is a shared object that exports one symbol, `slidebench_plugin`, a constant of this type. It is data, not a
// function: reading it runs none of the module's code, so that the host can find out what CPU a module needs before an
// instruction of it is executed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/engine/engine_api.hpp"
#include "harness/pressure/pressure_hook.hpp"
#include "harness/trace/block.hpp"
#include "methods/method.hpp"

namespace slidebench {

inline constexpr std::uint64_t plugin_magic = 0x68636E6562646C73;  // "sldbench" in memory
inline constexpr std::uint32_t plugin_abi_version = 10;
inline constexpr const char* plugin_symbol = "slidebench_plugin";

/// Replays one block and returns the folded answers (see replay.hpp, replay_moves.hpp).
using ReplayKernel = std::uint64_t (*)(const TraceBlock& block);
using PressureKernel = std::uint64_t (*)(const TraceBlock& block, const PressureHook& pressure);

/// The same loop without pressure, with touches, and with touches and other work. The last two are null in traced
/// modules, `with_work` also in workloads without single queries.
struct WorkloadKernels {
  ReplayKernel alone;
  PressureKernel with_pressure;
  PressureKernel with_work;
};

/// The replay kernels of a method, which has all.
struct ReplayKernels {
  WorkloadKernels throughput;
  WorkloadKernels latency;
  WorkloadKernels setwise;
  WorkloadKernels batch;
  WorkloadKernels update;
};

/// The engine with the method compiled into it (harness/engine/run_engine.hpp); null in modules that are never timed
/// so.
struct EngineKernels {
  engine::SearchResult (*search)(const engine::SearchRequest& request);
  /// Leaf nodes of the legal move tree.
  std::uint64_t (*perft)(const engine::PositionState& position, unsigned depth);
};

/// A method's queries for checks and for `slidebench verify --stdin`: from an occupancy, whatever board the method
/// keeps.
struct OccupancyQueries {
  Bitboard (*bishop)(Square s, Bitboard occupied);
  Bitboard (*rook)(Square s, Bitboard occupied);
  Bitboard (*queen)(Square s, Bitboard occupied);
  BishopRook (*both)(Square s, Bitboard occupied);
  Bitboard (*set_attacks)(Bitboard diagonal_sliders, Bitboard orthogonal_sliders, Bitboard occupied);
  /// Into SliderBatch::room words.
  void (*batch)(const SliderBatch& sliders, Bitboard occupied, Bitboard* attacks);
  bool own_batch;  ///< false: a query for each slider
};

/// The board of a method, for the check that toggle() and rebuilding agree. `storage` is `bytes` bytes, 64-byte
/// aligned; what it holds is compared word by word (methods/method.hpp).
struct BoardQueries {
  std::size_t bytes;
  bool has_state;  ///< false: the board is the bare occupancy
  void (*build)(void* storage, Bitboard occupied);
  void (*toggle)(void* storage, Bitboard changed);
  BishopRook (*both)(const void* storage, Square s);
};

/// Receives one table access of a traced module: the table's index in `tables`, and what was read, in bytes.
using AccessSink = void (*)(void* context, std::uint32_t table, std::uint32_t offset, std::uint32_t bytes);

/// Which build of a method a module is.
enum class ModuleRole : std::uint32_t {
  timed = 0,
  traced = 1,  ///< reports its table accesses
  twice = 2    ///< asks every query twice: what an answer that costs nothing could save (asked_twice.hpp)
};

/// Which methods commands take that are told of none: the core. The extra ones are there for completeness. Modules of
/// an extension are contenders of its workloads alone.
enum class MethodGroup : std::uint32_t { core = 0, extra = 1, extension = 2 };

constexpr const char* to_string(MethodGroup group) {
  constexpr const char* names[] = {"core", "extra", "extension"};
  return names[static_cast<std::uint32_t>(group)];
}

struct PluginDescriptor {
  std::uint64_t magic;        ///< plugin_magic
  std::uint32_t abi_version;  ///< plugin_abi_version; the two stay first in every version
  std::uint32_t descriptor_bytes;
  MethodInfo info;
  std::uint32_t level;  ///< that the module was compiled for: its number (harness/plugin/features.hpp)
  Isa compiled_isa;     ///< further features the compiler was allowed to use
  ModuleRole role;
  MethodGroup group;
  const TableInfo* tables;  ///< `table_count` entries; null if the method does not say what tables it has
  std::uint32_t table_count;
  void (*initialise)();  ///< builds large tables; call once before the first query
  OccupancyQueries queries;
  BoardQueries board;
  ReplayKernels replay;
  EngineKernels engine;
  /// Sends the accesses that follow to `sink`; null stops it. Null itself in modules that are not traced.
  void (*trace_accesses)(AccessSink sink, void* context);
  /// What an extra knows of its module besides: a struct that begins with a std::uint64_t, the number of its type and
  /// version (extension.hpp). Null for methods.
  const void* extension;
  const char* compiler;  ///< name and version
  const char* flags;     ///< as given to the compiler: those of the build, the kernels and the author
};

}  // namespace slidebench
