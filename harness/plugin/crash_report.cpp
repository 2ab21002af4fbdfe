// SPDX-License-Identifier: MIT
#include "harness/plugin/crash_report.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>

#include "harness/base/memory_map.hpp"
#include "harness/plugin/loader.hpp"

namespace slidebench {
namespace {

constexpr std::array crash_signals{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

/// Whether this process says itself what a module does to it.
bool tells = false;

/// What the signals did before: by default they end the program, under a sanitizer with a report.
std::array<struct sigaction, 65> actions_before;

void say_cause(int signal, siginfo_t* info, void*) {
  if (const char* file = cut_off_file(signal, info)) {
    write_parts(STDERR_FILENO, {"slidebench: trace ", file, cut_off_text, "\n"});
    _exit(2);
  }
  if (const char* module = module_under_way()) {
    const char* name = sigdescr_np(signal);
    write_parts(STDERR_FILENO, {"slidebench: ", module, ": the plug-in crashed while it was loaded: ",
                                name != nullptr ? name : "signal", "\n"});
    _exit(2);
  }
  sigaction(signal, &actions_before.at(static_cast<std::size_t>(signal)), nullptr);
  if (info->si_code <= 0) raise(signal);  // sent by a process; every other one comes again by itself
}

void say_hang(int) {
  const char* const module = module_under_way();
  if (module == nullptr) return;  // it has just ended
  write_parts(STDERR_FILENO, {"slidebench: ", module, ": the plug-in hangs while it is loaded; ",
                              "SLIDEBENCH_LOAD_LIMIT=SECONDS gives it more time\n"});
  _exit(2);
}

/// An exit() that the program does not come back from would pass for success.
void say_exit() {
  const char* const module = module_under_way();
  if (module == nullptr || !tells) return;
  write_parts(STDERR_FILENO, {"slidebench: ", module, ": the plug-in ended the program while it was loaded\n"});
  _exit(2);
}

}  // namespace

void on_crash(CrashHandler handler) {
  static std::array<char, 1 << 16> stack;
  const stack_t own{stack.data(), 0, stack.size()};
  sigaltstack(&own, nullptr);
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (const int signal : crash_signals) {
    sigaction(signal, &action, &actions_before.at(static_cast<std::size_t>(signal)));
  }
}

void report_crashes() {
  tells = true;
  std::atexit(say_exit);
  on_crash(say_cause);
  std::signal(SIGALRM, say_hang);
}

void leave_crashes() {
  tells = false;
  limit_loading(0);
  for (const int signal : crash_signals)
    sigaction(signal, &actions_before.at(static_cast<std::size_t>(signal)), nullptr);
}

const char* cut_off_file(int signal, const siginfo_t* info) {
  return signal == SIGBUS && info->si_code == BUS_ADRERR ? mapped_file_at(info->si_addr) : nullptr;
}

void write_parts(int fd, std::initializer_list<const char*> parts) {
  for (const char* part : parts) {
    if (write(fd, part, std::strlen(part)) < 0) return;
  }
}

}  // namespace slidebench
