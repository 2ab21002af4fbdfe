// SPDX-License-Identifier: MIT
//
// What code from outside may change of the process that it is loaded into: a locale changes how numbers are written, a
// closed stream where answers go. A method does nothing of that kind.
#pragma once

#include <array>
#include <csignal>
#include <string>
#include <vector>

namespace slidebench {

/// The state of this process when the object was made.
class ProcessState {
 public:
  ProcessState();

  /// What has been changed since, as "sets another locale"; empty if nothing. Takes a pending alarm back, and ends the
  /// processes that were started, whatever session or parent they have given themselves.
  std::string changed() const;

 private:
  static constexpr int signals = 65;

  std::string locale_;
  std::string folder_;
  std::vector<std::string> environment_;
  std::array<struct sigaction, signals> actions_{};
};

}  // namespace slidebench
