// SPDX-License-Identifier: MIT
#include "harness/base/deadline.hpp"

#include <algorithm>
#include <ctime>
#include <string>
#include <thread>

#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

using Clock = std::chrono::steady_clock;

/// CPU time of all threads of this process, in seconds.
double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

Deadline::Deadline(double seconds, unsigned threads)
    : seconds_(seconds),
      cpus_(std::clamp(threads, 1u, std::max(1u, std::thread::hardware_concurrency()))),
      cpu_begin_(cpu_seconds()) {}

double Deadline::elapsed() const {
  const double told = std::chrono::duration<double>(Clock::now() - begin_).count();
  return std::max(told, (cpu_seconds() - cpu_begin_) / cpus_);
}

void check_clock() {
  constexpr double enough = 0.02;  // seconds; some coarse clocks go on every 4 ms
  const Clock::time_point begin = Clock::now();
  Clock::time_point now = begin;
  for (const double start = cpu_seconds(); now == begin && cpu_seconds() < start + enough;) now = Clock::now();
  if (now > begin) return;
  throw UserError("this machine's clock stands still or steps back, so that nothing can be timed; " +
                  std::string("see /sys/devices/system/clocksource"));
}

}  // namespace slidebench
