// SPDX-License-Identifier: MIT
#include "harness/base/json_schema.hpp"

#include "harness/trace/test_support.hpp"

namespace slidebench {
namespace {

using nlohmann::json;

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
