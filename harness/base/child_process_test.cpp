// SPDX-License-Identifier: MIT
#include "harness/base/child_process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "harness/trace/test_support.hpp"

namespace slidebench {
namespace {

ChildStart shell(const std::string& script) { return {.program = "sh", .arguments = {"-c", script}}; }

std::string all_of(const FileHandle& stream) {
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read_some(stream.get(), buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  return text;
}

/// Whether a process that is none of our children runs. One that has ended without being waited for does not.
bool runs(pid_t process) {
  const std::string stat = test::read_file("/proc/" + std::to_string(process) + "/stat");
  const std::size_t name_end = stat.rfind(')');
  return name_end != std::string::npos && stat.compare(name_end, 4, ") Z ") != 0 &&
         stat.compare(name_end, 4, ") X ") != 0;
}

TEST(ChildProcess, HasPipesOnItsStreamsAndSaysHowItEnded) {
  ChildProcess child(shell("read line; echo out $line; echo err $line >&2; exit 3"));
  EXPECT_EQ(write_all(child.input().get(), "hello\n", 6), 0);
  child.input().close();
  EXPECT_EQ(all_of(child.output()), "out hello\n");
  EXPECT_EQ(all_of(child.errors()), "err hello\n");
  EXPECT_EQ(child.wait(), 3);
  EXPECT_EQ(child.wait(), 0) << "waited for twice";
  EXPECT_EQ(ChildProcess(shell("kill -SEGV $$")).wait(), 128 + SIGSEGV);
}

TEST(ChildProcess, AnEntryOfItsEnvironmentReplacesOurs) {
  const test::ScopedEnvironment ours("SLIDEBENCH_TEST_ENTRY", "ours");
  ChildStart start = shell("echo $SLIDEBENCH_TEST_ENTRY");
  EXPECT_EQ(all_of(ChildProcess(start).output()), "ours\n");
  start.environment = {"SLIDEBENCH_TEST_ENTRY=theirs"};
  EXPECT_EQ(all_of(ChildProcess(start).output()), "theirs\n");
}

TEST(ChildProcess, IsKilledWhenItIsForgotten) {
  pid_t process = 0;
  {
    const ChildProcess child({.program = "sleep", .arguments = {"1000"}});
    process = child.id();
    EXPECT_TRUE(runs(process));
  }
  EXPECT_FALSE(runs(process));
}

TEST(ChildProcess, EndsWithAKilledParent) {
  Pipe pipe = make_pipe();
  const pid_t parent = fork();
  ASSERT_GE(parent, 0);
  if (parent == 0) {
    const ChildProcess child({.program = "sleep", .arguments = {"1000"}});
    const pid_t id = child.id();
    write_all(pipe.write_end.get(), &id, sizeof id);
    for (;;) pause();
  }
  pid_t child = 0;
  ASSERT_EQ(read_some(pipe.read_end.get(), &child, sizeof child), static_cast<ssize_t>(sizeof child));
  EXPECT_TRUE(runs(child));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  for (int i = 0; i < 1000 && runs(child); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(runs(child));
}

TEST(ChildProcess, EndsWithWhatItHasStarted) {
  pid_t other = 0;
  {
    ChildStart start = shell("sleep 1000 & echo $!");  // which outlives the shell
    start.own_group = true;
    ChildProcess child(start);
    char line[32] = {};
    ASSERT_GT(read_some(child.output().get(), line, sizeof line - 1), 0);
    other = std::atoi(line);
    EXPECT_TRUE(runs(other));
    EXPECT_EQ(child.wait(), 0);
  }
  for (int i = 0; i < 1000 && runs(other); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(runs(other));
}

TEST(ChildProcess, SaysWhyItCannotStart) {
  const auto error_of = [](const std::string& program) {
    try {
      ChildProcess child({.program = program, .arguments = {}});
    } catch (const CannotStart& failure) {
      EXPECT_NE(std::string(failure.what()).find("cannot start " + program), std::string::npos) << failure.what();
      return failure.error;
    }
    return 0;
  };
  EXPECT_EQ(error_of("/nonexistent/program"), ENOENT);
  EXPECT_EQ(error_of("no-such-program-anywhere"), ENOENT);
  EXPECT_EQ(error_of("/etc/passwd"), EACCES);
}

}  // namespace
}  // namespace slidebench
