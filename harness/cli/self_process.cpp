// SPDX-License-Identifier: MIT
#include "harness/cli/self_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "harness/trace/errors.hpp"

extern char** environ;

namespace slidebench {
namespace {

std::atomic<bool> interrupted = false;

void note_interrupt(int) { interrupted = true; }

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw UserError(std::string("cannot make a pipe: ") + std::strerror(errno));
    read_end = ends[0];
    write_end = ends[1];
  }
  ~Pipe() { close_both(); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void close_read() { close_end(read_end); }
  void close_write() { close_end(write_end); }
  void close_both() { close_read(), close_write(); }

 private:
  static void close_end(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
};

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
  if (error != 0) throw UserError(std::string("cannot start a launch: ") + std::strerror(error));
  return child;
}

/// The input is small; what a child that died early has not read is lost with it.
void write_input(int fd, const std::string& input) {
  std::size_t done = 0;
  while (done < input.size()) {
    const ssize_t n = write(fd, input.data() + done, input.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    done += static_cast<std::size_t>(n);
  }
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
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
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
  Pipe to_child;
  Pipe from_child;
  const pid_t child = spawn_self(arguments, extra_environment, to_child.read_end, from_child.write_end);
  Reaper reaper(child);
  to_child.close_read();
  from_child.close_write();
  write_input(to_child.write_end, input);
  to_child.close_write();
  read_lines(from_child.read_end, child, on_line, stop);
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
