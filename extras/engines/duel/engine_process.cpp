// SPDX-License-Identifier: MIT
#include "extras/engines/duel/engine_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>
#include <utility>

#include "harness/base/errors.hpp"
#include "harness/base/text.hpp"

namespace slidebench::duel {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr std::size_t longest_line = 64 << 10;
constexpr std::size_t longest_answer = 64 << 20;
constexpr std::size_t most_lines = 1 << 20;  // of an answer
constexpr std::size_t most_last_words = 200;
constexpr milliseconds moment(500);  // for a process to end in

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

EngineProcess::EngineProcess(const ChildStart& start, const std::atomic<bool>& stop) try : child_(start), stop_(stop) {
  std::signal(SIGPIPE, SIG_IGN);
  for (const FileHandle* end : {&child_.input(), &child_.output(), &child_.errors()}) {
    ::fcntl(end->get(), F_SETFL, O_NONBLOCK);
  }
} catch (const CannotStart& failure) {
  throw UserError(to_utf8(failure.what()) + "; check the command");
}

EngineProcess::~EngineProcess() {
  write_line("quit");
  child_.input().close();
  wait_for_the_end();
}

/// For a moment. An engine that waits for somebody to read does not end.
void EngineProcess::wait_for_the_end() {
  for (const auto deadline = Clock::now() + moment; !child_.has_ended() && Clock::now() < deadline;) {
    drain(child_.output().get(), pending_);
    drain(child_.errors().get(), last_words_);
    std::this_thread::sleep_for(milliseconds(1));
  }
}

bool EngineProcess::write_line(const std::string& line) {
  read_bytes_ = read_lines_ = 0;
  const std::string text = line + '\n';
  return write_all(child_.input().get(), text.data(), text.size()) == 0;
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
    std::array<pollfd, 2> ready{pollfd{child_.output().get(), POLLIN, 0}, pollfd{child_.errors().get(), POLLIN, 0}};
    const int wait = static_cast<int>(std::min(left, milliseconds(200)).count());  // wakes up to notice `stop`
    if (poll(ready.data(), ready.size(), wait) <= 0) continue;
    if (ready[1].revents != 0) {
      drain(child_.errors().get(), last_words_);
      if (last_words_.size() > most_last_words) last_words_.erase(0, last_words_.size() - most_last_words);
      if ((ready[1].revents & POLLIN) == 0) child_.errors().close();
    }
    if (ready[0].revents == 0) continue;
    const std::size_t before = pending_.size();
    drain(child_.output().get(), pending_);
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

std::string EngineProcess::obituary() {
  wait_for_the_end();
  drain(child_.errors().get(), last_words_);
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(id()), &info, WEXITED | WNOHANG | WNOWAIT);
  std::string text = "closed its output";
  if (info.si_pid == id() && info.si_code == CLD_EXITED) text = "ended with status " + std::to_string(info.si_status);
  if (info.si_pid == id() && info.si_code != CLD_EXITED) {
    text = "was ended by signal " + std::to_string(info.si_status) + " (" + strsignal(info.si_status) + ")";
  }
  while (last_words_.ends_with('\n')) last_words_.pop_back();
  const std::size_t line = last_words_.rfind('\n');
  const std::string last = line == std::string::npos ? last_words_ : last_words_.substr(line + 1);
  return last.empty() ? text : text + " (its last words: " + to_utf8(last) + ")";
}

std::size_t EngineProcess::threads() const {
  std::error_code error;
  const fs::directory_iterator tasks("/proc/" + std::to_string(id()) + "/task", error);
  return error ? 0 : static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

ProcessNoise EngineProcess::noise() const {
  const fs::path folder = "/proc/" + std::to_string(id());
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
