// SPDX-License-Identifier: MIT
//
// An arm: one participant of every round.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "harness/plugin/loader.hpp"
#include "harness/statistics/sample.hpp"

namespace slidebench {

/// The method that the others are compared with.
inline constexpr const char* reference_method = "magic_fancy";

struct Arm {
  std::string name;  ///< the method's id; "magic_fancy.twin", "magic_fancy.control" and "clock" for the others
  ArmRole role = ArmRole::method;
  std::shared_ptr<Plugin> plugin;  ///< null for the clock

  explicit Arm(std::shared_ptr<Plugin> loaded);
  static Arm clock();

  std::string method() const { return plugin ? plugin->id() : ""; }
  std::string level() const { return plugin ? plugin->level() : ""; }
  unsigned layout() const { return plugin ? plugin->descriptor().layout : 0; }

 private:
  Arm() = default;
};

/// The role that a plugin plays in a run.
ArmRole role_of(const Plugin& plugin);

/// `additions` dependent one-cycle additions; returns their number.
std::uint64_t run_clock(std::uint64_t additions);

}  // namespace slidebench
