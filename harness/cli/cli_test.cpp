// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "harness/cli/text_output.hpp"
#include "harness/trace/errors.hpp"

namespace slidebench {
namespace {

TEST(TextOutput, CsvCells) {
  EXPECT_EQ(csv_cell("plain"), "plain");
  EXPECT_EQ(csv_cell("a, b"), "\"a, b\"");
  EXPECT_EQ(csv_cell("say \"x\""), "\"say \"\"x\"\"\"");
}

TEST(TextOutput, NumbersForPeople) {
  EXPECT_EQ(with_commas(7), "7");
  EXPECT_EQ(with_commas(1234567), "1,234,567");
  EXPECT_EQ(with_commas(102400), "102,400");
  EXPECT_EQ(readable_bytes(0), "0 B");
  EXPECT_EQ(readable_bytes(865280), "845.0 KiB");
  EXPECT_EQ(readable_bytes(2361344), "2.25 MiB");
}

TEST(TextOutput, AFullDiskIsAnError) {
  EXPECT_THROW(write_file("/dev/full", "text"), UserError);
  EXPECT_THROW(write_file("/nonexistent/folder/file", "text"), UserError);
}

}  // namespace
}  // namespace slidebench
