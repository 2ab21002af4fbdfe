// SPDX-License-Identifier: MIT
//
// 32-bit magic: one multiplication for each half of the board.
//
// A processor of 32 bits makes a 64-bit product from three 32-bit ones, and most of their bits are then shifted away.
// A hash does not need the true product. Give each half of the masked occupancy a factor of its own, and mix:
//
//      index = ((low half * low factor) ^ (high half * high factor)) >> (32 - n)          all words have 32 bits
//
// Adding the products would do as well, but it takes other factors: a pair is found for one of the two. On a 64-bit
// processor this is magic_fancy.hpp with four more instructions; it is here for what remains of 32-bit targets.
//
// Inventor: Grant Osborne (Winboard forum, 15 December 2006). Source: Chessprogramming wiki, Magic Bitboards (the text
// adds, its code combines by xor).
// Tables: 107,648 sets x 8 bytes = 861,184, and 64 records x 64 bytes = 4,096; together 865,280 bytes.
// Loads: 1 record (4 words) + 1 set. Relies on: a fast 32-bit multiplication, and on the sets being in cache.
#pragma once

#include "methods/magic/occupancies.hpp"
#include "methods/magic/split32_factors.hpp"
#include "methods/method.hpp"
#include "methods/square_records.hpp"

namespace slidebench {

struct MagicSplit32 {
  static constexpr MethodInfo info{.id = "magic_split32",
                                   .title = "32-bit magic, two multiplications",
                                   .family = "magic",
                                   .inventor = "G. Osborne",
                                   .year = 2006,
                                   .reference = "https://www.chessprogramming.org/Magic_Bitboards",
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
    Split32Factor factor;
    Bitboard* sets;       ///< the square's own array, a part of the common table
    std::uint64_t shift;  ///< 32 - n
  };

  static constexpr Table<SquareRecords<Record>, 64> records = [] {
    Table<SquareRecords<Record>, 64> table;
    Bitboard* next = sets.data;
    for (const magic::Piece piece : {magic::Piece::rook, magic::Piece::bishop}) {
      for (Square s = 0; s < 64; ++s) {
        const bool is_rook = piece == magic::Piece::rook;
        const unsigned n = magic::relevant_bits(piece, s);
        Record& r = is_rook ? table.data[s].rook : table.data[s].bishop;
        r = {magic::relevant(piece, s), is_rook ? split32_rook_factors[s] : split32_bishop_factors[s], next, 32 - n};
        next += std::size_t{1} << n;
      }
    }
    return table;
  }();

  static const Record& bishop_record(Square s) { return records.member(s, &SquareRecords<Record>::bishop); }
  static const Record& rook_record(Square s) { return records.member(s, &SquareRecords<Record>::rook); }

  static std::uint32_t index(const Record& r, Bitboard occupied) {
    const Bitboard masked = occupied & r.mask;
    const std::uint32_t low = static_cast<std::uint32_t>(masked) * r.factor.low;
    const std::uint32_t high = static_cast<std::uint32_t>(masked >> 32) * r.factor.high;
    return (low ^ high) >> r.shift;
  }

  static Bitboard look_up(const Record& r, Bitboard occupied) { return sets.from(r.sets)[index(r, occupied)]; }

  static void fill(magic::Piece piece, Square s, const Record& r) {
    magic::for_each_occupancy(piece, s,
                              [&r](Bitboard occupied, Bitboard attacks) { r.sets[index(r, occupied)] = attacks; });
  }

 public:
  static constexpr std::array tables{table_info("sets", sets), table_info("records", records)};
};

}  // namespace slidebench
