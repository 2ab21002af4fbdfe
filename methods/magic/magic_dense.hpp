// SPDX-License-Identifier: MIT
//
// Dense magic: fancy magic with one index bit less, on the squares whose factors allow it.
//
// n relevant squares have 2^n occupancies, but far fewer attack sets: 49 for 4,096 occupancies of a rook on a8. Two
// occupancies with the same attacks may meet in a slot ("constructive collision"), so nothing forbids an index of less
// than n bits; it takes a factor under which all those that meet have equal attacks. Such factors are very rare:
//
//      n - 1 bits    rooks: 15 of the squares of the seventh and eighth rank, as far as is known
//                    bishops: 24 squares, on the files a, b, g and h
//
// A query is that of magic_fancy.hpp to the letter. Only the table is smaller, by 14 % with all of these.
//
// Inventors: collected over the years (bishops before 2008) by Grant Osborne, Gerd Isenberg, Richard Pijl, Peter
// Oesterlund, Volker Annuss and Niklas Fiekas, who keeps the list. Source: github.com/niklasf/magics. The factors here
// come from this project's search. Tables: 8 bytes for each of the 2^bits slots per square (92,864 slots = 742,912
// bytes with all factors that are known to exist; the compiler counts those of dense_factors.hpp), and 64 records x 64
// bytes = 4,096. Loads: 1 record (4 words) + 1 set. Relies on: a fast multiplication, and on the sets being in cache.
#pragma once

#include "methods/magic/dense_factors.hpp"
#include "methods/magic/occupancies.hpp"
#include "methods/method.hpp"
#include "methods/square_records.hpp"

namespace slidebench {

struct MagicDense {
  static constexpr MethodInfo info{.id = "magic_dense",
                                   .title = "Fancy magic, dense factors",
                                   .family = "magic",
                                   .inventor = "G. Osborne, N. Fiekas and others",
                                   .year = 2008,
                                   .reference = "https://github.com/niklasf/magics",
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
  static constexpr std::size_t slots = [] {
    std::size_t sum = 0;
    for (const DenseFactor& f : dense_rook_factors) sum += std::size_t{1} << f.bits;
    for (const DenseFactor& f : dense_bishop_factors) sum += std::size_t{1} << f.bits;
    return sum;
  }();

  static inline Table<Bitboard, slots> sets;

  struct Record {
    Bitboard mask;
    std::uint64_t factor;
    Bitboard* sets;       ///< the square's own array, a part of the common table
    std::uint64_t shift;  ///< 64 - bits
  };

  static constexpr Table<SquareRecords<Record>, 64> records = [] {
    Table<SquareRecords<Record>, 64> table;
    Bitboard* next = sets.data;
    for (Square s = 0; s < 64; ++s) {
      const DenseFactor& f = dense_rook_factors[s];
      table.data[s].rook = {rook_relevant(s), f.factor, next, 64 - f.bits};
      next += std::size_t{1} << f.bits;
    }
    for (Square s = 0; s < 64; ++s) {
      const DenseFactor& f = dense_bishop_factors[s];
      table.data[s].bishop = {bishop_relevant(s), f.factor, next, 64 - f.bits};
      next += std::size_t{1} << f.bits;
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
