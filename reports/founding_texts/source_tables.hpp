// SPDX-License-Identifier: MIT
//
// The tables of the founding texts, computed again from the rules of the game.
//
// The texts are G. Isenberg's "Efficient Generation of Sliding Piece Attacks" (Dresden 2008, here "Dresden"), the
// article "Magic Bitboards" of the Chessprogramming wiki ("wiki"), and T. Sandmann's "Bitboards Explained" (2016). What
// they print stands in source_tables_test.cpp; README.md shows both side by side.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "methods/magic/occupancies.hpp"

namespace slidebench::sources {

/// Relevant occupancies of a square, and the different attack sets that they lead to.
struct SetCount {
  std::uint64_t occupancies;
  std::uint64_t sets;
  bool operator==(const SetCount&) const = default;
};

/// Counts them by walking the rays of all occupancies.
std::array<SetCount, 64> count_sets(magic::Piece piece);
SetCount total(const std::array<SetCount, 64>& counts);

/// Different attack sets as bitboards, over all squares: two squares may have one in common.
std::uint64_t distinct_bitboards(magic::Piece piece);

/// Different attack sets of a rook on the given file of a board that is one rank high.
unsigned rank_sets(unsigned file);

/// Squares that are known to have a magic factor of one index bit less than relevant squares (N. Fiekas's list).
inline constexpr Bitboard rook_dense_squares = 0xDFFF'0000'0000'0000;    // rank 7, and rank 8 but for f8
inline constexpr Bitboard bishop_dense_squares = 0xC3C3'C300'00C3'C3C3;  // files a, b, g, h but for ranks 4 and 5

/// Slots of an array with an individual size for each square; half as many on the `dense` ones.
std::uint64_t individual_slots(magic::Piece piece, Bitboard dense = 0);

/// Groups of squares that share an array, as the wiki prints them (Hansen 2008): the group of each square.
using SharingMap = std::array<unsigned, 64>;
extern const SharingMap rook_sharing;
extern const SharingMap bishop_sharing;

/// True if any two squares of a group both attack, whatever the occupancy, all squares that either can attack with the
/// other: then a final intersection with the empty-board attacks takes the union of two sets apart again.
bool sharing_is_valid(magic::Piece piece, const SharingMap& groups);

/// Slots of the shared arrays: each group needs the size of its largest member.
std::uint64_t shared_slots(magic::Piece piece, const SharingMap& groups, Bitboard dense = 0);

/// A size that a source prints, beside the exact one.
struct SizeClaim {
  std::string table;
  std::string source;
  std::string printed;
  std::uint64_t exact_bytes;
  std::string method;  ///< id of a method with this table; may be empty
  std::string remark;
};
std::vector<SizeClaim> size_claims();

/// Sandmann's rook on c6: the factor, and the blockers as printed and as his own first observation wants them.
inline constexpr Square example_square = 42;
inline constexpr std::uint64_t example_factor = 432627108460691524;
inline constexpr Bitboard example_printed_key = 1169880371953668;
inline constexpr Bitboard example_right_key = example_printed_key & rook_relevant(example_square);

/// True if `word % modulus` tells apart all subsets of the line.
bool is_injective_modulo(Bitboard line, unsigned modulus);

/// All lines of one direction, each in its place: 8 ranks or files, 15 diagonals or antidiagonals.
std::vector<Bitboard> all_lines(Bitboard (*mask)(Square));

/// The line without its two ends.
Bitboard inner(Bitboard line);

/// True if folding the relevant occupancy to 32 bits by `fold(low, high)` keeps different attack sets apart.
bool fold_is_lossless(magic::Piece piece, Square s, std::uint32_t (*fold)(std::uint32_t low, std::uint32_t high));

/// The squares on which it does, as a bitboard.
Bitboard lossless_squares(magic::Piece piece, std::uint32_t (*fold)(std::uint32_t low, std::uint32_t high));

/// "c6" for 42.
std::string square_name(Square s);

}  // namespace slidebench::sources
