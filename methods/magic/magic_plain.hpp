// SPDX-License-Identifier: MIT
//
// Plain magic bitboards: the magic hash with one array size for all squares.
//
// The same multiplication as fancy magic (explained in magic_fancy.hpp), but every rook square gets 2^12 slots and
// every bishop square 2^9, whether it needs them or not. So the shift is a constant, and the array of a square begins
// at a multiple of the square: no offset and no shift to load, at the price of 2.6 times the table.
//
//      rook:    rook_sets[4096 * s  + ((occupied & mask) * factor >> 52)]
//      bishop:  bishop_sets[512 * s + ((occupied & mask) * factor >> 55)]
//
// A factor that is magic for n bits is magic for more bits too, so both methods use the same factors, and differ only
// in layout. Whether that difference shows is one of the questions of this suite.
//
// Inventor: Lasse Hansen (Winboard forum, 14 June 2006); the name by Robert Purves (CCC, 2010).
// Tables: 64 x 4,096 + 64 x 512 sets x 8 bytes = 2,359,296, and 64 records x 32 bytes = 2,048; 2,361,344 bytes.
// Loads: 2 words of one record + 1 set. Relies on: a fast multiplication, and on caches (and a TLB) that hold the sets.
#pragma once

#include "methods/magic/magic_factors.hpp"
#include "methods/magic/occupancies.hpp"
#include "methods/method.hpp"
#include "methods/square_records.hpp"

namespace slidebench {

struct MagicPlain {
  static constexpr MethodInfo info{.id = "magic_plain",
                                   .title = "Plain magic bitboards",
                                   .family = "magic",
                                   .inventor = "L. Hansen",
                                   .year = 2006,
                                   .reference = "https://www.chessprogramming.org/Magic_Bitboards",
                                   .requires_isa = Isa::none};

  static Bitboard bishop(Square s, Bitboard occupied) {
    return bishop_sets.row(std::size_t{512} * s)[index(bishop_record(s), 9, occupied)];
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    return rook_sets.row(std::size_t{4096} * s)[index(rook_record(s), 12, occupied)];
  }

  /// Fills the attack sets: 107,648 ray walks.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      magic::for_each_occupancy(magic::Piece::bishop, s, [s](Bitboard occupied, Bitboard attacks) {
        bishop_sets.data[512 * s + index(bishop_record(s), 9, occupied)] = attacks;
      });
      magic::for_each_occupancy(magic::Piece::rook, s, [s](Bitboard occupied, Bitboard attacks) {
        rook_sets.data[4096 * s + index(rook_record(s), 12, occupied)] = attacks;
      });
    }
  }

 private:
  struct Record {
    Bitboard mask;
    std::uint64_t factor;
  };

  static constexpr Table<SquareRecords<Record>, 64> records = [] {
    Table<SquareRecords<Record>, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {{bishop_relevant(s), bishop_factors[s]}, {rook_relevant(s), rook_factors[s]}};
    }
    return table;
  }();

  static inline Table<Bitboard, 64 * 4096> rook_sets;
  static inline Table<Bitboard, 64 * 512> bishop_sets;

  static const Record& bishop_record(Square s) { return records.member(s, &SquareRecords<Record>::bishop); }
  static const Record& rook_record(Square s) { return records.member(s, &SquareRecords<Record>::rook); }

  static std::uint64_t index(const Record& r, unsigned bits, Bitboard occupied) {
    return ((occupied & r.mask) * r.factor) >> (64 - bits);
  }

 public:
  static constexpr std::array tables{table_info("rook_sets", rook_sets), table_info("bishop_sets", bishop_sets),
                                     table_info("records", records)};
};

}  // namespace slidebench
