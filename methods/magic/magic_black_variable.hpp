// SPDX-License-Identifier: MIT
//
// Black magic with a shift for every square: no square's array is longer than its index asks for.
//
//      fancy, dense     (occupied &  mask) * factor >> shift      magic_fancy.hpp, magic_dense.hpp
//      this one         (occupied | ~mask) * factor >> shift      the record holds ~mask
//      magic_black      (occupied | ~mask) * factor >> 52         a constant shift, and arrays that interleave
//
// The or-ed bits add a constant to the product (see magic_black.hpp). Where arrays interleave, that constant is worth
// having: it moves a square's slots around until they pack. Here each array stands alone and gains nothing by it. What
// is left is an OR for an AND, with the same four words a record and nearly the same table as in magic_dense: a query
// takes as many instructions. This form is here because engines have it.
//
// Inventors: the black hash: V. Annuss and N. Fiekas (2016, 2017); with a shift for every square: Ciekce's engine
// Stormphrax from its first commit on (March 2023), for CPUs without fast PEXT.
// Source: github.com/Ciekce/Stormphrax, src/attacks/black_magic; github.com/niklasf/magics. The factors here come from
// this project's search.
// Tables: 94,912 slots x 8 bytes = 759,296, and 64 records x 64 bytes = 4,096; together 763,392 bytes (magic_dense has
// 16,384 bytes less: three more rook squares with one index bit less). Loads: 1 record (4 words) + 1 set. Relies on: a
// fast multiplication, and on the sets being in cache.
#pragma once

#include "methods/magic/black_variable_factors.hpp"
#include "methods/magic/occupancies.hpp"
#include "methods/method.hpp"
#include "methods/square_records.hpp"

namespace slidebench {

struct MagicBlackVariable {
  static constexpr MethodInfo info{.id = "magic_black_variable",
                                   .title = "Black magic, variable shift",
                                   .family = "magic",
                                   .inventor = "V. Annuss, N. Fiekas, Ciekce",
                                   .year = 2023,
                                   .reference = "https://github.com/Ciekce/Stormphrax",
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
    for (const BlackVariableFactor& f : black_variable_rook_factors) sum += std::size_t{1} << f.bits;
    for (const BlackVariableFactor& f : black_variable_bishop_factors) sum += std::size_t{1} << f.bits;
    return sum;
  }();

  static inline Table<Bitboard, slots> sets;

  struct Record {
    Bitboard irrelevant;  ///< all squares but the relevant ones
    std::uint64_t factor;
    Bitboard* sets;       ///< the square's own array, a part of the common table
    std::uint64_t shift;  ///< 64 - bits
  };

  static constexpr Table<SquareRecords<Record>, 64> records = [] {
    Table<SquareRecords<Record>, 64> table;
    Bitboard* next = sets.data;
    for (Square s = 0; s < 64; ++s) {
      const BlackVariableFactor& f = black_variable_rook_factors[s];
      table.data[s].rook = {~rook_relevant(s), f.factor, next, 64 - f.bits};
      next += std::size_t{1} << f.bits;
    }
    for (Square s = 0; s < 64; ++s) {
      const BlackVariableFactor& f = black_variable_bishop_factors[s];
      table.data[s].bishop = {~bishop_relevant(s), f.factor, next, 64 - f.bits};
      next += std::size_t{1} << f.bits;
    }
    return table;
  }();

  static std::uint64_t index(const Record& r, Bitboard occupied) {
    return ((occupied | r.irrelevant) * r.factor) >> r.shift;
  }

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
