// SPDX-License-Identifier: MIT
//
// What a run is to do, as the command line says it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/method_selection.hpp"

namespace slidebench {

/// How much is measured: many launches of few rounds, because each process draws addresses and pages anew, and because
/// neighbours on a shared machine come and go in tens of seconds.
struct Profile {
  std::string name;
  unsigned launches;
  unsigned rounds;  ///< a launch
  double slice_ms;
  double warm_up_ms;
};

inline const std::vector<Profile> profiles{
    {"quick", 1, 20, 5, 1},
    {"standard", 16, 10, 10, 2},
    {"publication", 32, 40, 10, 2},
};

struct RunSettings {
  MethodOptions methods;
  std::vector<std::string> traces;
  bool random_trace = true;  ///< also measure on a random trace, as the contrast
  std::vector<std::string> workloads;
  Profile profile = profiles[1];
  std::uint64_t seed = 1;
  std::string out;
  std::vector<std::string> command_line;
};

}  // namespace slidebench
