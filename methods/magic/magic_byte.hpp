// SPDX-License-Identifier: MIT
//
// Plain magic with byte look-up: look up the number of an attack set, then the set.
//
// The magic hash is that of magic_plain.hpp, and its table mostly repeats itself: a rook square has 4,096 slots and at
// most 144 different attack sets. Stored once, they are numbered by a byte each, and the big table holds the numbers:
//
//      rook:  id      = rook_ids[4096 * s + ((occupied & mask) * factor >> 52)]      1 byte
//             attacks = sets[id]                                                     8 bytes, of the square's own sets
//
// The address 4096 * s needs no load in magic_plain; here the record has room for it, and loading it is shorter than
// computing it. The table shrinks to a seventh (64 ids share a cache line, where 8 sets did), and a second load waits
// for the first one: four or five cycles if it hits the first-level cache, which 50 KB of sets do not always do.
//
// Inventor: Robert Houdart, for his engine Houdini (CCC, 26 August 2010).
// Source: Chessprogramming wiki, Magic Bitboards.
// Tables: 64 x (4,096 + 512) ids = 294,912 bytes, 6,328 sets x 8 = 50,624, 64 records x 64 = 4,096; 349,632 bytes.
// Loads: 1 record (4 words) + 1 byte + 1 set. Relies on: a fast multiplication.
#pragma once

#include "methods/magic/distinct_sets.hpp"
#include "methods/magic/magic_factors.hpp"
#include "methods/method.hpp"
#include "methods/square_records.hpp"

namespace slidebench {

struct MagicByte {
  static constexpr MethodInfo info{.id = "magic_byte",
                                   .title = "Plain magic, byte look-up",
                                   .family = "magic",
                                   .inventor = "R. Houdart",
                                   .year = 2010,
                                   .reference = "https://www.chessprogramming.org/Magic_Bitboards",
                                   .requires_isa = Isa::none};

  static Bitboard bishop(Square s, Bitboard occupied) {
    const Record& r = bishop_record(s);
    return sets.from(r.sets)[bishop_ids.from(r.ids)[index(r, 9, occupied)]];
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    const Record& r = rook_record(s);
    return sets.from(r.sets)[rook_ids.from(r.ids)[index(r, 12, occupied)]];
  }

  /// Fills ids and sets: 107,648 ray walks.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      fill(magic::Piece::bishop, s, bishop_record(s), 9);
      fill(magic::Piece::rook, s, rook_record(s), 12);
    }
  }

 private:
  static inline Table<std::uint8_t, 64 * 4096> rook_ids;
  static inline Table<std::uint8_t, 64 * 512> bishop_ids;
  static inline Table<Bitboard, magic::rook_set_count + magic::bishop_set_count> sets;

  struct Record {
    Bitboard mask;
    std::uint64_t factor;
    std::uint8_t* ids;  ///< the square's own ids and sets, parts of the common tables
    Bitboard* sets;
  };

  static constexpr Table<SquareRecords<Record>, 64> records = [] {
    Table<SquareRecords<Record>, 64> table;
    Bitboard* next = sets.data;
    for (Square s = 0; s < 64; ++s) {
      table.data[s].rook = {rook_relevant(s), rook_factors[s], rook_ids.data + 4096 * s, next};
      next += magic::attack_set_count(magic::Piece::rook, s);
    }
    for (Square s = 0; s < 64; ++s) {
      table.data[s].bishop = {bishop_relevant(s), bishop_factors[s], bishop_ids.data + 512 * s, next};
      next += magic::attack_set_count(magic::Piece::bishop, s);
    }
    return table;
  }();

  static const Record& bishop_record(Square s) { return records.member(s, &SquareRecords<Record>::bishop); }
  static const Record& rook_record(Square s) { return records.member(s, &SquareRecords<Record>::rook); }

  static std::uint64_t index(const Record& r, unsigned bits, Bitboard occupied) {
    return ((occupied & r.mask) * r.factor) >> (64 - bits);
  }

  static void fill(magic::Piece piece, Square s, const Record& r, unsigned bits) {
    magic::number_sets(piece, s, r.sets, [&r, bits](Bitboard occupied, unsigned id) {
      r.ids[index(r, bits, occupied)] = static_cast<std::uint8_t>(id);
    });
  }

 public:
  static constexpr std::array tables{table_info("rook_ids", rook_ids), table_info("bishop_ids", bishop_ids),
                                     table_info("sets", sets), table_info("records", records)};
};

}  // namespace slidebench
