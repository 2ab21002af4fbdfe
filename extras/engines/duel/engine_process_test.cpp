// SPDX-License-Identifier: MIT
//
// Processes that behave like bad engines: none may hang its owner or stay behind.
#include "extras/engines/duel/engine_process.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <string>

#include "harness/base/errors.hpp"

namespace slidebench::duel {
namespace {

using Heard = EngineProcess::Heard;

const std::atomic<bool> never_stops = false;

ProcessStart shell(const std::string& script) { return {{"sh", "-c", script}, {}, {}}; }

Clock::time_point soon() { return Clock::now() + std::chrono::seconds(20); }

TEST(engine_process, lines_go_in_and_out) {
  EngineProcess process({{"cat"}, {}, {}}, never_stops);
  ASSERT_TRUE(process.write_line("one"));
  ASSERT_TRUE(process.write_line("two\r"));
  EXPECT_EQ(process.read_line(soon()).line, "one");
  EXPECT_EQ(process.read_line(soon()).line, "two");
  EXPECT_GE(process.cpu_ns().value_or(-1), 0);
}

TEST(engine_process, silence_has_a_deadline) {
  EngineProcess process({{"sleep", "1000"}, {}, {}}, never_stops);
  EXPECT_EQ(process.read_line(Clock::now() + std::chrono::milliseconds(20)).heard, Heard::silence);
}

TEST(engine_process, the_end_is_told_with_status_and_last_words) {
  EngineProcess process(shell("echo last; echo first >&2; echo no net file >&2; exit 3"), never_stops);
  EXPECT_EQ(process.read_line(soon()).line, "last");
  EXPECT_EQ(process.read_line(soon()).heard, Heard::end);
  EXPECT_EQ(process.obituary(), "ended with status 3 (its last words: no net file)");
  EXPECT_FALSE(process.cpu_ns());
}

TEST(engine_process, a_signal_is_named) {
  EngineProcess process(shell("kill -SEGV $$"), never_stops);
  EXPECT_EQ(process.read_line(soon()).heard, Heard::end);
  EXPECT_EQ(process.obituary(), "was ended by signal 11 (Segmentation fault)");
}

TEST(engine_process, a_closed_output_is_no_end) {
  EngineProcess process(shell("exec >&-; sleep 1000"), never_stops);
  EXPECT_EQ(process.read_line(soon()).heard, Heard::end);
  EXPECT_EQ(process.obituary(), "closed its output");
}

TEST(engine_process, floods_are_cut) {
  EngineProcess lines({{"yes"}, {}, {}}, never_stops);
  EngineProcess::Reading reading{Heard::line, ""};
  while (reading.heard == Heard::line) reading = lines.read_line(soon());
  EXPECT_EQ(reading.heard, Heard::flood);
  EngineProcess one_line({{"cat", "/dev/zero"}, {}, {}}, never_stops);
  EXPECT_EQ(one_line.read_line(soon()).heard, Heard::flood);
}

TEST(engine_process, what_it_starts_ends_with_it) {
  pid_t grandchild = 0;
  {
    EngineProcess process(shell("sleep 1000 & echo $!; wait"), never_stops);
    grandchild = static_cast<pid_t>(std::stoi(process.read_line(soon()).line));
    EXPECT_EQ(kill(grandchild, 0), 0);
  }
  // It is left to the system to collect it, which may take a moment.
  for (const auto deadline = soon(); kill(grandchild, 0) == 0 && Clock::now() < deadline;) {
    std::ifstream status("/proc/" + std::to_string(grandchild) + "/stat");
    std::string line;
    std::getline(status, line);
    if (line.find(") Z ") != std::string::npos) return;  // nobody collects in a container without an init
  }
  EXPECT_NE(kill(grandchild, 0), 0);
}

TEST(engine_process, is_collected) {
  pid_t id = 0;
  {
    EngineProcess process({{"sleep", "1000"}, {}, {}}, never_stops);
    id = process.id();
  }
  EXPECT_EQ(kill(id, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST(engine_process, stopping_ends_the_waiting) {
  const std::atomic<bool> stop = true;
  EngineProcess process({{"sleep", "1000"}, {}, {}}, stop);
  EXPECT_THROW(process.read_line(soon()), Interrupted);
}

TEST(engine_process, runs_where_and_with_what_it_is_told) {
  EngineProcess process(
      {{"sh", "-c", "echo $ONE_MORE; grep Cpus_allowed_list /proc/self/status"}, {"ONE_MORE=here"}, 0u}, never_stops);
  EXPECT_EQ(process.read_line(soon()).line, "here");
  EXPECT_EQ(process.read_line(soon()).line, "Cpus_allowed_list:\t0");
}

TEST(engine_process, cannot_be_started) {
  const auto complaint = [](const std::string& program) -> std::string {
    try {
      EngineProcess process({{program}, {}, {}}, never_stops);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(complaint("/nonexistent/engine").find("No such file or directory"), std::string::npos);
  EXPECT_NE(complaint("no-such-engine-anywhere").find("No such file or directory"), std::string::npos);
  EXPECT_NE(complaint("/etc/passwd").find("Permission denied"), std::string::npos);
}

}  // namespace
}  // namespace slidebench::duel
