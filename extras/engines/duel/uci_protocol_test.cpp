// SPDX-License-Identifier: MIT
#include "extras/engines/duel/uci_protocol.hpp"

#include <gtest/gtest.h>

namespace slidebench::duel {
namespace {

TEST(words, blanks_of_all_kinds) {
  EXPECT_TRUE(words_of("").empty());
  EXPECT_TRUE(words_of(" \t\r").empty());
  EXPECT_EQ(words_of("  go\tnodes  5\r"), (std::vector<std::string_view>{"go", "nodes", "5"}));
}

TEST(option, a_spin) {
  const auto option = parse_option("option name Hash type spin default 16 min 1 max 33554432");
  ASSERT_TRUE(option);
  EXPECT_EQ(option->name, "Hash");
  EXPECT_EQ(option->type, "spin");
  EXPECT_EQ(option->min, 1);
  EXPECT_EQ(option->max, 33554432);
  EXPECT_EQ(refusal(*option, "16"), "");
  EXPECT_EQ(refusal(*option, "0"), "is at least 1");
  EXPECT_EQ(refusal(*option, "99999999"), "is at most 33554432");
  EXPECT_EQ(refusal(*option, "16 MB"), "is a whole number");
  EXPECT_EQ(refusal(*option, ""), "is a whole number");
}

TEST(option, names_and_choices_of_several_words) {
  const auto option = parse_option("option name Analysis Contempt type combo default Both var Off var Only White");
  ASSERT_TRUE(option);
  EXPECT_EQ(option->name, "Analysis Contempt");
  EXPECT_EQ(option->choices, (std::vector<std::string>{"Off", "Only White"}));
  EXPECT_EQ(refusal(*option, "only white"), "");
  EXPECT_EQ(refusal(*option, "Black"), "is one of: Off, Only White");
}

TEST(option, checks_buttons_and_strings) {
  EXPECT_EQ(refusal(*parse_option("option name Ponder type check default false"), "yes"), "is true or false");
  EXPECT_EQ(refusal(*parse_option("option name Clear Hash type button"), "1"), "is a button and takes no value");
  EXPECT_EQ(refusal(*parse_option("option name Debug Log File type string default"), "any text"), "");
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
