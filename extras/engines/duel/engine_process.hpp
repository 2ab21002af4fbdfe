// SPDX-License-Identifier: MIT
//
// An engine's process: lines in, lines out, and what the system knows of it. Nothing that it does can hang or outlive
// its owner.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/base/child_process.hpp"
#include "harness/platform/machine.hpp"

namespace slidebench::duel {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The user has asked to stop.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

class EngineProcess {
 public:
  /// @param start  with a group of its own
  /// @param stop   ends all waiting: Interrupted is thrown
  /// @throws UserError  with the system's reason, if the program cannot be started
  EngineProcess(const ChildStart& start, const std::atomic<bool>& stop);
  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;

  /// Says "quit", waits for a moment, and kills the process and those that it has started.
  ~EngineProcess();

  /// Writes a line, and forgets how much was read. Returns false if the process does not take it.
  bool write_line(const std::string& line);

  enum class Heard { line, silence, end, flood };
  struct Reading {
    Heard heard;
    std::string line;  ///< without its line end; empty unless a line was heard
  };

  /// The next line of its standard output. Silence: none until the deadline. Flood: a line that does not end, or more
  /// output since the last write than any answer has.
  Reading read_line(Clock::time_point deadline);

  /// How it ended, once its output has: "ended with status 3; its last words: ..."; a moment is waited for that.
  std::string obituary();

  /// CPU time of all its threads, ended ones too, in user and kernel mode, in nanoseconds. From its CPU-time clock
  /// (clock_getcpuclockid): /proc/PID/stat counts in ticks of 10 ms, /proc/PID/schedstat knows one thread alone, and
  /// rusage is there only once the process has ended. Absent if it has ended.
  std::optional<std::int64_t> cpu_ns() const;

  /// Involuntary switches of its threads, and its page faults, so far; zeros where the kernel does not tell.
  ProcessNoise noise() const;

  /// How many threads it has now.
  std::size_t threads() const;

  pid_t id() const { return child_.id(); }

 private:
  void wait_for_the_end();
  void drain(int fd, std::string& into);
  std::optional<std::string> take_line();

  ChildProcess child_;
  const std::atomic<bool>& stop_;
  std::string pending_;  ///< read; handed out up to begin_
  std::size_t begin_ = 0;
  std::string last_words_;      ///< the end of its standard error
  std::size_t read_bytes_ = 0;  ///< since the last write
  std::size_t read_lines_ = 0;  ///< the same in lines
};

}  // namespace slidebench::duel
