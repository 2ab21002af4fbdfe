// SPDX-License-Identifier: MIT
//
// What the WebAssembly module exports (README.md): methods, trace, verification, replay. One instance, one trace.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <string_view>

#include "extras/web/wasm/entry.hpp"
#include "extras/web/wasm/method_exports.hpp"
#include "extras/web/wasm/pieces.hpp"
#include "extras/web/wasm/pressure.hpp"
#include "extras/web/wasm/verification.hpp"
#include "methods/calculation/ray_walk.hpp"

namespace slidebench::wasm {
namespace {

/// A workload, and whether it is about the sliders of nodes instead of queries.
struct Workload {
  const char* name;
  WorkloadKernels ReplayKernels::*kernels;
  bool of_nodes;
};
constexpr std::array workload_list{
    Workload{"throughput", &ReplayKernels::throughput, false}, Workload{"latency", &ReplayKernels::latency, false},
    Workload{"setwise", &ReplayKernels::setwise, true}, Workload{"batch", &ReplayKernels::batch, true}};
constexpr std::array pressure_list{"isolated", "net0", "net256", "net1024"};

Pieces trace;
std::span<std::byte> room;
std::deque<Touches> touches;

const Entry& entry(std::uint32_t method) { return *entries()[method]; }

Pieces::Segment segment_of(std::uint32_t workload, std::uint32_t segment) {
  return (workload_list[workload].of_nodes ? trace.nodes() : trace.queries())[segment];
}

std::uint64_t size_of(std::uint32_t workload, const TraceBlock& piece) {
  const std::string_view name = workload_list[workload].name;
  if (name == "setwise") return 2 * std::uint64_t{piece.nodes};
  if (name != "batch") return piece.queries;
  std::uint64_t sliders = 0;
  for (std::uint32_t node = 0; node < piece.nodes; ++node) sliders += piece.batches[node].size();
  return sliders;
}

}  // namespace

std::uint32_t method_count() { return static_cast<std::uint32_t>(entries().size()); }
const MethodInfo& method_info(std::uint32_t method) { return entry(method).info; }

SLIDEBENCH_EXPORT(method_table_bytes) std::uint32_t method_table_bytes(std::uint32_t m) { return entry(m).table_bytes; }

SLIDEBENCH_EXPORT(workloads) std::uint32_t workloads() { return workload_list.size(); }
SLIDEBENCH_EXPORT(workload_name) const char* workload_name(std::uint32_t w) { return workload_list[w].name; }
SLIDEBENCH_EXPORT(pressures) std::uint32_t pressures() { return pressure_list.size(); }
SLIDEBENCH_EXPORT(pressure_name) const char* pressure_name(std::uint32_t p) { return pressure_list[p]; }

/// Where a trace file of so many bytes is to be copied to, or null if there is no memory for it.
SLIDEBENCH_EXPORT(trace_room) void* trace_room(std::uint32_t bytes) {
  std::free(room.data());
  room = {};
  void* memory = std::aligned_alloc(64, (std::size_t{bytes} + 63) / 64 * 64);
  if (memory != nullptr) room = {static_cast<std::byte*>(memory), bytes};
  return memory;
}

/// Null, or what is wrong with the trace that lies in the room.
SLIDEBENCH_EXPORT(open_trace) const char* open_trace() { return trace.open(room); }

/// Fills the tables of every method and lays the pressures out. Call it once.
SLIDEBENCH_EXPORT(prepare) void prepare(std::uint32_t seed) {
  for (const Entry* method : entries()) method->initialise();
  for (const char* name : pressure_list) touches.emplace_back(name, seed);
}

SLIDEBENCH_EXPORT(verify) std::uint32_t verify(std::uint32_t method) { return wrong_answers(entry(method).queries); }

SLIDEBENCH_EXPORT(segments) std::uint32_t segments(std::uint32_t workload) {
  return static_cast<std::uint32_t>((workload_list[workload].of_nodes ? trace.nodes() : trace.queries()).size());
}

/// In one pass over a segment.
SLIDEBENCH_EXPORT(queries) std::uint32_t queries(std::uint32_t workload, std::uint32_t segment) {
  std::uint64_t sum = 0;
  for (const TraceBlock& piece : segment_of(workload, segment)) sum += size_of(workload, piece);
  return static_cast<std::uint32_t>(sum);
}

/// The sum that one pass of a right method gives.
SLIDEBENCH_EXPORT(expected) std::uint64_t expected(std::uint32_t workload, std::uint32_t segment) {
  constexpr ReplayKernels oracle = kernels_of<RayWalk>();
  const ReplayKernel kernel = (oracle.*workload_list[workload].kernels).alone;
  std::uint64_t sum = 0;
  for (const TraceBlock& piece : segment_of(workload, segment)) sum += kernel(piece);
  return sum;
}

/// What is timed: so many passes over a segment; the sum of all answers. Precondition: beside a pressure the workload
/// is throughput.
SLIDEBENCH_EXPORT(replay)
std::uint64_t replay(std::uint32_t method, std::uint32_t workload, std::uint32_t pressure, std::uint32_t segment,
                     std::uint32_t passes) {
  const WorkloadKernels& kernels = entry(method).replay.*workload_list[workload].kernels;
  const Pieces::Segment pieces = segment_of(workload, segment);
  const bool alone = touches[pressure].isolated();
  const PressureHook hook = touches[pressure].hook();
  std::uint64_t sum = 0;
  for (std::uint32_t pass = 0; pass < passes; ++pass) {
    for (const TraceBlock& piece : pieces) sum += alone ? kernels.alone(piece) : kernels.with_work(piece, hook);
  }
  return sum;
}

}  // namespace slidebench::wasm
