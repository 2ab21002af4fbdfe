// SPDX-License-Identifier: MIT
//
// The oracle against answers that were computed independently of it.
#include "methods/reference.hpp"

#include <gtest/gtest.h>

#include <set>

namespace slidebench {
namespace {

constexpr Bitboard start_position = 0xFFFF00000000FFFF;
constexpr Bitboard kiwipete = 0x917D731812A4FF91;
constexpr Bitboard scattered = 0x8041A20428054A00;
constexpr Square a1 = 0, d4 = 27, f8 = 61;

TEST(Reference, KnownRookSets) {
  EXPECT_EQ(reference::rook(d4, start_position), 0x00080808F7080800u);
  EXPECT_EQ(reference::rook(f8, start_position), 0x5020000000000000u);
  EXPECT_EQ(reference::rook(a1, scattered), 0x00000000000101FEu);
  EXPECT_EQ(reference::rook(d4, scattered), 0x0808080837080800u);
  EXPECT_EQ(reference::rook(f8, scattered), 0xDF20200000000000u);
  EXPECT_EQ(reference::rook(a1, kiwipete), 0x000000000000011Eu);
  EXPECT_EQ(reference::rook(d4, kiwipete), 0x0000000816080800u);
}

TEST(Reference, KnownBishopSets) {
  EXPECT_EQ(reference::bishop(d4, start_position), 0x0041221400142200u);
  EXPECT_EQ(reference::bishop(f8, start_position), 0x0050000000000000u);
  EXPECT_EQ(reference::bishop(a1, scattered), 0x0000000000000200u);
  EXPECT_EQ(reference::bishop(d4, scattered), 0x0000201400142040u);
  EXPECT_EQ(reference::bishop(f8, scattered), 0x0050080400000000u);
  EXPECT_EQ(reference::bishop(d4, kiwipete), 0x0000021400142000u);
}

/// Sum over all squares of (2s + 1) * attacks, modulo 2^64: one word that depends on every square's answer.
Bitboard weighted_sum(Bitboard (*attacks)(Square, Bitboard), Bitboard occupied) {
  Bitboard sum = 0;
  for (Square s = 0; s < square_count; ++s) sum += (2 * s + 1) * attacks(s, occupied);
  return sum;
}

TEST(Reference, WeightedSumsOverAllSquares) {
  struct Case {
    Bitboard occupied, rook, bishop;
  };
  for (const Case& c :
       {Case{start_position, 0x2ABCDFDFDF72577A, 0x7985BC7C9D71B357},
        Case{scattered, 0xEC0AB3E16B5F7685, 0x132E70ACE455885D}, Case{kiwipete, 0xDDC62059F119E567, 0x9612B5B5A6CC8357},
        Case{0, 0xFFFFFFFFFFFFFE12, 0xC20B21BB52E674BD}, Case{~Bitboard{0}, 0x54F0082038506B7A, 0xA8E0104070A0D757}}) {
    EXPECT_EQ(weighted_sum(reference::rook, c.occupied), c.rook);
    EXPECT_EQ(weighted_sum(reference::bishop, c.occupied), c.bishop);
  }
}

/// How many attack sets there are, over all squares and occupancies.
std::size_t distinct_sets(Bitboard (*attacks)(Square, Bitboard), Bitboard (*relevant)(Square)) {
  std::size_t total = 0;
  for (Square s = 0; s < square_count; ++s) {
    std::set<Bitboard> sets;
    Bitboard subset = 0;
    do {
      sets.insert(attacks(s, subset));
      subset = next_subset(subset, relevant(s));
    } while (subset != 0);
    total += sets.size();
  }
  return total;
}

TEST(Reference, DistinctAttackSetsAddUpToTheTotalsOfTheFoundingSources) {
  EXPECT_EQ(distinct_sets(reference::rook, rook_relevant), 4'900u);
  EXPECT_EQ(distinct_sets(reference::bishop, bishop_relevant), 1'428u);
}

}  // namespace
}  // namespace slidebench
