// SPDX-License-Identifier: MIT
//
// Fancy magic bitboards: multiply the relevant occupancy by a magic factor, and its top bits are an index.
//
// Mask out the squares whose occupancy matters (10 to 12 for a rook, 5 to 9 for a bishop). Seen as a polynomial, each
// of these bits adds a shifted copy of the factor; a good factor brings a mixture of all of them to the top of the
// product such that two occupancies with different attacks never share their top n bits:
//
//      occupied & mask     *  factor     >>  (64 - n)      =  index     ->  sets[offset + index]
//      both lines at once     per square     per square       n bits        the finished attack set
//
// "Fancy" means that each square has an array of its own size, 2^n for n relevant squares, in one table: 102,400 rook
// and 5,248 bishop sets. One record per slider and square holds what a query needs; a square's bishop and rook records
// share a cache line. The factors come from this project's search (magic_factors.hpp).
//
// Inventors: Lasse Hansen (multiplication hash, Winboard forum, 14 June 2006), Pradu Kannan (individual sizes, 23
// August 2006; Magic Move-Bitboard Generation in Computer Chess, 2007); the name by Robert Purves (CCC, 2010). Tables:
// 107,648 sets x 8 bytes = 861,184, and 128 records x 32 bytes = 4,096; together 865,280 bytes. Loads: 1 record (4
// words of one line) + 1 set. Relies on: a fast multiplication, and on the sets being in cache.
#pragma once

#include "methods/magic/magic_factors.hpp"
#include "methods/magic/occupancies.hpp"
#include "methods/method.hpp"
#include "methods/square_records.hpp"

namespace slidebench {

struct MagicFancy {
  static constexpr MethodInfo info{.id = "magic_fancy",
                                   .title = "Fancy magic bitboards",
                                   .family = "magic",
                                   .inventor = "L. Hansen, P. Kannan",
                                   .year = 2006,
                                   .reference = "P. Kannan, Magic Move-Bitboard Generation in Computer Chess, 2007",
                                   .requires_isa = Isa::none};

  static Bitboard bishop(Square s, Bitboard occupied) { return look_up(bishop_record(s), occupied); }
  static Bitboard rook(Square s, Bitboard occupied) { return look_up(rook_record(s), occupied); }

  /// Fills the attack sets: 107,648 ray walks.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      fill(magic::Piece::bishop, s, bishop_record(s));
      fill(magic::Piece::rook, s, rook_record(s));
    }
  }

 private:
  static inline Table<Bitboard, 102'400 + 5'248> sets;

  struct Record {
    Bitboard mask;
    std::uint64_t factor;
    Bitboard* sets;       ///< the square's own array, a part of the common table
    std::uint64_t shift;  ///< 64 - n
  };

  static constexpr Table<SquareRecords<Record>, 64> records = [] {
    Table<SquareRecords<Record>, 64> table;
    std::uint64_t first = 0;
    for (const magic::Piece piece : {magic::Piece::rook, magic::Piece::bishop}) {
      for (Square s = 0; s < 64; ++s) {
        const bool is_rook = piece == magic::Piece::rook;
        const unsigned n = magic::relevant_bits(piece, s);
        Record& r = is_rook ? table.data[s].rook : table.data[s].bishop;
        r = {magic::relevant(piece, s), is_rook ? rook_factors[s] : bishop_factors[s], sets.data + first, 64 - n};
        first += std::uint64_t{1} << n;
      }
    }
    return table;
  }();

  static std::uint64_t index(const Record& r, Bitboard occupied) { return ((occupied & r.mask) * r.factor) >> r.shift; }

  static const Record& bishop_record(Square s) { return records.member(s, &SquareRecords<Record>::bishop); }
  static const Record& rook_record(Square s) { return records.member(s, &SquareRecords<Record>::rook); }

  static Bitboard look_up(const Record& r, Bitboard occupied) { return sets.from(r.sets)[index(r, occupied)]; }

  static void fill(magic::Piece piece, Square s, const Record& r) {
    magic::for_each_occupancy(piece, s,
                              [&r](Bitboard occupied, Bitboard attacks) { r.sets[index(r, occupied)] = attacks; });
  }

 public:
  static constexpr std::array tables{table_info("sets", sets), table_info("records", records)};
};

}  // namespace slidebench
