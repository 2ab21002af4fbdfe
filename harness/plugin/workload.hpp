// SPDX-License-Identifier: MIT
//
// The workloads: which replay kernel of a module is timed, under which name. Extras may have more (extension.hpp).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plugin/abi.hpp"

namespace slidebench {

/// One workload: its name in options, CSV and figures, what it times, and the kernels. What is counted as a query is a
/// query of the trace, a side of a node, a slider of a batch, or a move made.
struct Workload {
  std::string_view name;
  std::string_view what;
  /// Of a module, or of the host's own kernels without an extension.
  const WorkloadKernels& (*kernels)(const ReplayKernels& replay, const void* extension);
  enum class Unit { query, side, slider, move } unit;
  bool needs_pieces = false;
  ReplayKernel oracle = nullptr;  ///< of an extra's workload: what finds the expected sums

  constexpr bool needs_sliders() const { return unit == Unit::side || unit == Unit::slider; }
  const WorkloadKernels& of(const PluginDescriptor& module) const { return kernels(module.replay, module.extension); }
};

template <WorkloadKernels ReplayKernels::*member>
constexpr const WorkloadKernels& core_kernels(const ReplayKernels& replay, const void*) {
  return replay.*member;
}

inline constexpr std::array workloads{
    Workload{"throughput", "queries in trace order, independent of each other",
             &core_kernels<&ReplayKernels::throughput>, Workload::Unit::query},
    Workload{"latency", "each query's occupancy depends on the answer before it",
             &core_kernels<&ReplayKernels::latency>, Workload::Unit::query},
    Workload{"setwise", "the union of a side's slider attacks, both sides of every node",
             &core_kernels<&ReplayKernels::setwise>, Workload::Unit::side},
    Workload{"batch", "all sliders of both sides of a node at once, each with an answer of its own",
             &core_kernels<&ReplayKernels::batch>, Workload::Unit::slider},
    Workload{"update", "making and taking back the trace's moves, no questions; only methods that keep something",
             &core_kernels<&ReplayKernels::update>, Workload::Unit::move, true},
};

/// The sliders of all nodes of a block.
constexpr std::uint64_t sliders_in(const TraceBlock& block) {
  std::uint64_t sliders = 0;
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    sliders += (block.batches != nullptr ? block.batches[node] : batch_of(block.sliders[node])).size();
  }
  return sliders;
}

/// The moves that a block's nodes make.
constexpr std::uint64_t moves_in(const TraceBlock& block) { return block.move_count - block.line; }

/// How many queries of a workload a block has.
constexpr std::uint64_t queries_of(const Workload& workload, const TraceBlock& block) {
  switch (workload.unit) {
    case Workload::Unit::query: return block.queries;
    case Workload::Unit::side: return 2 * std::uint64_t{block.nodes};
    case Workload::Unit::slider: return sliders_in(block);
    case Workload::Unit::move: return moves_in(block);
  }
  return 0;
}

/// The workloads that replay no trace: nodes per second inside the engine, and leaves per second of perft.
inline constexpr std::string_view engine_workload = "engine";
inline constexpr std::string_view perft_workload = "perft";
/// Perft whose look-ups find their tables in no cache at first.
inline constexpr std::string_view cold_perft_workload = "perft_cold";
/// And that of whole engines against each other, which takes nodes of theirs.
inline constexpr std::string_view duel_workload = "duel";

/// Those of the core, then those of the extras that this program has.
std::vector<const Workload*> all_workloads();

/// The replaying workload of this name, or nullptr.
const Workload* find_workload(std::string_view name);

}  // namespace slidebench
