// SPDX-License-Identifier: MIT
#include "harness/counters/single_step.hpp"

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

[[noreturn]] void cannot_trace(const std::string& what) {
  throw UserError("cannot count instructions: " + what + ": " + std::strerror(errno) +
                  "; the system must allow ptrace (in a container: --cap-add SYS_PTRACE)");
}

/// The child's side: a breakpoint before the work and one after it.
[[noreturn]] void run_traced(const std::function<void()>& work) {
  if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(1);
  breakpoint();
  work();
  breakpoint();
  _exit(0);
}

/// A stopped child; killed and waited for in the end.
class Tracee {
 public:
  explicit Tracee(pid_t pid) : pid_(pid) {}
  ~Tracee() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Tracee(const Tracee&) = delete;
  Tracee& operator=(const Tracee&) = delete;

  /// Waits for the next stop. True if it is a trap: a step done, or a breakpoint.
  bool wait_for_trap() const {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0) {
      if (errno != EINTR) cannot_trace("waiting for the child failed");
    }
    return WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP;
  }

  void step() const {
    if (ptrace(PTRACE_SINGLESTEP, pid_, nullptr, nullptr) != 0) cannot_trace("a single step failed");
  }

  /// The registers before the instruction that comes next.
  TracedRegisters registers() const {
    TracedRegisters registers{};
    if (!read_registers(pid_, registers)) cannot_trace("reading registers failed");
    return registers;
  }

  void leave_breakpoint() const {
    if (!pass_breakpoint(pid_)) cannot_trace("writing registers failed");
  }

 private:
  pid_t pid_;
};

}  // namespace

void single_step(const std::function<void()>& work, const StepVisitor& visit) {
  const pid_t pid = fork();
  if (pid < 0) cannot_trace("fork failed");
  if (pid == 0) run_traced(work);

  const Tracee child(pid);
  if (!child.wait_for_trap()) {
    errno = EPERM;
    cannot_trace("the child could not be traced");
  }
  child.leave_breakpoint();
  for (;;) {
    const TracedRegisters registers = child.registers();
    if (is_breakpoint(next_instruction(registers))) return;
    visit(registers);
    child.step();
    if (!child.wait_for_trap()) throw UserError("cannot count instructions: the counted work ended its process");
  }
}

}  // namespace slidebench
