// SPDX-License-Identifier: MIT
#include "extras/magics/overlapped/search.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "methods/magic/black_factors.hpp"
#include "methods/magic/overlapped_factors.hpp"

namespace slidebench {
namespace {

OverlapTable white_table() {
  return {std::to_array(overlapped_bishop_factors), std::to_array(overlapped_rook_factors), overlapped_slots};
}

OverlapTable black_table() {
  return {std::to_array(black_bishop_factors), std::to_array(black_rook_factors), black_slots};
}

OverlapTable search(bool black, unsigned jobs, const std::optional<OverlapTable>& start, double seconds = 0.3) {
  const OverlapOptions options{.black = black, .seed = 7, .jobs = jobs, .seconds = seconds};
  return search_overlap(options, start, nullptr, {});
}

TEST(Overlap, committed_tables_are_valid_and_their_sizes_exact) {
  EXPECT_FALSE(find_conflict(white_table(), false));
  EXPECT_EQ(count_slots(white_table(), false), overlapped_slots);
  EXPECT_FALSE(find_conflict(black_table(), true));
  EXPECT_EQ(count_slots(black_table(), true), black_slots);
}

TEST(Overlap, two_arrays_in_one_place_are_a_conflict) {
  OverlapTable table = white_table();
  table.rook[20].first = table.rook[12].first;
  table.rook[20].factor = table.rook[12].factor;
  const auto conflict = find_conflict(table, false);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->piece, magic::Piece::rook);
  EXPECT_EQ(conflict->slot,
            overlap_slot(conflict->piece, conflict->square, conflict->occupied, table.rook[conflict->square], false));
  EXPECT_FALSE(is_valid(table, false));
}

TEST(Overlap, wrong_number_of_slots_is_not_valid) {
  OverlapTable table = black_table();
  ASSERT_TRUE(is_valid(table, true));
  table.slots += 1;
  EXPECT_FALSE(is_valid(table, true));
}

TEST(Overlap, short_search_from_nothing_is_valid) {
  for (const bool black : {false, true}) {
    for (const unsigned jobs : {1U, 2U}) {
      const OverlapTable table = search(black, jobs, std::nullopt);
      EXPECT_TRUE(is_valid(table, black)) << "black " << black << ", jobs " << jobs;
    }
  }
}

TEST(Overlap, resuming_never_worsens) {
  EXPECT_LE(search(false, 1, white_table()).slots, overlapped_slots);
  EXPECT_LE(search(true, 2, black_table()).slots, black_slots);
  const OverlapTable small = search(false, 1, std::nullopt, 0.1);
  EXPECT_LE(search(false, 1, small, 0.2).slots, small.slots);
}

TEST(Overlap, resuming_from_an_invalid_table_throws) {
  EXPECT_THROW(search(true, 1, white_table()), std::invalid_argument);
}

TEST(Overlap, stop_token_ends_the_search) {
  std::stop_source source;
  source.request_stop();
  const OverlapOptions options{.black = false, .seed = 1, .jobs = 2, .seconds = 1e6};
  EXPECT_TRUE(is_valid(search_overlap(options, std::nullopt, nullptr, source.get_token()), false));
}

TEST(Overlap, progress_reports_valid_tables_that_never_worsen) {
  std::size_t slots = ~std::size_t{0};
  const OverlapOptions options{.black = true, .seed = 3, .jobs = 2, .seconds = 0.3};
  const auto best = search_overlap(options, std::nullopt,
                                   [&](const OverlapTable& table, double, std::size_t used) {
                                     EXPECT_LE(table.slots, slots);
                                     EXPECT_LE(used, table.slots);
                                     slots = table.slots;
                                   },
                                   {});
  EXPECT_LE(best.slots, slots);
}

}  // namespace
}  // namespace slidebench
