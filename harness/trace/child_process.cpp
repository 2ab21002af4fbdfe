// SPDX-License-Identifier: MIT
#include "harness/trace/child_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <system_error>

#include "harness/trace/errors.hpp"

namespace slidebench {
namespace {

/// A pipe that holds much: fewer switches between the programs. Where it may not, it is slower, not wrong.
Pipe make_large_pipe() {
  Pipe pipe = make_pipe();
  ::fcntl(pipe.write_end.get(), F_SETPIPE_SZ, 1 << 20);
  return pipe;
}

class SpawnActions {
 public:
  SpawnActions() { posix_spawn_file_actions_init(&actions_); }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  void connect(const FileHandle& from, int to) { posix_spawn_file_actions_adddup2(&actions_, from.get(), to); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

std::vector<char*> argument_pointers(std::vector<std::string>& arguments) {
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& programs, const std::vector<std::string>& arguments) {
  Pipe in = make_large_pipe();
  Pipe out = make_large_pipe();
  Pipe err = make_large_pipe();
  SpawnActions actions;
  actions.connect(in.read_end, STDIN_FILENO);
  actions.connect(out.write_end, STDOUT_FILENO);
  actions.connect(err.write_end, STDERR_FILENO);
  int error = ENOENT;
  for (const std::string& program : programs) {
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    error = ::posix_spawnp(&pid_, program.c_str(), actions.get(), nullptr, argument_pointers(words).data(), environ);
    if (error != ENOENT) break;
  }
  if (error == ENOENT) throw UserError(programs.front() + " is not installed; run scripts/install_deps.sh");
  if (error != 0) throw UserError("cannot run " + programs.front() + ": " + error_text(error));
  input_ = std::move(in.write_end);
  output_ = std::move(out.read_end);
  errors_ = std::move(err.read_end);
}

ChildProcess::~ChildProcess() {
  kill();
  wait();
}

void ChildProcess::kill() {
  if (pid_ > 0) ::kill(pid_, SIGKILL);
}

std::string ChildProcess::wait() {
  if (pid_ <= 0) return {};
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0) {
    if (errno != EINTR) return "lost: " + error_text(errno);
  }
  pid_ = -1;
  if (WIFSIGNALED(status)) return "killed by signal " + std::to_string(WTERMSIG(status));
  const int code = WEXITSTATUS(status);
  return code == 0 ? "" : "exit status " + std::to_string(code);
}

}  // namespace slidebench
