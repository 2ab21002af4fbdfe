// SPDX-License-Identifier: MIT
//
// PEXT bitboards with the sets of a square's bishop behind those of its rook, and both pieces asked rook first:
// pext.hpp has the bishops of all squares behind the rooks of all, so that `both` reads two pages. The rook's sets are
// the ones that miss the cache; asked first, they have a cycle more.
#pragma once

#include "methods/method.hpp"
#include "methods/pext/bit_permute.hpp"
#include "methods/reference.hpp"
#include "methods/square_records.hpp"

namespace slidebench {

struct PextNeighbours {
  static constexpr MethodInfo info{.id = "pext_neighbours",
                                   .title = "PEXT bitboards, bishop beside rook",
                                   .family = "pext",
                                   .inventor = "Z. Wegner",
                                   .year = 2013,
                                   .reference = "https://www.chessprogramming.org/BMI2#PEXT_Bitboards",
                                   .requires_isa = bit_permute_isa};

  static Bitboard bishop(Square s, Bitboard occupied) { return look_up(bishop_record(s), occupied); }
  static Bitboard rook(Square s, Bitboard occupied) { return look_up(rook_record(s), occupied); }
  static Bitboard queen(Square s, Bitboard occupied) { return rook(s, occupied) | bishop(s, occupied); }
  static BishopRook both(Square s, Bitboard occupied) {
    const Bitboard rook_attacks = rook(s, occupied);
    return {bishop(s, occupied), rook_attacks};
  }

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
    Bitboard* at = sets.data;
    const auto record = [&at](Bitboard relevant) {
      const Record r{relevant, at};
      at += std::uint64_t{1} << std::popcount(relevant);
      return r;
    };
    for (Square s = 0; s < 64; ++s) {
      table.data[s].rook = record(rook_relevant(s));
      table.data[s].bishop = record(bishop_relevant(s));
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
