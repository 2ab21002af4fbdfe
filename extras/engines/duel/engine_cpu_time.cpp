// SPDX-License-Identifier: MIT
#include <ctime>

#include "extras/engines/duel/engine_process.hpp"

namespace slidebench::duel {

std::optional<std::int64_t> EngineProcess::cpu_ns() const {
  clockid_t clock{};
  timespec time{};
  if (child_.has_ended() || clock_getcpuclockid(id(), &clock) != 0 || clock_gettime(clock, &time) != 0)
    return std::nullopt;
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace slidebench::duel
