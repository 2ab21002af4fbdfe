// SPDX-License-Identifier: MIT
#include "harness/base/guarded_group.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

/// The guard. Another thread may have held any lock when it was forked, so that it calls the system alone. Of the files
/// that it has inherited it keeps the pipe only, or it would hold locks and other pipes open.
[[noreturn]] void guard(int held) {
  setpgid(0, 0);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);  // what is sent to the group is for the others
  dup2(held, 0);
  constexpr int most = 4096;  // of a kernel without close_range()
  if (close_range(1, ~0U, 0) != 0)
    for (int fd = 1; fd < most; ++fd) close(fd);
  char nothing;
  read_some(0, &nothing, 1);  // ends when nobody holds the other end
  ::kill(0, SIGKILL);
  _exit(1);
}

}  // namespace

GuardedGroup::GuardedGroup() : held_(make_pipe()), guard_(fork()) {
  if (guard_ == 0) guard(held_.read_end.get());
  if (guard_ < 0) throw UserError("cannot start a process: " + error_text(errno));
  held_.read_end.close();
  setpgid(guard_, guard_);  // whichever of the two comes first
}

GuardedGroup::~GuardedGroup() {
  ::kill(-guard_, SIGKILL);
  while (::waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace slidebench
