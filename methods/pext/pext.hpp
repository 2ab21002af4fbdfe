// SPDX-License-Identifier: MIT
//
// PEXT bitboards: the processor gathers the relevant occupancy into an index, perfectly and without a factor.
//
// PEXT (parallel bit extract, BMI2; on AArch64 BEXT of SVE2) collects the bits of one word that a mask selects, and
// packs them at the low end:
//
//      occupied   . X . . X . . X          the squares under the mask, in order, become
//      mask       . 1 1 . 1 1 1 .     ->   the binary number X . X . .  = the index
//
// So every relevant occupancy of a square has its own slot, 0 to 2^n - 1: the table is exactly that of fancy magic, but
// the index costs one instruction, and the record is a mask and an offset.
//
// Inventor: Zach Wegner is credited; in use since Intel's Haswell (2013) made PEXT fast. AMD processors before Zen 3
// (and Excavator) run PEXT as microcode, 18 to 300 cycles: "has BMI2" does not mean "PEXT is fast".
// Source: Chessprogramming wiki, BMI2.
// Tables: 107,648 sets x 8 bytes = 861,184, and 128 records x 16 bytes = 2,048; together 863,232 bytes.
// Loads: 1 record (2 words) + 1 set. Relies on: BMI2 or SVE2, and on the sets being in cache.
#pragma once

#include "methods/method.hpp"
#include "methods/pext/bit_permute.hpp"
#include "methods/reference.hpp"
#include "methods/square_records.hpp"

namespace slidebench {

struct Pext {
  static constexpr MethodInfo info{.id = "pext",
                                   .title = "PEXT bitboards",
                                   .family = "pext",
                                   .inventor = "Z. Wegner",
                                   .year = 2013,
                                   .reference = "https://www.chessprogramming.org/BMI2#PEXT_Bitboards",
                                   .requires_isa = bit_permute_isa};

  static Bitboard bishop(Square s, Bitboard occupied) { return look_up(bishop_record(s), occupied); }
  static Bitboard rook(Square s, Bitboard occupied) { return look_up(rook_record(s), occupied); }

  /// Fills the attack sets: 107,648 ray walks.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      fill(bishop_record(s), [s](Bitboard occupied) { return reference::bishop(s, occupied); });
      fill(rook_record(s), [s](Bitboard occupied) { return reference::rook(s, occupied); });
    }
  }

 private:
  static inline Table<Bitboard, 102'400 + 5'248> sets;

  struct Record {
    Bitboard mask;
    Bitboard* sets;  ///< the square's own array, a part of the common table
  };

  static constexpr Table<SquareRecords<Record>, 64> records = [] {
    Table<SquareRecords<Record>, 64> table;
    std::uint64_t first = 0;
    for (Square s = 0; s < 64; ++s) {
      table.data[s].rook = {rook_relevant(s), sets.data + first};
      first += std::uint64_t{1} << std::popcount(rook_relevant(s));
    }
    for (Square s = 0; s < 64; ++s) {
      table.data[s].bishop = {bishop_relevant(s), sets.data + first};
      first += std::uint64_t{1} << std::popcount(bishop_relevant(s));
    }
    return table;
  }();

  static const Record& bishop_record(Square s) { return records.member(s, &SquareRecords<Record>::bishop); }
  static const Record& rook_record(Square s) { return records.member(s, &SquareRecords<Record>::rook); }

  static Bitboard look_up(const Record& r, Bitboard occupied) {
    return sets.from(r.sets)[extract_bits(occupied, r.mask)];
  }

  template <class Attacks>
  static void fill(const Record& r, Attacks attacks) {
    for (std::uint64_t i = 0; i < std::uint64_t{1} << std::popcount(r.mask); ++i) {
      r.sets[i] = attacks(deposit_bits(i, r.mask));
    }
  }

 public:
  static constexpr std::array tables{table_info("sets", sets), table_info("records", records)};
};

}  // namespace slidebench
