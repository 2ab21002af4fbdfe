// SPDX-License-Identifier: MIT
#include "harness/base/text.hpp"
#include "harness/base/json_schema.hpp"
#include "harness/base/suggestion.hpp"
#include "harness/base/terminal.hpp"
#include "harness/base/text_output.hpp"
#include "harness/base/text_table.hpp"
#include "harness/trace/test_support.hpp"

namespace slidebench {
namespace {

using nlohmann::json;

TEST(TextOutput, NumbersForPeople) {
  EXPECT_EQ(with_commas(7), "7");
  EXPECT_EQ(with_commas(1234567), "1,234,567");
  EXPECT_EQ(with_commas(102400), "102,400");
  // The same as in scripts/tests/test_report.py, so that the terminal and the page agree.
  const std::pair<std::uint64_t, std::string> sizes[] = {
      {0, "0 B"}, {512, "512 B"}, {2048, "2 KiB"}, {9728, "9.50 KiB"}, {865280, "845 KiB"}, {2361344, "2.25 MiB"}};
  for (const auto& [bytes, text] : sizes) EXPECT_EQ(readable_bytes(bytes), text);
}

TEST(TextOutput, Cells) {
  EXPECT_EQ(csv_cell("plain"), "plain");
  EXPECT_EQ(csv_cell("a, b"), "\"a, b\"");
  EXPECT_EQ(csv_cell("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(decimals(1.0 / 3, 4), "0.3333");
  EXPECT_EQ(decimals(-1234567, 1), "-1234567.0");
  EXPECT_EQ(decimals(1e200, 5), "1e+200");  // not its first digits
  EXPECT_EQ(significant(2.5e-9), "2.5e-09");
  EXPECT_EQ(significant(1), "1");
}

TEST(TextTable, ColumnsAreAsWideAsTheirWidestCells) {
  const TextTable table{.sides = "lrl",
                        .indent = 1,
                        .gap = 2,
                        .rows = {{"id", "ns", "verdict"}, {"J\xc3\xb6rg", "\033[32m7.25\033[0m", "x"}}};
  EXPECT_EQ(table.text(), " id      ns  verdict\n J\xc3\xb6rg  \033[32m7.25\033[0m  x\n");
}

TEST(Suggestion, NearWordsAreFoundAndFarOnesAreNot) {
  const std::vector<std::string> methods{"pext", "magic_fancy", "hyperbola", "magic_plain"};
  EXPECT_EQ(nearest_word("pxet", methods), "pext");
  EXPECT_EQ(nearest_word("PEXT", methods), "pext");
  EXPECT_EQ(nearest_word("hyperbole", methods), "hyperbola");
  EXPECT_EQ(nearest_word("fancy", methods), "magic_fancy");
  for (const std::string& far : std::vector<std::string>{"sliding", "q", "", std::string(1000, 'a')}) {
    EXPECT_EQ(nearest_word(far, methods), "") << far;
  }
  EXPECT_EQ(did_you_mean("pexd", methods), "; did you mean 'pext'?");
  EXPECT_EQ(did_you_mean("sliding", methods), "");
}

TEST(Terminal, BreaksLinesAtSpaces) {
  EXPECT_EQ(wrapped("one two three", 8, 2), "one two\n  three");
  EXPECT_EQ(wrapped("one two three", 0, 2), "one two three");
  EXPECT_EQ(wrapped("averylongword b", 4, 1), "averylongword\n b");
  EXPECT_EQ(wrapped("", 10, 2), "");
}

TEST(Terminal, InkLeavesTextAsItIsWithoutColour) {
  EXPECT_EQ(Ink(false).good("x"), "x");
  EXPECT_EQ(Ink(true).good("x"), "\033[32mx\033[0m");
  EXPECT_FALSE(colour_wanted(-1));
}

TEST(Text, NothingOfItIsObeyedByATerminal) {
  EXPECT_EQ(printable("a\x1b]0;title\x07\x1b[31mb\n\x7f"), "a?]0;title??[31mb??");
  // NOLINTNEXTLINE(misc-misleading-bidirectional): what is to be taken out
  EXPECT_EQ(printable("\u0080\u009b31m\u00a0\u061c\u200e\u200f\u2028\u202e\u2066\u2069"), "??31m\u00a0???????");
  EXPECT_EQ(printable("M\u00fcller \u4e16 \U0001f600 \u2027\u202f\u2065\u206a"),
            "M\u00fcller \u4e16 \U0001f600 \u2027\u202f\u2065\u206a");
  EXPECT_EQ(printable("M\xfcller"), "M\u00fcller") << "Latin-1";
  EXPECT_EQ(printable("\x9b"), "?") << "a control of Latin-1";
}

TEST(Text, FromOutsideIsMadeFitForOneLineOfUtf8) {
  EXPECT_EQ(to_utf8("\xc3"), "\u00c3") << "cut off in UTF-8, so Latin-1";
  EXPECT_EQ(source_name("-"), "standard input");
  EXPECT_STREQ(UserError("a\nb\x7F").what(), "a?b?");
}

TEST(Text, LongTextIsShortenedBetweenCharacters) {
  EXPECT_EQ(shortened("0123456789", 10), "0123456789");
  EXPECT_EQ(shortened("0123456789x", 10), "01234...6789x");
  EXPECT_EQ(shortened("\u4e16\u4e16\u4e16\u4e16", 8), "\u4e16...\u4e16");
}

/// What is said of a text held against a schema; empty if nothing is.
std::string refusal(const std::string& text, const std::string& schema = R"("any")") {
  return test::complaint([&] { check_json(parse_json(text, "file"), json::parse(schema), "file"); });
}

TEST(JsonSchema, SaysWhatIsWrongAndWhere) {
  const std::string schema = R"({"@end": {"low": "number|null"}, "name": "text", "ends?": ["@end"],
                                 "result?": "=passed|=failed", "counts?": {"*": "whole"}, "cpu?": "count", "end?": "@end|null"})";
  const std::pair<std::string, std::string> cases[] = {
      {R"({"name": "a", "ends": [{"low": 1}, {"low": null}], "result": "failed", "counts": {"a": 1}, "end": null, "more": []})",
       ""},
      {R"([])", "file: the whole should be an object, but is array"},
      {R"({})", "file: name is missing"},
      {R"({"name": 7})", "file: name should be a text, but is 7"},
      {R"({"name": "a", "ends": 7})", "file: ends should be a list, but is 7"},
      {R"({"name": "a", "ends": [{"low": 1}, {"low": "x"}]})",
       "file: ends[1].low should be a number or null, but is \"x\""},
      {R"({"name": "a", "ends": [{}]})", "file: ends[0].low is missing"},
      {R"({"name": "a", "result": "good"})", "file: result should be 'passed' or 'failed', but is \"good\""},
      {R"({"name": "a", "counts": {"a": -1}})", "file: counts.a should be a whole number not below 0, but is -1"},
      {R"({"name": "a", "cpu": 4294967296})",
       "file: cpu should be a whole number from 0 to 4294967295, but is 4294967296"},
  };
  for (const auto& [text, said] : cases) EXPECT_EQ(refusal(text, schema), said);
}

TEST(JsonSchema, ReadsWithinLimits) {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  EXPECT_EQ(refusal(nested(64)), "");
  EXPECT_EQ(refusal(nested(66)), "file: its brackets are nested deeper than 64");
  EXPECT_EQ(refusal(std::string(100'000, '[')), "file: its brackets are nested deeper than 64");
  EXPECT_EQ(refusal("{ half"), "file: it is no JSON");
  EXPECT_EQ(refusal(std::string((std::size_t{64} << 20) + 1, ' ')), "file: it is larger than 64 MiB");
}

}  // namespace
}  // namespace slidebench
