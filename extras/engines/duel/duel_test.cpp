// SPDX-License-Identifier: MIT
//
// Commands, what engines say, and processes that behave like bad engines: none may hang its owner or stay behind.
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <string>

#include "extras/engines/duel/engine_builds.hpp"
#include "extras/engines/duel/engine_process.hpp"
#include "extras/engines/duel/tree_comparison.hpp"
#include "extras/engines/duel/uci_protocol.hpp"
#include "harness/base/errors.hpp"

namespace slidebench::duel {
namespace {

using Words = std::vector<std::string>;

TEST(command_words, as_a_shell_splits) {
  EXPECT_EQ(command_words("stockfish"), (Words{"stockfish"}));
  EXPECT_EQ(command_words("  ./engine  --net 0 "), (Words{"./engine", "--net", "0"}));
  EXPECT_EQ(command_words("'my engine' \"a b\" c\\ d"), (Words{"my engine", "a b", "c d"}));
  EXPECT_EQ(command_words("engine ''"), (Words{"engine", ""}));
}

TEST(command_words, what_only_a_shell_can_do) {
  for (const char* command :
       {"", "   ", "''", "'open", "a; b", "a | b", "a > b", "$(reboot)", "`reboot`", "$NOT_A_VARIABLE_THAT_IS_SET"}) {
    EXPECT_THROW(command_words(command), UserError) << command;
  }
}

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

TEST(trees, without_a_reference_nothing_is_the_same) { EXPECT_FALSE(compare_trees({Sample{}}).at(0).same_tree()); }

TEST(words, blanks_of_all_kinds) {
  EXPECT_TRUE(words_of("").empty());
  EXPECT_TRUE(words_of(" \t\r").empty());
  EXPECT_EQ(words_of("  go\tnodes  5\r"), (std::vector<std::string_view>{"go", "nodes", "5"}));
}

TEST(option, names_bounds_and_choices) {
  const auto spin = parse_option("option name Hash type spin default 16 min 1 max 33554432");
  ASSERT_TRUE(spin);
  EXPECT_EQ(spin->name + " " + spin->type, "Hash spin");
  EXPECT_EQ(spin->min, 1);
  EXPECT_EQ(spin->max, 33554432);
  const auto combo = parse_option("option name Analysis Contempt type combo default Both var Off var Only White");
  ASSERT_TRUE(combo);
  EXPECT_EQ(combo->name, "Analysis Contempt");
  EXPECT_EQ(combo->choices, (std::vector<std::string>{"Off", "Only White"}));
}

TEST(option, values_that_it_refuses) {
  const struct {
    const char *option, *value, *refusal;
  } cases[] = {{"Hash type spin default 16 min 1 max 33554432", "16", ""},
               {"Hash type spin default 16 min 1 max 33554432", "0", "is at least 1"},
               {"Hash type spin default 16 min 1 max 33554432", "99999999", "is at most 33554432"},
               {"Hash type spin default 16 min 1 max 33554432", "16 MB", "is a whole number"},
               {"Hash type spin default 16 min 1 max 33554432", "", "is a whole number"},
               {"Style type combo var Off var Only White", "only white", ""},
               {"Style type combo var Off var Only White", "Black", "is one of: Off, Only White"},
               {"Ponder type check default false", "yes", "is true or false"},
               {"Clear Hash type button", "1", "is a button and takes no value"},
               {"Debug Log File type string default", "any text", ""}};
  for (const auto& [option, value, expected] : cases)
    EXPECT_EQ(refusal(*parse_option("option name " + std::string(option)), value), expected) << option << ": " << value;
}

TEST(option, what_is_none) {
  for (const char* line : {"", "option", "option name", "option name type spin", "options name Hash", "id name X"}) {
    EXPECT_FALSE(parse_option(line)) << line;
  }
  const auto odd = parse_option("option name Odd type spin min abc max 99999999999999999999");
  ASSERT_TRUE(odd);
  EXPECT_FALSE(odd->min);
  EXPECT_FALSE(odd->max);
}

TEST(option, names_do_not_tell_case) {
  EXPECT_TRUE(same_option("Clear Hash", "clear hash"));
  EXPECT_FALSE(same_option("Hash", "Hashes"));
}

TEST(info, the_last_count_and_the_last_exact_score) {
  SearchReport report;
  add_info("info depth 1 seldepth 1 multipv 1 score cp 31 nodes 20 nps 20000 time 1 pv e2e4", report);
  add_info("info depth 9 score cp 99 lowerbound nodes 900", report);
  add_info("info depth 9 currmove e2e4 currmovenumber 1", report);
  EXPECT_EQ(report.nodes, 900u);
  EXPECT_EQ(report.depth, 9u);
  EXPECT_EQ(report.score, "cp 31");
  add_info("info score mate -4 nodes 1000", report);
  EXPECT_EQ(report.score, "mate -4");
  EXPECT_EQ(report.nodes, 1000u);
}

TEST(info, malformed_parts_change_nothing) {
  SearchReport report;
  add_info("info nodes 5 score cp 1 depth 2", report);
  const SearchReport before = report;
  for (const char* line : {"info", "info nodes", "info nodes -3", "info nodes 1e9",
                           "info nodes 99999999999999999999999", "info score cp", "info score cp x", "info depth -1",
                           "info string nodes 77 score cp 5", "nodes 77", "\xff\xfe\x01", "bestmove e2e4"}) {
    add_info(line, report);
    EXPECT_EQ(report.nodes, before.nodes) << line;
    EXPECT_EQ(report.depth, before.depth) << line;
    EXPECT_EQ(report.course, before.course) << line;
  }
}

TEST(info, the_course_leaves_times_aside) {
  SearchReport one, two, other;
  add_info("info depth 3 score cp 12 time 5 nodes 100 nps 20000 hashfull 1 pv e2e4", one);
  add_info("info depth 3 score cp 12 time 9 nodes 100 nps 11111 hashfull 2 pv e2e4", two);
  add_info("info depth 3 score cp 12 time 5 nodes 101 nps 20000 hashfull 1 pv e2e4", other);
  EXPECT_EQ(one.course, two.course);
  EXPECT_NE(one.course, other.course);
}

TEST(best_move, with_and_without_a_move_to_ponder) {
  EXPECT_EQ(parse_best_move("bestmove e2e4 ponder e7e5"), "e2e4");
  EXPECT_EQ(parse_best_move("bestmove e7e8q\r"), "e7e8q");
  EXPECT_EQ(parse_best_move("bestmove"), "");
  EXPECT_FALSE(parse_best_move("bestmoves e2e4"));
  EXPECT_FALSE(parse_best_move("info bestmove e2e4"));
}

TEST(complaint, what_engines_say_of_options) {
  EXPECT_TRUE(complains_of_option("No such option: Foo"));
  EXPECT_TRUE(complains_of_option("info string Unknown option 'Foo'"));
  EXPECT_FALSE(complains_of_option("info string NNUE evaluation using nn.nnue enabled"));
}

}  // namespace
}  // namespace slidebench::duel
