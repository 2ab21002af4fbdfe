// SPDX-License-Identifier: MIT
//
// A contender: one participant of every round.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "harness/plugin/known_methods.hpp"
#include "harness/plugin/loader.hpp"
#include "harness/statistics/sample.hpp"

namespace slidebench {

struct Contender {
  std::string name;  ///< the method's id; "magic_fancy.twin" and the like, and "clock", for the others
  ContenderRole role = ContenderRole::method;
  std::shared_ptr<Plugin> plugin;  ///< null for the clock

  explicit Contender(const std::shared_ptr<Plugin>& loaded);
  Contender(const std::shared_ptr<Plugin>& loaded, ContenderRole as);
  static Contender clock();

  std::string method() const { return plugin ? plugin->id() : ""; }
  std::string level() const { return plugin ? plugin->level() : ""; }
  unsigned placement() const { return plugin ? placement_of(plugin->path()) : 0; }

 private:
  Contender() = default;
};

/// The role that a plugin plays in a run.
ContenderRole role_of(const Plugin& plugin);

/// The contender whose code runs next; to be told outside the timed parts. The contender has to stay.
void note_contender(const Contender& contender);

/// The name of the one noted last; null before the first. For a signal handler: a method that crashes shall have a
/// name.
const char* contender_under_way();

/// `additions` dependent one-cycle additions; returns their number.
std::uint64_t run_clock(std::uint64_t additions);

}  // namespace slidebench
