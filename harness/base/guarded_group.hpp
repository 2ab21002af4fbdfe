// SPDX-License-Identifier: MIT
//
// A process group that does not outlive the process that made it, even if that is killed.
#pragma once

#include <sys/types.h>

#include "harness/base/posix_file.hpp"

namespace slidebench {

/// A process group with a guard in it: a process that waits until this one has ended, or lets go of the group, and then
/// kills the whole group, itself included. So the number of the group is not given to others meanwhile. Processes that
/// leave the group (setsid) escape.
class GuardedGroup {
 public:
  /// @throws UserError  if the guard cannot be started
  GuardedGroup();
  GuardedGroup(const GuardedGroup&) = delete;
  GuardedGroup& operator=(const GuardedGroup&) = delete;

  /// Kills all that are left in the group.
  ~GuardedGroup();

  /// For setpgid() and, negated, for kill().
  pid_t id() const { return guard_; }

 private:
  Pipe held_;
  pid_t guard_;
};

}  // namespace slidebench
