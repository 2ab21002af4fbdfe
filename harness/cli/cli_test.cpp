// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "harness/cli/magic_search.hpp"
#include "harness/cli/text_output.hpp"
#include "harness/trace/errors.hpp"
#include "methods/magic/find_factor.hpp"
#include "methods/magic/magic_factors.hpp"

namespace slidebench {
namespace {

/// The committed constants are what the search finds, to the byte.
TEST(MagicSearch, FindsTheCommittedFactorsAgain) {
  std::ifstream file(TEST_SOURCE_DIR "/methods/magic/magic_factors.hpp");
  ASSERT_TRUE(file.good());
  std::ostringstream committed;
  committed << file.rdbuf();
  EXPECT_EQ(magic_factors_header(find_magic_factors(1), 1), committed.str());
}

TEST(MagicSearch, AnotherSeedFindsOtherFactors) {
  const MagicFactors factors = find_magic_factors(2);
  EXPECT_NE(factors.rook[0], rook_factors[0]);
  magic::FactorSearch a1(magic::Piece::rook, 0);
  EXPECT_TRUE(a1.is_magic(factors.rook[0], 12));
}

/// A factor for n bits is magic for 12 (rook) and 9 (bishop) bits too: plain magic relies on it.
TEST(MagicSearch, FancyFactorsServePlainTables) {
  for (Square s = 0; s < square_count; ++s) {
    EXPECT_TRUE(magic::FactorSearch(magic::Piece::rook, s).is_magic(rook_factors[s], 12));
    EXPECT_TRUE(magic::FactorSearch(magic::Piece::bishop, s).is_magic(bishop_factors[s], 9));
  }
}

/// The worked example of T. Sandmann's introduction: a magic for c6; with a factor of 1 there is none.
TEST(MagicSearch, TellsAMagicFromAnotherNumber) {
  magic::FactorSearch c6(magic::Piece::rook, square_at(2, 5));
  EXPECT_TRUE(c6.is_magic(432627108460691524u, 10));
  EXPECT_FALSE(c6.is_magic(1, 10));
}

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
