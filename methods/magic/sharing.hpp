// SPDX-License-Identifier: MIT
//
// Shared attacks: which squares may keep their attack sets in the same slots, and the look-up that takes them apart.
//
// Let two squares A and B share an array. Each comes with its own magic factor, and a slot holds the union of what
// either of them stores there; a final AND with the attacks of the asking square on the empty board (the post-mask)
// removes the other's part. What it cannot remove are squares that both can attack. They do no harm if they are
// neighbours of both sliders, for a neighbour is always attacked:
//
//      (setA | setB) & postmaskA = setA | (setB & postmaskA),      setB & postmaskA within the neighbours of A and B
//
// Rooks share in pairs of diagonal neighbours (a1 and b2 meet on a2 and b1 only), bishops in fours: the four squares of
// a rank on the files c to f, and the lower and the upper half of the files a, b, g and h.
//
//      rooks     . . . . . . . .      bishops    1 3 . . . . d f
//                . . . . . . . .                 1 3 a a a a d f
//                9 8 . . . . . .                 ...
//                8 9 . . . . . .                 0 2 6 6 6 6 c e
//                1 0 3 2 5 4 7 6                 0 2 5 5 5 5 c e
//                0 1 2 3 4 5 6 7                 0 2 4 4 4 4 c e
//
// Idea and groups: Lasse Hansen (Winboard forum, 9 May 2008); Chessprogramming wiki, Magic Bitboards.
#pragma once

#include <algorithm>

#include "methods/magic/occupancies.hpp"
#include "methods/method.hpp"
#include "methods/square_records.hpp"

namespace slidebench::sharing {

using magic::Piece;

/// The groups are numbered through: 32 of the rooks, then 16 of the bishops.
inline constexpr unsigned group_count = 32 + 16;

constexpr unsigned rook_group(Square s) { return 8 * (rank_of(s) / 2) + (file_of(s) ^ (rank_of(s) & 1)); }

constexpr unsigned bishop_group(Square s) {
  const unsigned file = file_of(s);
  const bool middle = 2 <= file && file <= 5;
  return 32 + (middle ? 4 + rank_of(s) : 2 * file + rank_of(s) / 4);
}

constexpr unsigned group_of(Piece piece, Square s) { return piece == Piece::rook ? rook_group(s) : bishop_group(s); }

constexpr Bitboard neighbours(Square s) {
  Bitboard squares = 0;
  for (unsigned d = 0; d < 8; ++d) squares |= step(bit(s), Direction{d});
  return squares;
}

constexpr bool may_share(Piece piece, Square a, Square b) {
  const Bitboard met = magic::attacks(piece, a, 0) & magic::attacks(piece, b, 0);
  return (met & ~(neighbours(a) & neighbours(b))) == 0;
}

constexpr bool groups_are_valid(Piece piece) {
  for (Square a = 0; a < 64; ++a) {
    for (Square b = 0; b < a; ++b) {
      if (group_of(piece, a) == group_of(piece, b) && !may_share(piece, a, b)) return false;
    }
  }
  return true;
}
static_assert(groups_are_valid(Piece::rook) && groups_are_valid(Piece::bishop));

/// Where each group's array begins; the last element is the number of slots of all arrays together.
struct Layout {
  std::array<std::uint32_t, group_count + 1> first{};

  constexpr std::uint32_t of(Piece piece, Square s) const { return first[group_of(piece, s)]; }
  constexpr std::uint32_t slots() const { return first[group_count]; }
};

/// Lays the arrays one behind the other, each of the size its member with the most index bits needs.
/// `bits(piece, s)` is the number of index bits of a square.
template <class Bits>
constexpr Layout lay_out(Bits bits) {
  std::array<std::uint32_t, group_count> size{};
  for (const Piece piece : {Piece::rook, Piece::bishop}) {
    for (Square s = 0; s < 64; ++s) {
      std::uint32_t& group = size[group_of(piece, s)];
      group = std::max(group, std::uint32_t{1} << bits(piece, s));
    }
  }
  Layout layout;
  for (unsigned g = 0; g < group_count; ++g) layout.first[g + 1] = layout.first[g] + size[g];
  return layout;
}

/// A magic factor and its number of index bits.
struct Factor {
  std::uint64_t factor;
  unsigned bits;
};

/// The look-up, for any set of factors.
template <Factor (*factor_of)(Piece, Square)>
struct SharedMagic {
  static Bitboard bishop(Square s, Bitboard occupied) { return look_up(bishop_record(s), occupied); }
  static Bitboard rook(Square s, Bitboard occupied) { return look_up(rook_record(s), occupied); }

  /// Fills the slots with the unions: 107,648 ray walks.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      fill(Piece::bishop, s, bishop_record(s));
      fill(Piece::rook, s, rook_record(s));
    }
  }

 private:
  static constexpr Layout layout = lay_out([](Piece piece, Square s) { return factor_of(piece, s).bits; });

  static inline Table<Bitboard, layout.slots()> unions;

  /// With an address of the array the record would exceed half a cache line; so it is a number.
  struct Record {
    Bitboard premask;
    std::uint64_t factor;
    Bitboard postmask;
    std::uint32_t first;  ///< where the group's array begins
    std::uint32_t shift;
  };

  static constexpr Table<SquareRecords<Record>, 64> records = [] {
    constexpr auto record = [](Piece piece, Square s) {
      const Factor f = factor_of(piece, s);
      return Record{magic::relevant(piece, s), f.factor, magic::attacks(piece, s, 0), layout.of(piece, s), 64 - f.bits};
    };
    Table<SquareRecords<Record>, 64> table;
    for (Square s = 0; s < 64; ++s) table.data[s] = {record(Piece::bishop, s), record(Piece::rook, s)};
    return table;
  }();

  static const Record& bishop_record(Square s) { return records.member(s, &SquareRecords<Record>::bishop); }
  static const Record& rook_record(Square s) { return records.member(s, &SquareRecords<Record>::rook); }

  static std::uint64_t index(const Record& r, Bitboard occupied) {
    return ((occupied & r.premask) * r.factor) >> r.shift;
  }

  static Bitboard look_up(const Record& r, Bitboard occupied) {
    return unions.row(r.first)[index(r, occupied)] & r.postmask;
  }

  static void fill(Piece piece, Square s, const Record& r) {
    magic::for_each_occupancy(
        piece, s, [&r](Bitboard occupied, Bitboard attacks) { unions.data[r.first + index(r, occupied)] |= attacks; });
  }

 public:
  static constexpr std::array tables{table_info("unions", unions), table_info("records", records)};
};

}  // namespace slidebench::sharing
