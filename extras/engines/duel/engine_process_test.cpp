// SPDX-License-Identifier: MIT
//
// Processes that behave like bad engines: none may hang its owner or stay behind.
#include "extras/engines/duel/engine_process.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <string>

namespace slidebench::duel {
namespace {

using Heard = EngineProcess::Heard;

const std::atomic<bool> never_stops = false;

ChildStart shell(const std::string& script) {
  return {.program = "sh", .arguments = {"-c", script}, .own_group = true};
}

Clock::time_point soon() { return Clock::now() + std::chrono::seconds(20); }

TEST(engine_process, lines_go_in_and_out) {
  EngineProcess process(shell("exec cat"), never_stops);
  ASSERT_TRUE(process.write_line("one"));
  ASSERT_TRUE(process.write_line("two\r"));
  EXPECT_EQ(process.read_line(soon()).line, "one");
  EXPECT_EQ(process.read_line(soon()).line, "two");
  EXPECT_GE(process.cpu_ns().value_or(-1), 0);
}

TEST(engine_process, a_closed_output_is_no_end) {
  EngineProcess process(shell("exec >&-; sleep 1000"), never_stops);
  EXPECT_EQ(process.read_line(soon()).heard, Heard::end);
  EXPECT_EQ(process.obituary(), "closed its output");
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

TEST(engine_process, stopping_ends_the_waiting) {
  const std::atomic<bool> stop = true;
  EngineProcess process(shell("exec sleep 1000"), stop);
  EXPECT_THROW(process.read_line(soon()), Interrupted);
}

TEST(engine_process, runs_where_and_with_what_it_is_told) {
  ChildStart start = shell("echo $ONE_MORE; grep Cpus_allowed_list /proc/self/status");
  start.environment = {"ONE_MORE=here"};
  start.cpu = 0;
  EngineProcess process(start, never_stops);
  EXPECT_EQ(process.read_line(soon()).line, "here");
  EXPECT_EQ(process.read_line(soon()).line, "Cpus_allowed_list:\t0");
}

}  // namespace
}  // namespace slidebench::duel
