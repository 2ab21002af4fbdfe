// SPDX-License-Identifier: MIT
#include "harness/cli/self_process.hpp"

#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "harness/trace/errors.hpp"
#include "harness/trace/posix_file.hpp"

namespace slidebench {
namespace {

std::atomic<bool> interrupted = false;

void note_interrupt(int) { interrupted = true; }

pid_t spawn_self(const std::vector<std::string>& arguments, const std::string& extra_environment, int input,
                 int output) {
  std::vector<char*> argv{const_cast<char*>("slidebench")};
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  std::vector<char*> environment;
  for (char** e = environ; *e != nullptr; ++e) environment.push_back(*e);
  environment.push_back(const_cast<char*>(extra_environment.c_str()));
  environment.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  pid_t child = 0;
  const int error = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw UserError(std::string("cannot start a launch: ") + error_text(error));
  return child;
}

void read_lines(int fd, pid_t child, const std::function<void(const std::string&)>& on_line,
                const std::atomic<bool>& stop) {
  std::string pending;
  char buffer[65536];
  bool told = false;
  for (;;) {
    if (stop && !told) {
      kill(child, SIGINT);
      told = true;
    }
    pollfd ready{fd, POLLIN, 0};
    const int polled = poll(&ready, 1, 200);  // wakes up to notice `stop`
    if (polled == 0 || (polled < 0 && errno == EINTR)) continue;
    const ssize_t n = read_some(fd, buffer, sizeof buffer);
    if (n <= 0) return;
    pending.append(buffer, static_cast<std::size_t>(n));
    std::size_t start = 0;
    for (std::size_t end; (end = pending.find('\n', start)) != std::string::npos; start = end + 1) {
      on_line(pending.substr(start, end - start));
    }
    pending.erase(0, start);
  }
}

/// Ends a child that the parent can no longer listen to, and waits for it, whatever happens.
class Reaper {
 public:
  explicit Reaper(pid_t child) : child_(child) {}
  ~Reaper() {
    if (child_ == 0) return;
    kill(child_, SIGTERM);
    wait();
  }
  Reaper(const Reaper&) = delete;
  Reaper& operator=(const Reaper&) = delete;

  int wait() {
    int status = 0;
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t child_;
};

}  // namespace

int run_self(const std::vector<std::string>& arguments, const std::string& extra_environment, const std::string& input,
             const std::function<void(const std::string&)>& on_line, const std::atomic<bool>& stop) {
  std::signal(SIGPIPE, SIG_IGN);
  Pipe to_child = make_pipe();
  Pipe from_child = make_pipe();
  const pid_t child = spawn_self(arguments, extra_environment, to_child.read_end.get(), from_child.write_end.get());
  Reaper reaper(child);
  to_child.read_end.close();
  from_child.write_end.close();
  write_all(to_child.write_end.get(), input.data(), input.size());  // a child that died early says so by its status
  to_child.write_end.close();
  read_lines(from_child.read_end.get(), child, on_line, stop);
  return reaper.wait();
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
