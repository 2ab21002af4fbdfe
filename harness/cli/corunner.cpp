// SPDX-License-Identifier: MIT
#include "harness/cli/corunner.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <random>
#include <string>

#include "harness/timing/cpu_binding.hpp"
#include "harness/trace/errors.hpp"
#include "harness/trace/posix_file.hpp"

namespace slidebench {
namespace {

/// In the child: become a co-runner that dies with its parent.
[[noreturn]] void become_corunner(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // it died before the line above
  execl("/proc/self/exe", "slidebench", "run-corunner", static_cast<char*>(nullptr));
  _exit(1);
}

}  // namespace

Corunners::Corunners(unsigned count) {
  const pid_t parent = getpid();
  for (unsigned i = 0; i < count; ++i) {
    const pid_t child = fork();
    if (child < 0) throw UserError(std::string("cannot start a co-runner: ") + error_text(errno));
    if (child == 0) become_corunner(parent);
    processes_.push_back(child);
  }
}

Corunners::~Corunners() {
  for (const pid_t process : processes_) kill(process, SIGKILL);
  for (const pid_t process : processes_) {
    while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

void run_corunner() {
  bind_elsewhere();
  constexpr std::size_t line_words = 64 / sizeof(std::uint64_t);
  std::vector<std::uint64_t> block(corunner_bytes / sizeof(std::uint64_t), 1);
  const std::size_t lines = block.size() / line_words;
  std::uint64_t state = 0x9E3779B97F4A7C15;
  for (;;) {
    state = state * 6364136223846793005 + 1442695040888963407;  // D. Knuth's linear congruential generator
    asm volatile("" : : "r"(block[(state >> 32) % lines * line_words]));
  }
}

}  // namespace slidebench
