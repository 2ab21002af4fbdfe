// SPDX-License-Identifier: MIT
//
// The border between the replay kernels, compiled into every module, and the pressure, which is the host's.
#pragma once

#include <cstdint>

#include "harness/trace/block.hpp"

namespace slidebench {

/// Other work between queries comes in so many instructions.
inline constexpr std::uint32_t work_unit = 16;

/// What the host does between a method's queries: touch(context, tag) at every node whose tag is among `events`. One
/// function of the host for all modules: compiled into each, the alignment of its loop alone told them apart.
struct PressureHook {
  void (*touch)(void* context, NodeTag tag);
  void* context;
  TagSet events;
  std::uint32_t work_units;  ///< executed after every query by `with_work`, work_unit instructions each (replay.hpp)
};

}  // namespace slidebench
