// SPDX-License-Identifier: MIT
#include "harness/cli/self_process.hpp"

#include <poll.h>

#include <cerrno>
#include <csignal>

#include "harness/trace/child_process.hpp"

namespace slidebench {
namespace {

std::atomic<bool> interrupted = false;

void note_interrupt(int) { interrupted = true; }

void read_lines(ChildProcess& child, const std::function<void(const std::string&)>& on_line,
                const std::atomic<bool>& stop) {
  std::string pending;
  char buffer[65536];
  bool told = false;
  for (;;) {
    if (stop && !told) {
      child.kill(SIGINT);
      told = true;
    }
    pollfd ready{child.output().get(), POLLIN, 0};
    const int polled = poll(&ready, 1, 200);  // wakes up to notice `stop`
    if (polled == 0 || (polled < 0 && errno == EINTR)) continue;
    const ssize_t n = read_some(child.output().get(), buffer, sizeof buffer);
    if (n <= 0) return;
    pending.append(buffer, static_cast<std::size_t>(n));
    std::size_t start = 0;
    for (std::size_t end; (end = pending.find('\n', start)) != std::string::npos; start = end + 1) {
      on_line(pending.substr(start, end - start));
    }
    pending.erase(0, start);
  }
}

}  // namespace

int run_self(const std::vector<std::string>& arguments, const std::string& extra_environment, const std::string& input,
             const std::function<void(const std::string&)>& on_line, const std::atomic<bool>& stop) {
  std::signal(SIGPIPE, SIG_IGN);
  ChildProcess child(
      {.program = own_program, .arguments = arguments, .environment = extra_environment, .pipe_errors = false});
  write_all(child.input().get(), input.data(), input.size());  // a child that died early says so by its status
  child.input().close();
  read_lines(child, on_line, stop);
  return child.wait();
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
