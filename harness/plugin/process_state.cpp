// SPDX-License-Identifier: MIT
#include "harness/plugin/process_state.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace slidebench {
namespace {

std::string current_folder() {
  std::error_code error;
  return std::filesystem::current_path(error).native();
}

std::vector<std::string> environment() {
  std::vector<std::string> entries;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) entries.emplace_back(*entry);
  return entries;
}

bool has_children() { return waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD; }

/// The parent of a process, by its line in /proc; 0 if it has ended.
pid_t parent_of(const std::filesystem::path& process) {
  std::ifstream file(process / "stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  return name_end == std::string::npos ? 0 : std::atoi(line.c_str() + std::min(line.size(), name_end + 4));
}

void kill_children() {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const pid_t process = std::atoi(entry.path().filename().c_str());
    if (process > 0 && parent_of(entry.path()) == getpid()) kill(process, SIGKILL);
  }
}

/// With those that they have left behind: these become children of this process when their parents end.
void end_children() {
  while (has_children()) {
    kill_children();
    waitpid(-1, nullptr, 0);
  }
}

bool same_action(const struct sigaction& before, int signal) {
  struct sigaction now {};
  return sigaction(signal, nullptr, &now) != 0 || now.sa_handler == before.sa_handler;
}

}  // namespace

ProcessState::ProcessState()
    : locale_(std::setlocale(LC_ALL, nullptr)), folder_(current_folder()), environment_(environment()) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (int signal = 1; signal < signals; ++signal) {
    sigaction(signal, nullptr, &actions_[static_cast<std::size_t>(signal)]);
  }
}

std::string ProcessState::changed() const {
  if (has_children()) {
    end_children();
    return "starts a process";
  }
  if (locale_ != std::setlocale(LC_ALL, nullptr)) return "sets another locale";
  if (folder_ != current_folder()) return "goes to another folder";
  if (environment_ != environment()) return "changes the environment";
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) < 0) return "closes a standard stream";
  }
  for (int signal = 1; signal < signals; ++signal) {
    if (!same_action(actions_[static_cast<std::size_t>(signal)], signal)) return "takes a signal for itself";
  }
  return alarm(0) > 0 ? "sets an alarm" : "";
}

}  // namespace slidebench
