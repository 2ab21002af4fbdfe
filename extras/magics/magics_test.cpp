// SPDX-License-Identifier: MIT
//
// The finder: repeatable, right, and the committed factors are its own. The check: it can fail. Shards: disjoint seeds.
// Their merge: the best of all, whatever the order.
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "extras/magics/check.hpp"
#include "extras/magics/factor_search.hpp"
#include "extras/magics/find_factors.hpp"
#include "extras/magics/overlapped/search.hpp"
#include "extras/magics/overlapped/table.hpp"
#include "extras/magics/shard.hpp"
#include "harness/base/errors.hpp"
#include "harness/trace/test_support.hpp"
#include "methods/magic/occupancies.hpp"

namespace slidebench {
namespace {

using magic::Piece;

constexpr const char* all_committed[] = {"magic",        "dense",       "packed_shift", "split32",
                                         "split32_fold", "fixed_shift", "overlapped",   "black"};

std::string committed_path(const std::string& name) {
  return TEST_SOURCE_DIR "/methods/magic/" + name + "_factors.hpp";
}

FactorFile committed(const std::string& name) { return read_factor_file(committed_path(name)); }

std::string written(const std::string& text) {
  std::string path = testing::TempDir() + "/factors.hpp";
  test::write_file(path, text);
  return path;
}

FactorFile found(const char* variant, unsigned jobs) {
  return find_factors({.variant = find_magic_variant(variant), .seed = 1, .jobs = jobs, .seconds = 0.05}, {}, {}, {});
}

TEST(Magics, CommittedFactorsAreMagic) {
  for (const char* name : all_committed) {
    const MagicsReport report = check_factors(committed(name));
    EXPECT_FALSE(report.counter_example) << name << ": " << *report.counter_example;
    EXPECT_GT(report.used, 1428u) << name;
  }
}

TEST(Magics, CommittedFancyFactorsAreFoundAgain) {
  EXPECT_EQ(factor_header(found("fancy", 1),
                          "slidebench magics find --variant fancy --seed 1 --out methods/magic/magic_factors.hpp"),
            test::read_file(committed_path("magic")));
}

TEST(Magics, TheNumberOfThreadsDoesNotMatter) {
  for (const char* variant : {"fancy", "packed_shift"}) {
    EXPECT_EQ(factor_header(found(variant, 1), ""), factor_header(found(variant, 4), "")) << variant;
  }
}

TEST(Magics, HeadersAreReadAsTheyWereWritten) {
  for (const char* name : all_committed) {
    const FactorFile file = committed(name);
    const FactorFile again = read_factor_file(written(factor_header(file, "command")));
    EXPECT_EQ(factor_header(again, "command"), factor_header(file, "command")) << name;
  }
}

/// One bit of one factor: nearly every such change breaks a factor, so a few of them must be caught for each file.
TEST(Magics, AChangedFactorOrLengthIsCaught) {
  for (const char* name : all_committed) {
    FactorFile file = committed(name);
    for (const Square s : {Square{0}, Square{27}, Square{36}}) file.bishop[s].factor ^= std::uint64_t{1} << 13;
    EXPECT_TRUE(check_factors(file).counter_example) << name;
  }
  FactorFile file = committed("black");
  ++file.slots;
  EXPECT_TRUE(check_factors(file).counter_example);
}

TEST(Magics, BadFilesAreRefusedInOneLine) {
  test::expect_complaint("cannot open", [] { read_factor_file("/nonexistent/factors.hpp"); });
  const std::string text = test::read_file(committed_path("black"));
  const std::size_t row = text.find("{0x");
  const std::pair<std::string, const char*> bad[] = {
      {"", "no magic factors"},
      {"int main() {}\n", "no magic factors"},
      {text.substr(0, text.size() / 2), "truncated"},
      {text.substr(0, row) + text.substr(text.find("},", row) + 2), "126 numbers"}};
  for (const auto& [written_text, words] : bad) {
    const std::string path = written(written_text);
    test::expect_complaint(words, [&path] { read_factor_file(path); });
  }
}

/// The search for a rook's factor meets one within so many attempts, and it is magic.
void expect_found(Square s, const magic::SearchPlan& plan, int attempts) {
  const auto problem = magic::square_problem(Piece::rook, s);
  magic::FactorSearch search(problem);
  magic::Random random(1);
  std::optional<std::uint64_t> factor;
  for (int attempt = 0; attempt < attempts && !factor; ++attempt) factor = search.find(plan, random);
  ASSERT_TRUE(factor) << s;
  const auto index = [&](Bitboard o) { return (o * *factor) >> (64 - plan.index_bits); };
  for (const Bitboard o : problem.occupancies) ASSERT_LT(index(o), plan.slots) << s;
  EXPECT_FALSE(find_collision(problem, plan.slots, index)) << s;
}

TEST(Magics, TheSearchFindsFactorsOfAllBitsOfOneLessAndOfAShortArray) {
  for (const Square s : {square_at(6, 7), square_at(7, 7), square_at(1, 7)}) {
    const unsigned bits = magic::relevant_bits(Piece::rook, s);
    expect_found(s, {.index_bits = bits, .slots = std::size_t{1} << bits, .budget = 100'000}, 50);
  }
  // Drawing at random does not find these; the hints of the plan do, in some hundredths of a second.
  expect_found(square_at(1, 7),  // b8
               {.index_bits = 10, .slots = 1024, .budget = 200'000, .values = 64, .short_terms = 0b1011}, 500);
  expect_found(square_at(4, 4), {.index_bits = 12, .slots = 1200, .budget = 100'000}, 100);  // e5
}

TEST(Magics, ATimedSearchNeverMakesAFileWorse) {
  const FactorFile start = committed("fixed_shift");
  const FactorFile again =
      find_factors({.variant = start.variant, .seed = 3, .jobs = 2, .seconds = 0.2}, start, {}, {});
  EXPECT_LE(again.slots, start.slots);
  EXPECT_FALSE(check_factors(again).counter_example);
}

TEST(Shards, HaveSeedsOfTheirOwn) {
  std::set<std::uint64_t> seeds;
  for (unsigned i = 1; i <= 1000; ++i) seeds.insert(shard_seed(7, {i, 1000}));
  EXPECT_EQ(seeds.size(), 1000u);
  EXPECT_EQ(shard_seed(7, {1, 1}), 7u);
  EXPECT_EQ(shard_seed(7, {3, 5}), shard_seed(7, {3, 1000}));  // more shards go on where fewer ended
}

TEST(Shards, AreReadStrictly) {
  EXPECT_EQ(parse_shard("3/100").index, 3u);
  EXPECT_EQ(parse_shard("3/100").count, 100u);
  for (const char* text : {"", "/", "1", "1/", "/2", "0/1", "2/1", "1/0", "1/2 ", " 1/2", "+1/2", "1/99999999999999"}) {
    EXPECT_THROW(parse_shard(text), UserError) << text;
  }
}

TEST(Merge, OfTablesTakesTheShortest) {
  const FactorFile shorter = committed("black");
  FactorFile longer = shorter;
  for (Square s = 0; s < square_count; ++s) {  // the same table, begun ten slots later
    longer.bishop[s].second += 10;
    longer.rook[s].second += 10;
  }
  longer.slots += 10;
  ASSERT_FALSE(check_factors(longer).counter_example);
  EXPECT_EQ(best_of(std::array{longer, shorter}).slots, shorter.slots);
  EXPECT_EQ(best_of(std::array{shorter, longer}).slots, shorter.slots);
}

TEST(Merge, OfDenseFactorsTakesTheBestOfEverySquare) {
  const FactorFile best = committed("dense");
  const FactorFile wide = committed("magic");  // n bits on every square
  std::array parts{best, best};
  for (Square s = 0; s < square_count; ++s) {
    FactorFile& worse = parts[s % 2];
    worse.bishop[s] = {wide.bishop[s].factor, magic::relevant_bits(Piece::bishop, s)};
    worse.rook[s] = {wide.rook[s].factor, magic::relevant_bits(Piece::rook, s)};
  }
  const auto entries = [](const FactorFile& file) { return check_factors(file).entries; };
  EXPECT_GT(entries(parts[0]), entries(best));
  EXPECT_GT(entries(parts[1]), entries(best));
  EXPECT_EQ(entries(best_of(parts)), entries(best));
  EXPECT_FALSE(check_factors(best_of(parts)).counter_example);
}

TEST(Merge, RefusesWhatCannotBeCompared) {
  EXPECT_THROW(best_of({}), UserError);
  EXPECT_THROW(best_of(std::array{committed("black"), committed("overlapped")}), UserError);
  EXPECT_THROW(best_of(std::array{committed("magic"), committed("magic")}), UserError);
}

FactorFile search(const char* variant, unsigned jobs, const std::optional<FactorFile>& start = std::nullopt,
                  double seconds = 0.3, const OverlapProgress& progress = nullptr, const std::stop_token& stop = {}) {
  return search_overlap({.variant = find_magic_variant(variant), .seed = 7, .jobs = jobs, .seconds = seconds}, start,
                        progress, stop);
}

TEST(Overlap, two_arrays_in_one_place_are_a_conflict) {
  FactorFile table = committed("overlapped");
  table.rook[20] = table.rook[12];
  const auto conflict = fill(table).conflict;
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->piece, Piece::rook);
  EXPECT_EQ(conflict->slot,
            overlap_slot(conflict->piece, conflict->square, conflict->occupied, table.rook[conflict->square], false));
  EXPECT_FALSE(is_valid(table));
}

TEST(Overlap, short_search_from_nothing_is_valid) {
  for (const char* variant : {"overlapped", "black"}) {
    for (const unsigned jobs : {1U, 2U}) EXPECT_TRUE(is_valid(search(variant, jobs))) << variant << jobs;
  }
}

TEST(Overlap, resuming_never_worsens) {
  const FactorFile black = committed("black"), small = search("overlapped", 1, std::nullopt, 0.1);
  EXPECT_LE(search("black", 2, black).slots, black.slots);
  EXPECT_LE(search("overlapped", 1, small, 0.2).slots, small.slots);
}

TEST(Overlap, stop_token_ends_the_search) {
  std::stop_source source;
  source.request_stop();
  EXPECT_TRUE(is_valid(search("overlapped", 2, std::nullopt, 1e6, nullptr, source.get_token())));
}

TEST(Overlap, progress_reports_valid_tables_that_never_worsen) {
  std::size_t slots = ~std::size_t{0};
  const auto progress = [&](const FactorFile& table, double, std::size_t used) {
    EXPECT_LE(table.slots, slots);
    EXPECT_LE(used, table.slots);
    slots = table.slots;
  };
  const FactorFile best = search("black", 2, std::nullopt, 0.3, progress);
  EXPECT_LE(best.slots, slots);
}

}  // namespace
}  // namespace slidebench
