// SPDX-License-Identifier: MIT
#include "harness/base/self_process.hpp"

#include <poll.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>

#include "harness/base/child_process.hpp"

namespace slidebench {
namespace {

std::atomic<bool> interrupted = false;

void note_interrupt(int) { interrupted = true; }

/// Reads what the child prints until it has ended, however long a process that it leaves behind holds its output open.
/// Returns whether the child had to be killed because its time was up.
bool read_lines(ChildProcess& child, const std::function<void(const std::string&)>& on_line,
                const std::atomic<bool>& stop, double limit_seconds) {
  using SteadyClock = std::chrono::steady_clock;
  constexpr int until_stop_is_seen = 200, until_it_has_ended = 1;  // milliseconds
  const SteadyClock::time_point began = SteadyClock::now();
  std::string pending;
  char buffer[65536];
  bool told = false, timed_out = false, closed = false;
  for (;;) {
    const bool ended = child.has_ended();
    if (ended && (closed || timed_out)) return timed_out;
    if (!ended && !timed_out && std::chrono::duration<double>(SteadyClock::now() - began).count() > limit_seconds) {
      child.kill(SIGKILL);
      timed_out = true;
    }
    if (stop && !told) {
      child.kill(SIGINT);
      told = true;
    }
    pollfd ready{closed ? -1 : child.output().get(), POLLIN, 0};
    const int polled = poll(&ready, 1, closed ? until_it_has_ended : until_stop_is_seen);
    if (polled == 0) closed = closed || ended;  // nothing is left of what it had printed
    if (polled <= 0) continue;
    const ssize_t n = read_some(child.output().get(), buffer, sizeof buffer);
    closed = n <= 0;
    if (closed) continue;
    pending.append(buffer, static_cast<std::size_t>(n));
    std::size_t start = 0;
    for (std::size_t end; (end = pending.find('\n', start)) != std::string::npos; start = end + 1) {
      on_line(pending.substr(start, end - start));
    }
    pending.erase(0, start);
  }
}

}  // namespace

std::string describe_end(const ChildEnd& end, double limit_seconds) {
  constexpr int first_signal_status = 128;
  if (end.timed_out) return "did not end within " + std::to_string(std::lround(std::ceil(limit_seconds))) + " s";
  if (end.status > first_signal_status) return "killed by signal " + std::to_string(end.status - first_signal_status);
  return "ended with status " + std::to_string(end.status);
}

ChildEnd run_self(const std::vector<std::string>& arguments, const std::string& extra_environment,
                  const std::string& input, const std::function<void(const std::string&)>& on_line,
                  const std::atomic<bool>& stop, double limit_seconds, ProcessGroup group) {
  std::signal(SIGPIPE, SIG_IGN);
  ChildProcess child({.program = own_program,
                      .arguments = arguments,
                      .environment = {extra_environment},
                      .pipe_errors = false,
                      .own_group = group == ProcessGroup::own});
  write_all(child.input().get(), input.data(), input.size());  // a child that died early says so by its status
  child.input().close();
  const bool timed_out = read_lines(child, on_line, stop, limit_seconds);
  return {child.wait(), timed_out};
}

const std::atomic<bool>& stop_on_interrupt() {
  struct sigaction action = {};
  action.sa_handler = note_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return interrupted;
}

}  // namespace slidebench
