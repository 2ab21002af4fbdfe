// SPDX-License-Identifier: MIT
//
// A clock of paper, for tests of duels and trials: linked into the program slidebench_fake_engine_times in place of
// engine_cpu_time.cpp. An engine of the tests says itself how many ns of CPU time it has used, as its name
// (/proc/PID/comm); one that says nothing has used none.
#include <fstream>

#include "extras/engines/duel/engine_process.hpp"

namespace slidebench::duel {

std::optional<std::int64_t> EngineProcess::cpu_ns() const {
  if (child_.has_ended()) return std::nullopt;
  std::ifstream name("/proc/" + std::to_string(id()) + "/comm");
  std::int64_t ns = 0;
  name >> ns;
  return ns;
}

}  // namespace slidebench::duel
