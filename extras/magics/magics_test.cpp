// SPDX-License-Identifier: MIT
//
// The finder: repeatable, right, and the committed factors are its own. The check: it can fail.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "extras/magics/check.hpp"
#include "extras/magics/factor_search.hpp"
#include "extras/magics/find_factors.hpp"
#include "extras/magics/sparse_search.hpp"
#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

using magic::Piece;

constexpr const char* committed_files[] = {
    "magic_factors.hpp",        "dense_factors.hpp",       "packed_shift_factors.hpp", "split32_factors.hpp",
    "split32_fold_factors.hpp", "fixed_shift_factors.hpp", "overlapped_factors.hpp",   "black_factors.hpp"};

std::string committed_path(const std::string& name) { return TEST_SOURCE_DIR "/methods/magic/" + name; }

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string written(const std::string& text) {
  std::string path = testing::TempDir() + "/factors.hpp";
  std::ofstream(path) << text;
  return path;
}

std::string refusal_of(const std::string& path) {
  try {
    read_factor_file(path);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

FactorFile found(const char* variant, unsigned jobs, double seconds = 0.05) {
  return find_factors({.variant = find_magic_variant(variant), .seed = 1, .jobs = jobs, .seconds = seconds}, {}, {},
                      {});
}

TEST(Magics, CommittedFactorsAreMagic) {
  for (const char* name : committed_files) {
    const MagicsReport report = check_factors(read_factor_file(committed_path(name)));
    EXPECT_FALSE(report.counter_example) << name << ": " << *report.counter_example;
    EXPECT_GT(report.used, 1428u) << name;
  }
}

TEST(Magics, CommittedFancyFactorsAreFoundAgain) {
  const FactorFile file = found("fancy", 1);
  EXPECT_EQ(
      factor_header(file, "slidebench magics find --variant fancy --seed 1 --out methods/magic/magic_factors.hpp"),
      text_of(committed_path("magic_factors.hpp")));
}

TEST(Magics, TheNumberOfThreadsDoesNotMatter) {
  for (const char* variant : {"fancy", "packed_shift"}) {
    EXPECT_EQ(factor_header(found(variant, 1), ""), factor_header(found(variant, 4), "")) << variant;
  }
}

TEST(Magics, HeadersAreReadAsTheyWereWritten) {
  for (const char* name : committed_files) {
    const FactorFile file = read_factor_file(committed_path(name));
    const FactorFile again = read_factor_file(written(factor_header(file, "command")));
    EXPECT_EQ(factor_header(again, "command"), factor_header(file, "command")) << name;
  }
}

/// One bit of one factor: nearly every such change breaks a factor, so a few of them must be caught for each file.
TEST(Magics, AChangedFactorIsCaught) {
  for (const char* name : committed_files) {
    FactorFile file = read_factor_file(committed_path(name));
    for (const Square s : {Square{0}, Square{27}, Square{36}}) file.bishop[s].factor ^= std::uint64_t{1} << 13;
    EXPECT_TRUE(check_factors(file).counter_example) << name;
  }
}

TEST(Magics, ATableOfTheWrongLengthIsCaught) {
  FactorFile file = read_factor_file(committed_path("black_factors.hpp"));
  ++file.slots;
  EXPECT_TRUE(check_factors(file).counter_example);
}

TEST(Magics, BadFilesAreRefusedInOneLine) {
  EXPECT_NE(refusal_of("/nonexistent/factors.hpp").find("cannot open"), std::string::npos);
  EXPECT_NE(refusal_of(written("")).find("no magic factors"), std::string::npos);
  EXPECT_NE(refusal_of(written("int main() {}\n")).find("no magic factors"), std::string::npos);
  const std::string text = text_of(committed_path("black_factors.hpp"));
  EXPECT_NE(refusal_of(written(text.substr(0, text.size() / 2))).find("truncated"), std::string::npos);
  const std::size_t row = text.find("{0x");
  EXPECT_NE(refusal_of(written(text.substr(0, row) + text.substr(text.find("},", row) + 2))).find("126 numbers"),
            std::string::npos);
}

/// The worked example of T. Sandmann's introduction: a magic for c6; with a factor of 1 there is none.
TEST(Magics, TellAMagicFromAnotherNumber) {
  const auto c6 = magic::square_problem(Piece::rook, square_at(2, 5));
  const auto index = [](std::uint64_t factor) { return [factor](Bitboard o) { return (o * factor) >> 54; }; };
  EXPECT_FALSE(find_collision(c6, 1024, index(432627108460691524u)));
  EXPECT_TRUE(find_collision(c6, 1024, index(1)));
}

TEST(Magics, TheSearchSquareBySquareGivesMagicFactors) {
  for (const Square s : {square_at(6, 7), square_at(7, 7), square_at(1, 7)}) {
    const auto problem = magic::square_problem(Piece::rook, s);
    magic::FactorSearch search(problem);
    const magic::SearchPlan plan{
        .index_bits = problem.bits(), .slots = std::size_t{1} << problem.bits(), .budget = 100'000};
    magic::Random random(1);
    std::optional<std::uint64_t> factor;
    for (int attempt = 0; attempt < 50 && !factor; ++attempt) factor = search.find(plan, random);
    ASSERT_TRUE(factor) << s;
    const auto index = [&](Bitboard o) { return (o * *factor) >> (64 - problem.bits()); };
    EXPECT_FALSE(find_collision(problem, std::size_t{1} << problem.bits(), index)) << s;
  }
}

/// Drawing at random does not find these; the hints of the plan do, in some hundredths of a second.
TEST(Magics, TheSearchFindsARooksFactorOfOneBitLess) {
  const auto problem = magic::square_problem(Piece::rook, square_at(1, 7));  // b8
  magic::FactorSearch search(problem);
  const magic::SearchPlan plan{.index_bits = 10, .slots = 1024, .budget = 200'000, .values = 64, .short_terms = 0b1011};
  magic::Random random(1);
  std::optional<std::uint64_t> factor;
  for (int attempt = 0; attempt < 500 && !factor; ++attempt) factor = search.find(plan, random);
  ASSERT_TRUE(factor);
  EXPECT_FALSE(find_collision(problem, 1024, [&](Bitboard o) { return (o * *factor) >> 54; }));
}

TEST(Magics, TheSearchKeepsToAShortArray) {
  const auto problem = magic::square_problem(Piece::rook, square_at(4, 4));  // e5
  magic::FactorSearch search(problem);
  const magic::SearchPlan plan{.index_bits = 12, .slots = 1200, .budget = 100'000};
  magic::Random random(1);
  std::optional<std::uint64_t> factor;
  for (int attempt = 0; attempt < 100 && !factor; ++attempt) factor = search.find(plan, random);
  ASSERT_TRUE(factor);
  EXPECT_FALSE(find_collision(problem, 1200, [&](Bitboard o) { return (o * *factor) >> 52; }));
  for (const Bitboard o : problem.occupancies) EXPECT_LT((o * *factor) >> 52, 1200u);
}

TEST(Magics, ATimedSearchNeverMakesAFileWorse) {
  const FactorFile start = read_factor_file(committed_path("fixed_shift_factors.hpp"));
  const FactorFile again =
      find_factors({.variant = start.variant, .seed = 3, .jobs = 2, .seconds = 0.2}, start, {}, {});
  EXPECT_LE(again.slots, start.slots);
  EXPECT_FALSE(check_factors(again).counter_example);
}

}  // namespace
}  // namespace slidebench
