// SPDX-License-Identifier: MIT
//
// What the WebAssembly module exports (script/suite.mjs): methods, trace, verification, replay. One instance, one
// trace.
#include <array>
#include <cstdlib>
#include <deque>

#include "extras/web/wasm/entry.hpp"
#include "extras/web/wasm/method_exports.hpp"
#include "extras/web/wasm/pieces.hpp"
#include "extras/web/wasm/pressure.hpp"
#include "extras/web/wasm/verification.hpp"
#include "methods/calculation/ray_walk.hpp"

namespace slidebench::wasm {
namespace {

constexpr std::array pressure_list{"isolated", "net1024"};

Pieces trace;
std::span<std::byte> room;
std::deque<Touches> touches;

const Entry& entry(std::uint32_t method) { return *entries()[method]; }

}  // namespace

std::uint32_t method_count() { return static_cast<std::uint32_t>(entries().size()); }
const MethodInfo& method_info(std::uint32_t method) { return entry(method).info; }

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

SLIDEBENCH_EXPORT(segments) std::uint32_t segments() { return static_cast<std::uint32_t>(trace.segments().size()); }

/// In one pass over a segment.
SLIDEBENCH_EXPORT(queries) std::uint32_t queries(std::uint32_t segment) {
  std::uint32_t sum = 0;
  for (const TraceBlock& piece : trace.segments()[segment]) sum += piece.queries;
  return sum;
}

/// The sum that one pass of a right method gives.
SLIDEBENCH_EXPORT(expected) std::uint64_t expected(std::uint32_t segment) {
  std::uint64_t sum = 0;
  for (const TraceBlock& piece : trace.segments()[segment]) sum += entry_of<RayWalk>().alone(piece);
  return sum;
}

/// What is timed: so many passes over a segment; the sum of all answers.
SLIDEBENCH_EXPORT(replay)
std::uint64_t replay(std::uint32_t method, std::uint32_t pressure, std::uint32_t segment, std::uint32_t passes) {
  const Entry& timed = entry(method);
  const Pieces::Segment pieces = trace.segments()[segment];
  const bool alone = touches[pressure].isolated();
  const PressureHook hook = touches[pressure].hook();
  std::uint64_t sum = 0;
  for (std::uint32_t pass = 0; pass < passes; ++pass) {
    for (const TraceBlock& piece : pieces) sum += alone ? timed.alone(piece) : timed.under(piece, hook);
  }
  return sum;
}

}  // namespace slidebench::wasm
