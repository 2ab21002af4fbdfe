// SPDX-License-Identifier: MIT
//
// Squares, bitboards, rays and line masks: the vocabulary of every method.
//
// A bitboard is a set of squares in a 64-bit word. The mapping is little-endian rank-file (LERF): square = 8 * rank +
// file, a1 = bit 0, b1 = bit 1, ..., h1 = bit 7, a2 = bit 8, ..., h8 = bit 63. Stated here once, used everywhere.
//
//      8 | 56 57 58 59 60 61 62 63
//      7 | 48 49 50 51 52 53 54 55        northwest   north   northeast
//      6 | 40 41 42 43 44 45 46 47                +7   +8   +9
//      5 | 32 33 34 35 36 37 38 39
//      4 | 24 25 26 27 28 29 30 31         west   -1  slider  +1   east
//      3 | 16 17 18 19 20 21 22 23
//      2 |  8  9 10 11 12 13 14 15                -9   -8   -7
//      1 |  0  1  2  3  4  5  6  7        southwest   south   southeast
//        +------------------------
//           a  b  c  d  e  f  g  h
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace slidebench {

/// A set of squares; bit s stands for square s.
using Bitboard = std::uint64_t;

/// A square, 0 (a1) to 63 (h8). Unsigned and register-sized, so that indexing with it needs no extension.
using Square = unsigned;

inline constexpr unsigned square_count = 64;

inline constexpr Bitboard a_file = 0x0101010101010101;
inline constexpr Bitboard h_file = 0x8080808080808080;
inline constexpr Bitboard first_rank = 0x00000000000000FF;
inline constexpr Bitboard eighth_rank = 0xFF00000000000000;
inline constexpr Bitboard main_diagonal = 0x8040201008040201;      // a1 to h8
inline constexpr Bitboard main_antidiagonal = 0x0102040810204080;  // a8 to h1

/// The bitboard that holds square s alone. Precondition: s < 64.
constexpr Bitboard bit(Square s) { return Bitboard{1} << s; }

/// File index, 0 (a) to 7 (h).
constexpr unsigned file_of(Square s) { return s & 7; }

/// Rank index, 0 (first rank) to 7 (eighth rank).
constexpr unsigned rank_of(Square s) { return s >> 3; }

/// The square at a file and rank index, both 0 to 7.
constexpr Square square_at(unsigned file, unsigned rank) { return 8 * rank + file; }

/// Index of the lowest square of a non-empty set.
constexpr Square lowest_square(Bitboard set) { return static_cast<Square>(std::countr_zero(set)); }

/// Index of the highest square of a non-empty set.
constexpr Square highest_square(Bitboard set) { return static_cast<Square>(63 ^ std::countl_zero(set)); }

/// Removes the lowest square from a non-empty set and returns its index.
constexpr Square pop_lowest(Bitboard& set) {
  const Square s = lowest_square(set);
  set &= set - 1;
  return s;
}

/// The board upside down: rank 1 becomes rank 8, files stay (byte reversal; square s becomes s ^ 56).
constexpr Bitboard flip_ranks(Bitboard b) { return __builtin_bswap64(b); }

/// The eight ray directions. The four positive ones (toward higher squares) come first.
enum class Direction : unsigned { north, east, northeast, northwest, south, west, southwest, southeast };

inline constexpr std::array<Direction, 4> orthogonal_directions{Direction::north, Direction::east, Direction::south,
                                                                Direction::west};
inline constexpr std::array<Direction, 4> diagonal_directions{Direction::northeast, Direction::northwest,
                                                              Direction::southwest, Direction::southeast};

/// Every square one step in direction d; what would leave the board disappears.
constexpr Bitboard step(Bitboard b, Direction d) {
  constexpr Bitboard not_a_file = ~a_file;
  constexpr Bitboard not_h_file = ~h_file;
  switch (d) {
    case Direction::north: return b << 8;
    case Direction::east: return (b << 1) & not_a_file;
    case Direction::northeast: return (b << 9) & not_a_file;
    case Direction::northwest: return (b << 7) & not_h_file;
    case Direction::south: return b >> 8;
    case Direction::west: return (b >> 1) & not_h_file;
    case Direction::southwest: return (b >> 9) & not_h_file;
    case Direction::southeast: return (b >> 7) & not_a_file;
  }
  return 0;
}

/// The squares from s (excluded) to the edge of the board in direction d.
constexpr Bitboard ray(Direction d, Square s) {
  Bitboard squares = 0;
  for (Bitboard b = step(bit(s), d); b != 0; b = step(b, d)) squares |= b;
  return squares;
}

/// The squares of ray(d, s) whose occupancy matters: all but the last one, which blocks nothing behind it.
constexpr Bitboard relevant_ray(Direction d, Square s) {
  Bitboard squares = 0;
  for (Bitboard b = step(bit(s), d); step(b, d) != 0; b = step(b, d)) squares |= b;
  return squares;
}

/// The four lines through s, without s itself.
constexpr Bitboard rank_mask(Square s) { return ray(Direction::east, s) | ray(Direction::west, s); }
constexpr Bitboard file_mask(Square s) { return ray(Direction::north, s) | ray(Direction::south, s); }
constexpr Bitboard diagonal_mask(Square s) { return ray(Direction::northeast, s) | ray(Direction::southwest, s); }
constexpr Bitboard antidiagonal_mask(Square s) { return ray(Direction::northwest, s) | ray(Direction::southeast, s); }

/// The relevant occupancy of a slider on s: the squares on which a blocker changes its attacks (10 to 12 squares for a
/// rook, 5 to 9 for a bishop).
constexpr Bitboard rook_relevant(Square s) {
  Bitboard mask = 0;
  for (const Direction d : orthogonal_directions) mask |= relevant_ray(d, s);
  return mask;
}
constexpr Bitboard bishop_relevant(Square s) {
  Bitboard mask = 0;
  for (const Direction d : diagonal_directions) mask |= relevant_ray(d, s);
  return mask;
}

/// The subset of mask that follows `subset` in the order of the carry rippler; after mask itself comes the empty set
/// again (Marcel van Kervinck, 2002). Starting at 0 it visits all 2^popcount(mask) subsets.
constexpr Bitboard next_subset(Bitboard subset, Bitboard mask) { return (subset - mask) & mask; }

}  // namespace slidebench
