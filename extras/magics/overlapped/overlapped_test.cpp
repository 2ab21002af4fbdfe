// SPDX-License-Identifier: MIT
#include "extras/magics/overlapped/search.hpp"

#include <gtest/gtest.h>

#include "extras/magics/overlapped/table.hpp"
#include "extras/magics/test_factors.hpp"

namespace slidebench {
namespace {

FindOptions options_for(const char* variant, unsigned jobs, double seconds = 0.3) {
  return {.variant = find_magic_variant(variant), .seed = 7, .jobs = jobs, .seconds = seconds};
}

FactorFile search(const char* variant, unsigned jobs, const std::optional<FactorFile>& start, double seconds = 0.3) {
  return search_overlap(options_for(variant, jobs, seconds), start, nullptr, {});
}

TEST(Overlap, two_arrays_in_one_place_are_a_conflict) {
  FactorFile table = committed("overlapped");
  table.rook[20] = table.rook[12];
  const auto conflict = fill(table).conflict;
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->piece, magic::Piece::rook);
  EXPECT_EQ(conflict->slot,
            overlap_slot(conflict->piece, conflict->square, conflict->occupied, table.rook[conflict->square], false));
  EXPECT_FALSE(is_valid(table));
}

TEST(Overlap, short_search_from_nothing_is_valid) {
  for (const char* variant : {"overlapped", "black"}) {
    for (const unsigned jobs : {1U, 2U}) EXPECT_TRUE(is_valid(search(variant, jobs, std::nullopt))) << variant << jobs;
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
  EXPECT_TRUE(is_valid(search_overlap(options_for("overlapped", 2, 1e6), std::nullopt, nullptr, source.get_token())));
}

TEST(Overlap, progress_reports_valid_tables_that_never_worsen) {
  std::size_t slots = ~std::size_t{0};
  const FactorFile best = search_overlap(options_for("black", 2), std::nullopt,
                                         [&](const FactorFile& table, double, std::size_t used) {
                                           EXPECT_LE(table.slots, slots);
                                           EXPECT_LE(used, table.slots);
                                           slots = table.slots;
                                         },
                                         {});
  EXPECT_LE(best.slots, slots);
}

}  // namespace
}  // namespace slidebench
