// SPDX-License-Identifier: MIT
//
// An arm: one participant of every round.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/plugin/loader.hpp"
#include "harness/timing/sample.hpp"
#include "harness/timing/workload.hpp"

namespace slidebench {

/// The method that the others are compared with.
inline constexpr const char* reference_method = "magic_fancy";

struct Arm {
  std::string name;  ///< the method's id; "magic_fancy.twin" and "clock" for the arms that are no method
  ArmRole role = ArmRole::method;
  std::shared_ptr<Plugin> plugin;  ///< null for the clock

  std::string method() const { return plugin ? plugin->id() : ""; }
  std::string level() const { return plugin ? plugin->level() : ""; }
};

/// The role that a plugin plays in a run.
ArmRole role_of(const Plugin& plugin);

/// A stretch of a trace that one pass replays.
using Window = std::span<const TraceBlock>;

/// Cuts a trace into stretches of at least `queries` queries at block borders; the last one takes the rest too.
std::vector<Window> cut_windows(std::span<const TraceBlock> blocks, std::uint64_t queries);

std::uint64_t queries_in(Window window);

/// One pass of a kernel over a window: the sum over its blocks.
std::uint64_t replay_window(ReplayKernel kernel, Window window);

/// What a pass must return: the oracle's sum, or for the null method its own definition, computed by the host.
std::uint64_t expected_sum(ArmRole role, Window window);

/// `additions` dependent one-cycle additions; returns their number.
std::uint64_t run_clock(std::uint64_t additions);

}  // namespace slidebench
