// SPDX-License-Identifier: MIT
#include "harness/duel/engine_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>
#include <utility>

#include "harness/trace/errors.hpp"
#include "harness/trace/text.hpp"

namespace slidebench::duel {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr std::size_t longest_line = 64 << 10;
constexpr std::size_t longest_answer = 64 << 20;
constexpr std::size_t most_lines = 1 << 20;  // of an answer
constexpr std::size_t most_last_words = 200;
constexpr milliseconds moment(500);  // for a process to end in

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// In the child: becomes the program, or reports errno and ends. A group of its own, so that all that it starts can be
/// ended with it and Ctrl-C does not reach it; and it dies with its parent.
[[noreturn]] void become_program(char* const* words, char* environment, std::optional<unsigned> cpu, pid_t parent,
                                 int report) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // it died before the line above
  std::signal(SIGPIPE, SIG_DFL);
  if (cpu) {
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(*cpu, &only);
    sched_setaffinity(0, sizeof only, &only);
  }
  if (*environment != '\0') putenv(environment);
  execvp(words[0], words);
  const int error = errno;
  write_all(report, &error, sizeof error);
  _exit(1);
}

/// What a /proc/.../status file says under a name; 0 if it does not.
std::int64_t status_number(const fs::path& path, const std::string& name) {
  std::ifstream file(path);
  std::int64_t value = 0;
  for (std::string word; file >> word;) {
    if (word == name && file >> value) return value;
  }
  return 0;
}

}  // namespace

EngineProcess::EngineProcess(const ProcessStart& start, const std::atomic<bool>& stop) : stop_(stop) {
  std::signal(SIGPIPE, SIG_IGN);
  Pipe in = make_pipe(), out = make_pipe(), err = make_pipe(), report = make_pipe();
  const std::vector<char*> words = pointers_to(start.words);
  std::string environment = start.environment;
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) throw UserError("cannot start " + start.words.front() + ": " + error_text(errno));
  if (pid_ == 0) {
    dup2(in.read_end.get(), STDIN_FILENO);
    dup2(out.write_end.get(), STDOUT_FILENO);
    dup2(err.write_end.get(), STDERR_FILENO);
    become_program(words.data(), environment.data(), start.cpu, parent, report.write_end.get());
  }
  setpgid(pid_, pid_);  // whoever of the two comes first
  in.read_end.close();
  out.write_end.close();
  err.write_end.close();
  report.write_end.close();
  int error = 0;
  if (read_some(report.read_end.get(), &error, sizeof error) == sizeof error) {
    waitpid(pid_, nullptr, 0);
    throw UserError("cannot start " + to_utf8(start.words.front()) + ": " + error_text(error) + "; check the command");
  }
  input_ = std::move(in.write_end);
  output_ = std::move(out.read_end);
  errors_ = std::move(err.read_end);
  for (const FileHandle* end : {&input_, &output_, &errors_}) ::fcntl(end->get(), F_SETFL, O_NONBLOCK);
}

EngineProcess::~EngineProcess() {
  write_line("quit");
  input_.close();
  for (const auto deadline = Clock::now() + moment; !has_ended() && Clock::now() < deadline;) {
    std::string ignored;  // an engine that waits for somebody to read does not end
    drain(output_.get(), ignored);
    drain(errors_.get(), ignored);
    std::this_thread::sleep_for(milliseconds(1));
  }
  kill(-pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool EngineProcess::write_line(const std::string& line) {
  read_bytes_ = read_lines_ = 0;
  const std::string text = line + '\n';
  return write_all(input_.get(), text.data(), text.size()) == 0;
}

std::optional<std::string> EngineProcess::take_line() {
  const std::size_t end = pending_.find('\n', begin_);
  if (end == std::string::npos) {
    pending_.erase(0, std::exchange(begin_, 0));
    return std::nullopt;
  }
  std::string line = pending_.substr(begin_, end - begin_);
  begin_ = end + 1;
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

EngineProcess::Reading EngineProcess::read_line(Clock::time_point deadline) {
  for (;;) {
    if (stop_) throw Interrupted();
    if (read_lines_ > most_lines) return {Heard::flood, {}};
    if (std::optional<std::string> line = take_line()) return ++read_lines_, Reading{Heard::line, std::move(*line)};
    if (pending_.size() > longest_line || read_bytes_ > longest_answer) return {Heard::flood, {}};
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());  // a part of one is worth a wait
    if (left <= milliseconds(0)) return {Heard::silence, {}};
    std::array<pollfd, 2> ready{pollfd{output_.get(), POLLIN, 0}, pollfd{errors_.get(), POLLIN, 0}};
    const int wait = static_cast<int>(std::min(left, milliseconds(200)).count());  // wakes up to notice `stop`
    if (poll(ready.data(), ready.size(), wait) <= 0) continue;
    if (ready[1].revents != 0) {
      drain(errors_.get(), last_words_);
      if (last_words_.size() > most_last_words) last_words_.erase(0, last_words_.size() - most_last_words);
      if ((ready[1].revents & POLLIN) == 0) errors_.close();
    }
    if (ready[0].revents == 0) continue;
    const std::size_t before = pending_.size();
    drain(output_.get(), pending_);
    if (pending_.size() == before) return {Heard::end, {}};
  }
}

/// Reads what there is, but no more than a pipe holds.
void EngineProcess::drain(int fd, std::string& into) {
  std::array<char, 64 << 10> buffer;
  const ssize_t count = fd < 0 ? 0 : read_some(fd, buffer.data(), buffer.size());
  if (count <= 0) return;
  into.append(buffer.data(), static_cast<std::size_t>(count));
  read_bytes_ += static_cast<std::size_t>(count);
}

bool EngineProcess::has_ended() const {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_;
}

std::string EngineProcess::obituary() {
  for (const auto deadline = Clock::now() + moment; !has_ended() && Clock::now() < deadline;) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  drain(errors_.get(), last_words_);
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  std::string text = "closed its output";
  if (info.si_pid == pid_ && info.si_code == CLD_EXITED) text = "ended with status " + std::to_string(info.si_status);
  if (info.si_pid == pid_ && info.si_code != CLD_EXITED) {
    text = "was ended by signal " + std::to_string(info.si_status) + " (" + strsignal(info.si_status) + ")";
  }
  while (last_words_.ends_with('\n')) last_words_.pop_back();
  const std::size_t line = last_words_.rfind('\n');
  const std::string last = line == std::string::npos ? last_words_ : last_words_.substr(line + 1);
  return last.empty() ? text : text + " (its last words: " + to_utf8(last) + ")";
}

std::optional<std::int64_t> EngineProcess::cpu_ns() const {
  clockid_t clock{};
  timespec time{};
  if (has_ended() || clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &time) != 0) return std::nullopt;
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::size_t EngineProcess::threads() const {
  std::error_code error;
  const fs::directory_iterator tasks("/proc/" + std::to_string(pid_) + "/task", error);
  return error ? 0 : static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

ProcessNoise EngineProcess::noise() const {
  const fs::path folder = "/proc/" + std::to_string(pid_);
  ProcessNoise noise;
  std::error_code error;
  for (fs::directory_iterator thread(folder / "task", error); !error && thread != end(thread);
       thread.increment(error)) {
    noise.involuntary_switches += status_number(thread->path() / "status", "nonvoluntary_ctxt_switches:");
  }
  std::ifstream file(folder / "stat");
  std::string line;
  std::getline(file, line);
  std::istringstream fields(line.substr(std::min(line.rfind(')') + 1, line.size())));  // the name may hold anything
  std::string skipped;
  for (int i = 3; i < 10; ++i) fields >> skipped;  // state to flags: fields 3 to 9 of proc(5)
  std::int64_t children = 0;
  fields >> noise.minor_faults >> children >> noise.major_faults;
  return noise;
}

}  // namespace slidebench::duel
