// SPDX-License-Identifier: MIT
//
// The border between the replay kernels, compiled into every module, and the pressure, which is the host's.
#pragma once

#include <cstdint>

#include "harness/trace/block.hpp"

namespace slidebench {

/// What the host does between a method's queries: touch(context, tag) at every node whose tag is among `events`, and
/// work(context) after every query of the kernel `with_work`. Functions of the host for all modules: compiled into
/// each, the alignment of their loops alone told methods apart.
struct PressureHook {
  void (*touch)(void* context, NodeTag tag);
  void (*work)(void* context);
  void* context;
  TagSet events;
};

}  // namespace slidebench
