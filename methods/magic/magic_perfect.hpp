// SPDX-License-Identifier: MIT
//
// Fancy magic with perfect hashing: 16-bit indices in front of the different attack sets.
//
// Magic hashing wastes slots: 107,648 of them hold 6,328 different attack sets. Here the slots hold 16 bits, the place
// of the set in one common list in which every set stands once; with the list behind it, the hash is minimal and
// perfect:
//
//      attacks = sets[places[(occupied & mask) * factor >> (64 - n)]]
//
// Against byte ids (magic_byte_fancy.hpp) the slots are twice as large, but need no start address for the sets of each
// square: the place is final. Against finished sets (magic_fancy.hpp) it is a third of the memory and one more load,
// which waits for the first.
//
// Inventor: Pradu Kannan, as PERFECT_MAGIC_HASH in the move generator of his engine Buzz (2007).
// Source: Chessprogramming wiki, Magic Bitboards.
// Tables: 107,648 places x 2 bytes = 215,296, 6,328 sets x 8 = 50,624, 64 records x 64 = 4,096; 270,016 bytes.
// Loads: 1 record (4 words) + 1 place + 1 set. Relies on: a fast multiplication.
#pragma once

#include "methods/magic/distinct_sets.hpp"
#include "methods/magic/magic_factors.hpp"
#include "methods/method.hpp"
#include "methods/square_records.hpp"

namespace slidebench {

struct MagicPerfect {
  static constexpr MethodInfo info{.id = "magic_perfect",
                                   .title = "Fancy magic, 16-bit places",
                                   .family = "magic",
                                   .inventor = "P. Kannan",
                                   .year = 2007,
                                   .reference = "https://www.chessprogramming.org/Magic_Bitboards",
                                   .requires_isa = Isa::none};

  static Bitboard bishop(Square s, Bitboard occupied) { return look_up(bishop_record(s), occupied); }
  static Bitboard rook(Square s, Bitboard occupied) { return look_up(rook_record(s), occupied); }

  /// Fills places and sets: 107,648 ray walks.
  static void init() {
    unsigned first_set = 0;
    for (Square s = 0; s < 64; ++s) first_set += fill(magic::Piece::rook, s, rook_record(s), first_set);
    for (Square s = 0; s < 64; ++s) first_set += fill(magic::Piece::bishop, s, bishop_record(s), first_set);
  }

 private:
  static inline Table<std::uint16_t, 102'400 + 5'248> places;
  static inline Table<Bitboard, magic::rook_set_count + magic::bishop_set_count> sets;

  struct Record {
    Bitboard mask;
    std::uint64_t factor;
    std::uint16_t* places;  ///< the square's own array, a part of the common table
    std::uint64_t shift;    ///< 64 - n
  };

  static constexpr Table<SquareRecords<Record>, 64> records = [] {
    Table<SquareRecords<Record>, 64> table;
    std::uint16_t* first = places.data;
    for (const magic::Piece piece : {magic::Piece::rook, magic::Piece::bishop}) {
      for (Square s = 0; s < 64; ++s) {
        const bool is_rook = piece == magic::Piece::rook;
        const unsigned n = magic::relevant_bits(piece, s);
        Record& r = is_rook ? table.data[s].rook : table.data[s].bishop;
        r = {magic::relevant(piece, s), is_rook ? rook_factors[s] : bishop_factors[s], first, 64 - n};
        first += std::size_t{1} << n;
      }
    }
    return table;
  }();

  static const Record& bishop_record(Square s) { return records.member(s, &SquareRecords<Record>::bishop); }
  static const Record& rook_record(Square s) { return records.member(s, &SquareRecords<Record>::rook); }

  static std::uint64_t index(const Record& r, Bitboard occupied) { return ((occupied & r.mask) * r.factor) >> r.shift; }

  static Bitboard look_up(const Record& r, Bitboard occupied) {
    return sets[places.from(r.places)[index(r, occupied)]];
  }

  /// Appends the sets of one square to the list. Returns their number.
  static unsigned fill(magic::Piece piece, Square s, const Record& r, unsigned first_set) {
    magic::number_sets(piece, s, sets.data + first_set, [&r, first_set](Bitboard occupied, unsigned number) {
      r.places[index(r, occupied)] = static_cast<std::uint16_t>(first_set + number);
    });
    return magic::attack_set_count(piece, s);
  }

 public:
  static constexpr std::array tables{table_info("places", places), table_info("sets", sets),
                                     table_info("records", records)};
};

}  // namespace slidebench
