// SPDX-License-Identifier: MIT
//
// The lower bounds on magic tables: their values, and that no table breaks them.
#include "reports/founding_texts/group_magic.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "methods/factor_check.hpp"
#include "methods/magic/dense_factors.hpp"
#include "methods/magic/magic_factors.hpp"

namespace slidebench::group_magic {
namespace {

using magic::Piece;

constexpr Square a1 = 0, d1 = 3, b2 = 9, d4 = 27;

template <class Bound>
std::uint64_t sum_over_squares(Piece piece, Bound bound) {
  std::uint64_t sum = 0;
  for (Square s = 0; s < square_count; ++s) sum += bound(relevant_counts(piece, s));
  return sum;
}

TEST(GroupMagic, RayCountsOfSomeSquares) {
  EXPECT_EQ(relevant_counts(Piece::rook, a1), (RayCounts{6, 6, 0, 0}));  // north, east, south, west
  EXPECT_EQ(relevant_counts(Piece::rook, d4), (RayCounts{3, 3, 2, 2}));
  EXPECT_EQ(relevant_counts(Piece::bishop, a1), (RayCounts{6, 0, 0, 0}));  // northeast, northwest, southwest, southeast
  EXPECT_EQ(relevant_counts(Piece::bishop, d4), (RayCounts{3, 2, 2, 2}));
  EXPECT_EQ(hidden_counts(Piece::rook, a1, bit(8) | bit(6)), (RayCounts{5, 0, 0, 0}));  // a2 hides five, g1 none
  EXPECT_EQ(hidden_counts(Piece::rook, d4, 0), RayCounts{});
}

TEST(GroupMagic, SingleRayBound) {
  EXPECT_EQ(single_ray_bound(relevant_counts(Piece::rook, a1)), 98u);
  EXPECT_EQ(single_ray_bound(relevant_counts(Piece::rook, d1)), 140u);
  EXPECT_EQ(single_ray_bound(relevant_counts(Piece::rook, d4)), 256u);
  EXPECT_EQ(single_ray_bound(relevant_counts(Piece::rook, b2)), 66u);
  EXPECT_EQ(sum_over_squares(Piece::rook, single_ray_bound), 8'280u);  // more than 2^13
  EXPECT_EQ(sum_over_squares(Piece::bishop, single_ray_bound), 1'924u);
}

/// No 13-bit and no 14-bit table for the rooks, no 11-bit table for the bishops. Different rook squares never have
/// equal sets (SourceTables.TwoPairsOfBishopSetsCoincide), bishop squares only twice; so their slots add up.
TEST(GroupMagic, TheWishedTablesDoNotExist) {
  EXPECT_EQ(sum_over_squares(Piece::rook, halving_bound), 24'888u);
  EXPECT_EQ(sum_over_squares(Piece::bishop, halving_bound), 2'488u);
  EXPECT_EQ(sum_over_squares(Piece::rook, sharpened_bound), 27'208u);
  EXPECT_EQ(sum_over_squares(Piece::bishop, sharpened_bound), 2'680u);
  EXPECT_GT(sum_over_squares(Piece::rook, halving_bound), 1u << 14);
  EXPECT_GT(sum_over_squares(Piece::bishop, halving_bound) - 2, 1u << 11);
}

/// One slot an attack set is too few on every square: three relevant squares on one ray need five slots for four sets.
TEST(GroupMagic, NoSquareHasAMinimalPerfectFactor) {
  EXPECT_EQ(halving_bound({3, 0, 0, 0}), 5u);
  for (const Piece piece : {Piece::bishop, Piece::rook}) {
    for (Square s = 0; s < square_count; ++s) {
      const RayCounts relevant = relevant_counts(piece, s);
      std::uint64_t sets = 1;
      for (const unsigned n : relevant) sets *= n + 1;
      EXPECT_GT(halving_bound(relevant), sets) << "square " << s;
    }
  }
}

/// Every attack set, and so the square, uses at least as many slots as the bound. Precondition: the factor is magic.
void expect_bounds(Piece piece, Square s, std::uint64_t factor, unsigned bits) {
  const RayCounts relevant = relevant_counts(piece, s);
  const std::uint64_t used = slots_used(piece, s, factor, bits);
  EXPECT_GE(used, halving_bound(relevant));
  EXPECT_GE(used, sharpened_bound(relevant));
  EXPECT_GE(used, single_ray_bound(relevant));

  std::map<Bitboard, std::set<std::uint64_t>> slots;
  std::map<Bitboard, RayCounts> hidden;
  magic::for_each_occupancy(piece, s, [&](Bitboard occupied, Bitboard attacks) {
    slots[attacks].insert((occupied * factor) >> (64 - bits));
    hidden.try_emplace(attacks, hidden_counts(piece, s, occupied));
  });
  SlotBound halving = SlotBound::halving();
  std::uint64_t sum = 0;
  for (const auto& [attacks, cells] : slots) {
    EXPECT_GE(cells.size(), halving.one_set(hidden[attacks]));
    sum += cells.size();
  }
  EXPECT_EQ(sum, used);  // no slot serves two attack sets
}

TEST(GroupMagic, OurFactorsObeyTheBounds) {
  for (Square s = 0; s < square_count; ++s) {
    expect_bounds(Piece::bishop, s, bishop_factors[s], magic::relevant_bits(Piece::bishop, s));
    expect_bounds(Piece::rook, s, rook_factors[s], magic::relevant_bits(Piece::rook, s));
  }
}

/// The wiki calls collisions of equal sets necessary for n index bits. They are not.
TEST(GroupMagic, OurFactorsAreOneToOne) {
  for (Square s = 0; s < square_count; ++s) {
    const unsigned bishop_bits = magic::relevant_bits(Piece::bishop, s);
    const unsigned rook_bits = magic::relevant_bits(Piece::rook, s);
    EXPECT_EQ(slots_used(Piece::bishop, s, bishop_factors[s], bishop_bits), std::uint64_t{1} << bishop_bits);
    EXPECT_EQ(slots_used(Piece::rook, s, rook_factors[s], rook_bits), std::uint64_t{1} << rook_bits);
  }
}

/// Bishop factors with many collisions of equal sets, drawn at random.
TEST(GroupMagic, RandomFactorsObeyTheBounds) {
  std::mt19937_64 random(1);
  unsigned with_collisions = 0;
  for (Square s = 0; s < square_count; ++s) {
    const FactorCheck check(Piece::bishop, s);
    const unsigned bits = magic::relevant_bits(Piece::bishop, s);
    for (int draw = 0; draw < 40'000; ++draw) {
      std::uint64_t factor = random();
      if (draw % 2 != 0) factor &= random();
      if (!check.is_magic(factor, bits)) continue;
      if (slots_used(Piece::bishop, s, factor, bits) == std::uint64_t{1} << bits) continue;
      ++with_collisions;
      expect_bounds(Piece::bishop, s, factor, bits);
    }
  }
  EXPECT_GT(with_collisions, 100u);
}

/// Factors of one bit less than relevant squares come nearest to the bounds.
TEST(GroupMagic, DenseFactorsObeyTheBounds) {
  unsigned with_fewer_bits = 0;
  for (Square s = 0; s < square_count; ++s) {
    expect_bounds(Piece::bishop, s, dense_bishop_factors[s].factor, dense_bishop_factors[s].bits);
    expect_bounds(Piece::rook, s, dense_rook_factors[s].factor, dense_rook_factors[s].bits);
    if (dense_bishop_factors[s].bits < magic::relevant_bits(Piece::bishop, s)) ++with_fewer_bits;
    if (dense_rook_factors[s].bits < magic::relevant_bits(Piece::rook, s)) ++with_fewer_bits;
  }
  EXPECT_GT(with_fewer_bits, 10u);
}

constexpr unsigned word_bits = 5;

/// A slider with few relevant squares in a world of five-bit words, so that all of its hash functions can be tried.
struct Miniature {
  RayCounts relevant;
  std::uint64_t fewest_slots;  ///< of all valid hash functions
};

std::string name_of(const testing::TestParamInfo<Miniature>& param) {
  std::string name = "rays";
  for (const unsigned n : param.param.relevant) name += '_' + std::to_string(n);
  return name;
}

class GroupMagicMiniature : public testing::TestWithParam<Miniature> {
 protected:
  /// The attack set of each occupancy as a number. Squares are numbered ray by ray, the nearest first.
  static std::vector<unsigned> attack_sets(const RayCounts& relevant) {
    const unsigned squares = relevant[0] + relevant[1] + relevant[2] + relevant[3];
    std::vector<unsigned> sets;
    for (unsigned occupied = 0; occupied < 1u << squares; ++occupied) {
      unsigned set = 0;
      unsigned rest = occupied;
      for (const unsigned n : relevant) {
        const unsigned on_ray = rest & ((1u << n) - 1);
        set = set * 8 + (on_ray == 0 ? 7 : static_cast<unsigned>(std::countr_zero(on_ray)));
        rest >>= n;
      }
      sets.push_back(set);
    }
    return sets;
  }

  /// Slots used by the hash "top `bits` bits of start + the steps of the occupied squares"; 0 if it is not valid.
  static std::uint64_t slots_of(const std::vector<unsigned>& sets, const std::vector<unsigned>& points, unsigned start,
                                unsigned bits) {
    std::array<unsigned, 32> content{};  // attack set + 1; 0: empty
    std::uint64_t used = 0;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      unsigned& slot = content[((start + points[i]) & ((1u << word_bits) - 1)) >> (word_bits - bits)];
      if (slot != 0 && slot != sets[i] + 1) return 0;
      used += slot == 0 ? 1 : 0;
      slot = sets[i] + 1;
    }
    return used;
  }
};

/// Every choice of steps, index bits and starting point: whatever is valid uses at least as many slots as the bounds.
TEST_P(GroupMagicMiniature, NoHashFunctionBreaksABound) {
  const auto [relevant, fewest_slots] = GetParam();
  const std::vector<unsigned> sets = attack_sets(relevant);
  const unsigned squares = static_cast<unsigned>(std::countr_zero(sets.size()));
  const std::uint64_t bound = std::max(sharpened_bound(relevant), single_ray_bound(relevant));
  std::uint64_t fewest = sets.size() + 1;
  std::vector<unsigned> points(sets.size());
  for (unsigned steps = 0; steps < 1u << (word_bits * squares); ++steps) {
    for (std::size_t i = 1; i < points.size(); ++i) {
      const unsigned lowest = static_cast<unsigned>(std::countr_zero(i));
      points[i] = points[i & (i - 1)] + ((steps >> (word_bits * lowest)) & ((1u << word_bits) - 1));
    }
    // What fails with cells of one size fails with larger ones too.
    for (unsigned bits = word_bits, valid_here = 1; bits > 0 && valid_here > 0; --bits) {
      valid_here = 0;
      for (unsigned start = 0; start < 1u << (word_bits - bits); ++start) {
        const std::uint64_t used = slots_of(sets, points, start, bits);
        if (used == 0) continue;
        ++valid_here;
        fewest = std::min(fewest, used);
      }
    }
  }
  EXPECT_GE(fewest, bound);
  EXPECT_EQ(fewest, fewest_slots);
}

// The bound is reached in all but the last two.
INSTANTIATE_TEST_SUITE_P(All, GroupMagicMiniature,
                         testing::Values(Miniature{{3, 0, 0, 0}, 5}, Miniature{{2, 1, 0, 0}, 6},
                                         Miniature{{1, 1, 1, 0}, 8}, Miniature{{2, 2, 0, 0}, 12},
                                         Miniature{{2, 1, 1, 0}, 12}, Miniature{{3, 1, 0, 0}, 12},
                                         Miniature{{4, 0, 0, 0}, 11}),
                         name_of);

}  // namespace
}  // namespace slidebench::group_magic
