// SPDX-License-Identifier: MIT
#include "harness/timing/arm.hpp"

#include "harness/plugin/replay.hpp"
#include "methods/calculation/ray_walk.hpp"
#include "methods/null.hpp"

namespace slidebench {

ArmRole role_of(const Plugin& plugin) {
  if (plugin.descriptor().role == ModuleRole::twin) return ArmRole::twin;
  if (plugin.id() == Null::info.id) return ArmRole::null;
  if (plugin.id() == reference_method) return ArmRole::reference;
  return ArmRole::method;
}

std::vector<Window> cut_windows(std::span<const TraceBlock> blocks, std::uint64_t queries) {
  std::vector<Window> windows;
  std::size_t first = 0;
  std::uint64_t inside = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    inside += blocks[i].queries;
    if (inside >= queries) {
      windows.push_back(blocks.subspan(first, i + 1 - first));
      first = i + 1;
      inside = 0;
    }
  }
  // A short rest joins the last window.
  if (windows.empty()) return {blocks};
  windows.back() = {windows.back().data(), blocks.data() + blocks.size()};
  return windows;
}

std::uint64_t queries_in(Window window) {
  std::uint64_t queries = 0;
  for (const TraceBlock& block : window) queries += block.queries;
  return queries;
}

std::uint64_t replay_window(ReplayKernel kernel, Window window) {
  std::uint64_t sum = 0;
  for (const TraceBlock& block : window) sum += kernel(block);
  return sum;
}

std::uint64_t expected_sum(ArmRole role, Window window) {
  return replay_window(
      role == ArmRole::null ? &replay<Null, Dependence::independent> : &replay<RayWalk, Dependence::independent>,
      window);
}

std::uint64_t run_clock(std::uint64_t additions) {
  std::uint64_t sum = 0;
  // From a register: newer processors carry out additions of constants while renaming, in no time at all.
  std::uint64_t one = 1;
  asm volatile("" : "+r"(one));
  for (std::uint64_t i = 0; i < additions / 16; ++i) {
    // Sixteen additions, each waiting for the one before it; the loop's own work runs beside the chain.
    asm volatile(
        "add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\t"
        "add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\t"
        "add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\t"
        "add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0"
        : "+r"(sum)
        : "r"(one)
        : "cc");
  }
  return sum;
}

}  // namespace slidebench
