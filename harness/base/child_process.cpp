// SPDX-License-Identifier: MIT
#include "harness/base/child_process.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

#include "harness/base/emulator.hpp"

namespace slidebench {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// All that the child needs, made before the fork: between fork and exec it may allocate nothing, because another
/// thread may have held the allocator's lock.
class PreparedStart {
 public:
  explicit PreparedStart(const ChildStart& start)
      : start_(start), program_(start.program), words_(start.arguments), parent_(getpid()) {
    std::vector<std::string> before = start.program == own_program ? emulator_command() : std::vector<std::string>();
    if (!before.empty()) {
      program_ = before.front();
      before.push_back(own_file());
    } else {
      before.push_back(name());
    }
    words_.insert(words_.begin(), before.begin(), before.end());
    for (char** entry = environ; *entry != nullptr; ++entry) {
      if (!is_replaced(*entry)) environment_.emplace_back(*entry);
    }
    environment_.insert(environment_.end(), start.environment.begin(), start.environment.end());
    argument_pointers_ = pointers_to(words_);
    environment_pointers_ = pointers_to(environment_);
  }

  std::string name() const { return start_.program == own_program ? "slidebench" : start_.program; }

  /// In the child: becomes the program, or reports errno and ends.
  [[noreturn]] void become_program(const Pipe& in, const Pipe& out, const Pipe& err, const Pipe& report) {
    if (start_.own_group) setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent_) _exit(1);  // it died before the line above
    std::signal(SIGPIPE, SIG_DFL);
    std::signal(SIGXFSZ, SIG_DFL);
    connect(in.read_end, STDIN_FILENO);
    connect(out.write_end, STDOUT_FILENO);
    connect(err.write_end, STDERR_FILENO);
    if (start_.cpu) {
      cpu_set_t only;
      CPU_ZERO(&only);
      CPU_SET(*start_.cpu, &only);
      sched_setaffinity(0, sizeof only, &only);
    }
    execvpe(program_.c_str(), argument_pointers_.data(), environment_pointers_.data());
    const int error = errno;
    write_all(report.write_end.get(), &error, sizeof error);
    _exit(1);
  }

 private:
  static void connect(const FileHandle& from, int to) {
    if (!from) return;
    if (from.get() == to) {
      ::fcntl(to, F_SETFD, 0);  // dup2() would leave it to be closed
    } else {
      ::dup2(from.get(), to);
    }
  }

  bool is_replaced(std::string_view entry) const {
    return std::any_of(start_.environment.begin(), start_.environment.end(), [entry](const std::string& added) {
      return entry.starts_with(std::string_view(added).substr(0, added.find('=') + 1));
    });
  }

  const ChildStart& start_;
  std::string program_;  ///< that the kernel starts
  std::vector<std::string> words_;
  std::vector<std::string> environment_;
  std::vector<char*> argument_pointers_;
  std::vector<char*> environment_pointers_;
  pid_t parent_;
};

}  // namespace

ChildProcess::ChildProcess(const ChildStart& start) {
  own_group_ = start.own_group;
  Pipe in, out, err;
  if (start.pipe_input) in = make_pipe();
  if (start.pipe_output) out = make_pipe();
  if (start.pipe_errors) err = make_pipe();
  Pipe report = make_pipe();
  PreparedStart prepared(start);
  pid_ = fork();
  if (pid_ == 0) prepared.become_program(in, out, err, report);
  int error = pid_ < 0 ? errno : 0;
  if (pid_ > 0 && own_group_) setpgid(pid_, pid_);  // as the child does: whoever is first
  report.write_end.close();
  if (pid_ > 0 && read_some(report.read_end.get(), &error, sizeof error) == sizeof error) wait();
  if (error != 0) throw CannotStart("cannot start " + prepared.name() + ": " + error_text(error), error);
  input_ = std::move(in.write_end);
  output_ = std::move(out.read_end);
  errors_ = std::move(err.read_end);
}

ChildProcess::~ChildProcess() {
  kill();
  wait();
}

void ChildProcess::kill(int signal) const {
  if (pid_ <= 0) return;
  ::kill(own_group_ ? -pid_ : pid_, signal);
}

bool ChildProcess::has_ended() const {
  siginfo_t info{};
  return pid_ <= 0 ||
         (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_);
}

int ChildProcess::wait() {
  if (pid_ <= 0) return 0;
  if (own_group_) {  // while the process keeps its number, no other group can have it
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    ::kill(-pid_, SIGKILL);
  }
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace slidebench
