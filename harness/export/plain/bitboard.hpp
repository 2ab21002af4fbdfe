// SPDX-License-Identifier: MIT
//
// What methods/bitboard.hpp and methods/reference.hpp say, written short for exports: rays by files and ranks, which
// also stop at blockers. Queries use none of what differs; it fills tables.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace slidebench {

using Bitboard = std::uint64_t;  ///< a set of squares: bit s stands for square s
using Square = unsigned;

inline constexpr unsigned square_count = 64;

inline constexpr Bitboard a_file = 0x0101010101010101;
inline constexpr Bitboard h_file = 0x8080808080808080;
inline constexpr Bitboard first_rank = 0x00000000000000FF;
inline constexpr Bitboard eighth_rank = 0xFF00000000000000;
inline constexpr Bitboard main_diagonal = 0x8040201008040201;      // a1 to h8
inline constexpr Bitboard main_antidiagonal = 0x0102040810204080;  // a8 to h1

constexpr Bitboard bit(Square s) { return Bitboard{1} << s; }

constexpr unsigned file_of(Square s) { return s & 7; }

constexpr unsigned rank_of(Square s) { return s >> 3; }

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

/// The board upside down.
constexpr Bitboard flip_ranks(Bitboard b) { return __builtin_bswap64(b); }

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

/// The squares from s (excluded) in direction d, to the edge of the board or to the first occupied one.
constexpr Bitboard ray(Direction d, Square s, Bitboard occupied = 0) {
  constexpr int east[] = {0, 1, 1, -1, 0, -1, -1, 1}, north[] = {1, 0, 1, 1, -1, 0, -1, -1};
  const Square f = s % 8 + east[static_cast<unsigned>(d)];
  const Square r = s / 8 + north[static_cast<unsigned>(d)];
  const Square next = 8 * r + f;
  if (f > 7 || r > 7) return 0;
  return (occupied >> next & 1) != 0 ? bit(next) : bit(next) | ray(d, next, occupied);
}

namespace magic {

enum class Piece { bishop, rook };

/// The attacks of a slider on s, by walking; they fill the tables.
constexpr Bitboard attacks(Piece piece, Square s, Bitboard occupied) {
  constexpr int east[] = {1, -1, -1, 1, 0, 1, 0, -1}, north[] = {1, 1, -1, -1, 1, 0, -1, 0};
  Bitboard reached = 0;
  for (unsigned d = piece == Piece::bishop ? 0 : 4, end = d + 4; d < end; ++d) {
    Bitboard ray = 0;
    for (Square f = s % 8, r = s / 8; (ray & occupied) == 0 && (f += east[d]) < 8 && (r += north[d]) < 8;)
      ray |= Bitboard{1} << (8 * r + f);
    reached |= ray;
  }
  return reached;
}

}  // namespace magic

namespace reference {

template <Direction d>
constexpr Bitboard walk(Square s, Bitboard occupied) {
  return ray(d, s, occupied);
}

constexpr Bitboard bishop(Square s, Bitboard occupied) { return magic::attacks(magic::Piece::bishop, s, occupied); }
constexpr Bitboard rook(Square s, Bitboard occupied) { return magic::attacks(magic::Piece::rook, s, occupied); }
constexpr Bitboard queen(Square s, Bitboard occupied) { return bishop(s, occupied) | rook(s, occupied); }

}  // namespace reference

constexpr Bitboard rank_mask(Square s) { return ray(Direction::east, s) | ray(Direction::west, s); }
constexpr Bitboard file_mask(Square s) { return ray(Direction::north, s) | ray(Direction::south, s); }
constexpr Bitboard diagonal_mask(Square s) { return ray(Direction::northeast, s) | ray(Direction::southwest, s); }
constexpr Bitboard antidiagonal_mask(Square s) { return ray(Direction::northwest, s) | ray(Direction::southeast, s); }

/// The edges that s is not on: a blocker there hides nothing.
constexpr Bitboard edges(Square s) {
  return (0xFF000000000000FF & ~(0xFFull << (s & 56))) | (0x8181818181818181 & ~(0x0101010101010101 << (s & 7)));
}

constexpr Bitboard bishop_relevant(Square s) { return reference::bishop(s, 0) & ~edges(s); }
constexpr Bitboard rook_relevant(Square s) { return reference::rook(s, 0) & ~edges(s); }

/// The squares of ray(d, s) on which a blocker hides others: all but the last.
constexpr Bitboard relevant_ray(Direction d, Square s) { return ray(d, s) & ~edges(s); }

constexpr Bitboard next_subset(Bitboard subset, Bitboard mask) { return (subset - mask) & mask; }

}  // namespace slidebench
