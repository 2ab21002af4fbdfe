// SPDX-License-Identifier: MIT
//
// What the founding texts print, against what the rules of the game give. Numbers in quotation marks and "printed"
// tables are the sources'; where a source is wrong, the test holds both its figure and the right one.
#include "reports/founding_texts/source_tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "methods/factor_check.hpp"

namespace slidebench::sources {
namespace {

using magic::Piece;

/// The upper left quarter as Dresden and the wiki print it: ranks 8 to 5, files a to d.
using Quarter = std::array<std::array<SetCount, 4>, 4>;
constexpr Quarter printed_bishops{{{{{64, 7}, {32, 6}, {32, 10}, {32, 12}}},
                                   {{{32, 6}, {32, 6}, {32, 10}, {32, 12}}},
                                   {{{32, 10}, {32, 10}, {128, 40}, {128, 48}}},
                                   {{{32, 12}, {32, 12}, {128, 48}, {512, 108}}}}};
constexpr Quarter printed_rooks{{{{{4096, 49}, {2048, 42}, {2048, 70}, {2048, 84}}},
                                 {{{2048, 42}, {1024, 36}, {1024, 60}, {1024, 72}}},
                                 {{{2048, 70}, {1024, 60}, {1024, 100}, {1024, 120}}},
                                 {{{2048, 84}, {1024, 72}, {1024, 120}, {1024, 144}}}}};

using Ratios = std::array<std::array<double, 4>, 4>;
constexpr Ratios printed_bishop_ratios{
    {{9.14, 5.33, 3.20, 2.67}, {5.33, 5.33, 3.20, 2.67}, {3.20, 3.20, 3.20, 2.67}, {2.67, 2.67, 2.67, 4.74}}};
constexpr Ratios printed_rook_ratios{{{83.59, 48.76, 29.26, 24.38},
                                      {48.76, 28.44, 17.07, 14.22},
                                      {29.26, 17.07, 10.24, 8.53},
                                      {24.38, 14.22, 8.53, 7.11}}};

/// The printed quarter and, by symmetry, the other three.
void expect_quarter(Piece piece, const Quarter& printed, const Ratios& ratios) {
  const auto counts = count_sets(piece);
  for (Square s = 0; s < square_count; ++s) {
    const unsigned file = std::min(file_of(s), 7 - file_of(s));
    const unsigned row = std::min(rank_of(s), 7 - rank_of(s));
    EXPECT_EQ(counts[s], printed[row][file]) << square_name(s);
    const double ratio = static_cast<double>(counts[s].occupancies) / static_cast<double>(counts[s].sets);
    EXPECT_NEAR(ratio, ratios[row][file], 0.005) << square_name(s);
  }
}

TEST(SourceTables, OccupanciesAndSetsOfEverySquare) {
  expect_quarter(Piece::bishop, printed_bishops, printed_bishop_ratios);
  expect_quarter(Piece::rook, printed_rooks, printed_rook_ratios);
}

TEST(SourceTables, OccupanciesAndSetsOfTheBoard) {
  EXPECT_EQ(total(count_sets(Piece::rook)), (SetCount{102'400, 4'900}));
  EXPECT_EQ(total(count_sets(Piece::bishop)), (SetCount{5'248, 1'428}));
}

/// A square's sets are the product of its ray lengths; a rook's factor into a rank's and a file's: 70 x 70.
TEST(SourceTables, SetsAreProducts) {
  constexpr std::array<unsigned, 8> per_file{7, 6, 10, 12, 12, 10, 6, 7};
  const auto rooks = count_sets(Piece::rook);
  for (Square s = 0; s < square_count; ++s) {
    EXPECT_EQ(rooks[s].sets, per_file[file_of(s)] * per_file[rank_of(s)]);
  }
  unsigned sum = 0;
  for (unsigned file = 0; file < 8; ++file) {
    EXPECT_EQ(rank_sets(file), per_file[file]);
    sum += rank_sets(file);
  }
  EXPECT_EQ(sum, 70u);
  for (const Piece piece : {Piece::bishop, Piece::rook}) {
    const auto counts = count_sets(piece);
    for (Square s = 0; s < square_count; ++s) {
      std::uint64_t product = 1;
      for (const Direction d : piece == Piece::bishop ? diagonal_directions : orthogonal_directions) {
        product *= static_cast<std::uint64_t>(std::max(1, std::popcount(ray(d, s))));
      }
      EXPECT_EQ(counts[s].sets, product);
    }
  }
}

/// "1428" counts a1 and h8 twice when both attack b2 to g7, and a8 and h1 when both attack b7 to g2.
TEST(SourceTables, TwoPairsOfBishopSetsCoincide) {
  constexpr Square a1 = 0, h1 = 7, b2 = 9, g2 = 14, b7 = 49, g7 = 54, a8 = 56, h8 = 63;
  EXPECT_EQ(distinct_bitboards(Piece::rook), 4'900u);
  EXPECT_EQ(distinct_bitboards(Piece::bishop), 1'426u);
  EXPECT_EQ(reference::bishop(a1, bit(g7)), reference::bishop(h8, bit(b2)));
  EXPECT_EQ(reference::bishop(a8, bit(g2)), reference::bishop(h1, bit(b7)));
}

std::uint64_t exact_bytes(const std::string& table) {
  for (const SizeClaim& claim : size_claims()) {
    if (claim.table == table) return claim.exact_bytes;
  }
  ADD_FAILURE() << "no table '" << table << "'";
  return 0;
}

TEST(SourceTables, SizesOfTheTables) {
  constexpr std::uint64_t kib = 1024;
  EXPECT_EQ(exact_bytes("first-rank attacks, all eight bits"), 2 * kib);  // "2 KByte"
  EXPECT_EQ(exact_bytes("first-rank attacks, inner six bits"), kib / 2);  // "1/2 KByte"
  EXPECT_EQ(exact_bytes("rotated boards, one direction"), 32 * kib);      // "32 KByte"
  EXPECT_EQ(exact_bytes("kindergarten, filled-up ranks"), 4 * kib);       // "4 KByte"
  EXPECT_EQ(exact_bytes("congruent modulo 514, diagonals"), 257 * kib);   // "257 K"
  EXPECT_EQ(exact_bytes("congruent modulo, all three arrays"), 526'848u);
  EXPECT_EQ(exact_bytes("plain magic, rooks"), 2048 * kib);   // "2048K"
  EXPECT_EQ(exact_bytes("plain magic, bishops"), 256 * kib);  // "256 K"
  EXPECT_EQ(exact_bytes("fancy magic, rooks"), 800 * kib);    // "about 800 KByte"
  EXPECT_EQ(exact_bytes("fancy magic, bishops"), 41 * kib);   // "about 38 KByte"
  EXPECT_EQ(exact_bytes("fancy magic, both"), 841 * kib);     // "~840K"
  EXPECT_EQ(exact_bytes("fancy magic, one bit less where known, rooks"), 688 * kib);
  EXPECT_EQ(exact_bytes("fancy magic, one bit less where known, bishops"), 38'400u);
  EXPECT_EQ(exact_bytes("byte numbers, plain layout"), 32 * kib + 256 * kib);  // "32 K", "256 K"
  EXPECT_EQ(exact_bytes("the sets behind the bytes, rooks"), 39'200u);         // "39 K"
  EXPECT_EQ(exact_bytes("the sets behind the bytes, bishops"), 11'424u);       // "11 K"
  EXPECT_EQ(exact_bytes("shared arrays, rooks and bishops"), 526 * kib);       // "~400K"
  EXPECT_EQ(exact_bytes("the same with one bit less where known"), 454 * kib);
  EXPECT_EQ(exact_bytes("the wished table, rooks"), 64 * kib);  // "64KB", of "8196" entries
  EXPECT_NE(exact_bytes("the wished table, rooks"), 8196u * 8);
  EXPECT_EQ(exact_bytes("the wished table, bishops"), 16 * kib);  // "16KB"
}

/// Hansen's sharing maps look incomplete in print (their groups end at 31 and 15), but are right.
TEST(SourceTables, SharingMapsAreValid) {
  EXPECT_TRUE(sharing_is_valid(Piece::rook, rook_sharing));
  EXPECT_TRUE(sharing_is_valid(Piece::bishop, bishop_sharing));
  EXPECT_EQ(shared_slots(Piece::rook, rook_sharing), 65'536u);
  EXPECT_EQ(shared_slots(Piece::bishop, bishop_sharing), 1'792u);
  EXPECT_EQ(shared_slots(Piece::rook, rook_sharing, rook_dense_squares), 56'320u);
  SharingMap all_in_one{};
  EXPECT_FALSE(sharing_is_valid(Piece::rook, all_in_one));
}

/// Sandmann's rook on c6. He prints the index "2083".
TEST(SourceTables, SandmannsExample) {
  constexpr Square c2 = 10;
  constexpr Bitboard c1 = bit(2), d6 = bit(43), f6 = bit(45), c7 = bit(50);
  EXPECT_EQ(square_name(example_square), "c6");
  EXPECT_EQ(example_printed_key, c1 | d6 | f6 | c7);
  EXPECT_EQ(example_right_key, d6 | f6 | c7);
  EXPECT_EQ(example_right_key, 1169880371953664u);
  EXPECT_EQ(example_printed_key * example_factor, 4692364060652732688u);  // as printed
  EXPECT_EQ(example_printed_key * example_factor >> 54, 260u);
  EXPECT_EQ(example_printed_key * example_factor >> 51, 2083u);
  EXPECT_EQ(example_right_key * example_factor, 2961855626809966592u);
  EXPECT_EQ(example_right_key * example_factor >> 54, 164u);
  EXPECT_TRUE(FactorCheck(Piece::rook, example_square).is_magic(example_factor, 10));
  EXPECT_TRUE(FactorCheck(Piece::rook, c2).is_magic(example_factor, 10));
}

bool injective(const std::vector<Bitboard>& lines, unsigned modulus) {
  return std::all_of(lines.begin(), lines.end(), [=](Bitboard line) { return is_injective_modulo(line, modulus); });
}

/// Fenner and Levene's moduli, applied to the lines where they stand, as the Dresden listing does.
TEST(SourceTables, CongruentModuli) {
  const std::vector<Bitboard> diagonals = all_lines(diagonal_mask);
  const std::vector<Bitboard> antidiagonals = all_lines(antidiagonal_mask);
  const std::vector<Bitboard> files = all_lines(file_mask);
  EXPECT_EQ(diagonals.size(), 15u);
  EXPECT_TRUE(injective(diagonals, 514));
  EXPECT_TRUE(injective(antidiagonals, 257));
  EXPECT_TRUE(is_injective_modulo(a_file, 258));
  for (unsigned file = 1; file < 8; ++file) EXPECT_FALSE(is_injective_modulo(a_file << file, 258)) << file;

  // 257 serves the diagonals as well, and nothing smaller than 257, 257, 258 does.
  EXPECT_TRUE(injective(diagonals, 257));
  EXPECT_FALSE(injective(diagonals, 256));
  EXPECT_FALSE(injective(antidiagonals, 256));
  EXPECT_FALSE(is_injective_modulo(a_file, 257));
}

/// The smallest moduli for the inner squares alone, all lines where they stand.
TEST(SourceTables, DenseCongruentModuli) {
  const auto smallest = [](Bitboard (*mask)(Square)) {
    std::vector<Bitboard> lines = all_lines(mask);
    for (Bitboard& line : lines) line = inner(line);
    unsigned modulus = 64;
    while (!injective(lines, modulus)) ++modulus;
    return modulus;
  };
  EXPECT_EQ(smallest(diagonal_mask), 85u);
  EXPECT_EQ(smallest(antidiagonal_mask), 65u);
  EXPECT_EQ(smallest(file_mask), 73u);
}

/// The wiki proposes one 32-bit multiplication of a bishop's occupancy after folding its halves with xor.
TEST(SourceTables, FoldedHalves) {
  const auto by_xor = [](std::uint32_t low, std::uint32_t high) { return low ^ high; };
  constexpr Bitboard ranks_4_and_5 = 0x0000'00FF'FF00'0000;
  EXPECT_EQ(lossless_squares(Piece::bishop, by_xor), ~ranks_4_and_5);
  EXPECT_EQ(lossless_squares(Piece::rook, by_xor), 0u);
  EXPECT_EQ(lossless_squares(Piece::bishop, [](std::uint32_t low, std::uint32_t high) { return high ^ (3 * low); }),
            ~Bitboard{0});
  EXPECT_EQ(lossless_squares(Piece::bishop, [](std::uint32_t low, std::uint32_t high) { return low ^ (high >> 1); }),
            ~Bitboard{0});
}

/// The two bit scans that Dresden prints.
TEST(SourceTables, BitScans) {
  constexpr std::array<int, 64> printed_de_bruijn{63, 0,  58, 1,  59, 47, 53, 2,  60, 39, 48, 27, 54, 33, 42, 3,
                                                  61, 51, 37, 40, 49, 18, 28, 20, 55, 30, 34, 11, 43, 14, 22, 4,
                                                  62, 57, 46, 52, 38, 26, 32, 41, 50, 36, 17, 19, 29, 10, 13, 21,
                                                  56, 45, 25, 31, 35, 16, 9,  12, 44, 24, 15, 8,  23, 7,  6,  5};
  constexpr std::array<int, 68> printed_modulo_67{64, 0,  1,  39, 2,  15, 40, 23, 3,  12, 16, 59, 41, 19, 24, 54, 4,
                                                  -1, 13, 10, 17, 62, 60, 28, 42, 30, 20, 51, 25, 44, 55, 47, 5,  32,
                                                  -1, 38, 14, 22, 11, 58, 18, 53, 63, 9,  61, 27, 29, 50, 43, 46, 31,
                                                  37, 21, 57, 52, 8,  26, 49, 45, 36, 56, 7,  48, 35, 6,  34, 33, -1};
  for (Square s = 0; s < square_count; ++s) {
    EXPECT_EQ(printed_de_bruijn[(bit(s) * 0x07EDD5E59A4E28C2) >> 58], static_cast<int>(s));
    EXPECT_EQ(printed_modulo_67[bit(s) % 67], static_cast<int>(s));
  }
  EXPECT_EQ(printed_modulo_67[0], 64);
}

/// Dresden's file index of kindergarten bitboards comes out rank-reversed, which it does not say.
TEST(SourceTables, KindergartenFileIndexIsReversed) {
  for (unsigned rank = 1; rank <= 6; ++rank) {
    EXPECT_EQ((bit(square_at(0, rank)) * 0x0080402010080400) >> 58, 1u << (6 - rank));
    EXPECT_EQ((bit(square_at(0, rank)) * 0x0004081020408100) >> 58, 1u << (rank - 1));  // a factor in natural order
  }
}

/// The two diagonal boards of the DarkThought text, byte 7 first, and each byte from bit 7 (left) to bit 0.
TEST(SourceTables, HeinzDiagonalBoards) {
  using Board = std::array<std::string, 8>;
  const Board a1_h8{"a8b1c2d3e4f5g6h7", "a7b8c1d2e3f4g5h6", "a6b7c8d1e2f3g4h5", "a5b6c7d8e1f2g3h4",
                    "a4b5c6d7e8f1g2h3", "a3b4c5d6e7f8g1h2", "a2b3c4d5e6f7g8h1", "a1b2c3d4e5f6g7h8"};
  const Board a8_h1{"a8b7c6d5e4f3g2h1", "a7b6c5d4e3f2g1h8", "a6b5c4d3e2f1g8h7", "a5b4c3d2e1f8g7h6",
                    "a4b3c2d1e8f7g6h5", "a3b2c1d8e7f6g5h4", "a2b1c8d7e6f5g4h3", "a1b8c7d6e5f4g3h2"};
  for (unsigned byte = 0; byte < 8; ++byte) {
    for (unsigned file = 0; file < 8; ++file) {
      // Files run through a byte in order, so squares of one diagonal that share a byte lie side by side.
      EXPECT_EQ(a1_h8[7 - byte].substr(2 * file, 2), square_name(square_at(file, (byte + file) & 7)));
      EXPECT_EQ(a8_h1[7 - byte].substr(2 * file, 2), square_name(square_at(file, (byte - file) & 7)));
    }
  }
}

/// Dresden's line attacks lack the final intersection with the line; without it they are wrong.
TEST(SourceTables, HyperbolaNeedsTheFinalMask) {
  constexpr Square d4 = 27;
  const Bitboard line = diagonal_mask(d4);
  const Bitboard occupied = bit(54);  // g7
  const Bitboard forward = (occupied & line) - bit(d4);
  const Bitboard backward = flip_ranks(flip_ranks(occupied & line) - flip_ranks(bit(d4)));
  EXPECT_NE(forward ^ backward, reference::bishop(d4, occupied) & line);
  EXPECT_EQ((forward ^ backward) & line, reference::bishop(d4, occupied) & line);
}

}  // namespace
}  // namespace slidebench::sources
