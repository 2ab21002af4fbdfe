// SPDX-License-Identifier: MIT
#include "harness/statistics/sample.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "harness/trace/test_support.hpp"

namespace slidebench {
namespace {

/// A row of samples.csv with one cell, named by its column, replaced.
std::string row_with(const std::string& column, const std::string& value) {
  Sample sample;
  sample.contender = "pext";
  sample.queries = 1000;
  sample.time_ns = 1234.5;
  sample.steal_ticks = 0;
  std::istringstream names(sample_csv_header()), values(to_csv(sample));
  std::string row, name, cell;
  while (std::getline(names, name, ',') && std::getline(values, cell, ',')) {
    row += (row.empty() ? "" : ",") + (name == column ? value : cell);
  }
  return row;
}

TEST(ParseSample, RefusesWhatIsNoWholeNumber) {
  for (const char* column :
       {"process_run", "round", "position", "placement", "corunners", "segment", "queries", "nodes", "time_ns",
        "checksum", "involuntary_switches", "minor_faults", "major_faults", "steal_ticks"}) {
    for (const char* value : {"-1", "nan", "12abc", "inf", "-0", "1e", " 1", "+1", "abc"}) {
      test::expect_complaint("not a sample", [&] { parse_sample(row_with(column, value)); });
    }
    if (std::string(column) != "steal_ticks") {
      test::expect_complaint("not a sample", [&] { parse_sample(row_with(column, "")); });
    }
  }
}

TEST(ParseSample, RefusesNumbersOutOfRange) {
  EXPECT_EQ(parse_sample(row_with("queries", "18446744073709551615")).queries, UINT64_MAX);
  const auto refuse = [](const std::string& column, const std::string& value) {
    SCOPED_TRACE(value);
    test::expect_complaint("not a sample", [&] { parse_sample(row_with(column, value)); });
  };
  refuse("process_run", "4294967296");
  for (const char* queries : {"18446744073709551616", "1.5"}) refuse("queries", queries);
  for (const std::string& time : {"1" + std::string(400, '0'), std::string("0.0")}) refuse("time_ns", time);
  for (const char* checksum : {"0x", "0x-1", "0x12345678901234567"}) refuse("checksum", checksum);
}

}  // namespace
}  // namespace slidebench
