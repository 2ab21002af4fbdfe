// SPDX-License-Identifier: MIT
//
// Magic with a packed shift: the factor's top six bits say how far to shift, so that all a query needs is four words.
//
// Bit 58 + j of a factor, multiplied by a blocker on square t, is bit 58 + j + t of the product. Beyond 63 it is lost;
// so the top six bits take part only where blockers stand on the six lowest squares, and then they only add to the top
// of the index. They are nearly free: a search that fixes them to the shift 64 - n still finds factors.
//
//      factor   | shift |  58 bits to find  |       index = ((occupied & premask) * factor) >> (factor >> 58)
//
// The shift is taken out while the multiplication runs (one cycle beside three), so it costs an instruction and no
// time. What is it good for? Sharing attacks (magic_shared.hpp) needs five words: array, factor, premask, postmask and
// shift. Without the shift they are four, 32 bytes, and the records of a bishop and a rook fill one cache line; the
// array can be an address, where magic_shared has to add a number. That is the entry which Osborne proposed, and this
// method.
//
// Inventor: Grant Osborne (CCC, 18 June 2008), for the shared attacks of Lasse Hansen (9 May 2008).
// Source: Chessprogramming wiki, Magic Bitboards.
// Tables: (65,536 + 1,792) unions x 8 bytes = 538,624, and 64 records x 64 bytes = 4,096; together 542,720 bytes.
// Loads: 1 record (4 words) + 1 union. Relies on: a fast multiplication, and on the unions being in cache.
#pragma once

#include "methods/magic/packed_shift_factors.hpp"
#include "methods/magic/sharing.hpp"

namespace slidebench {

struct MagicPackedShift {
  static constexpr MethodInfo info{.id = "magic_packed_shift",
                                   .title = "Magic, shared attacks, packed shift",
                                   .family = "magic",
                                   .inventor = "G. Osborne",
                                   .year = 2008,
                                   .reference = "https://www.chessprogramming.org/Magic_Bitboards",
                                   .requires_isa = Isa::none};

  static Bitboard bishop(Square s, Bitboard occupied) { return look_up(bishop_record(s), occupied); }
  static Bitboard rook(Square s, Bitboard occupied) { return look_up(rook_record(s), occupied); }

  /// Fills the slots with the unions: 107,648 ray walks.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      fill(magic::Piece::bishop, s, bishop_record(s));
      fill(magic::Piece::rook, s, rook_record(s));
    }
  }

 private:
  static constexpr sharing::Layout layout = sharing::lay_out(magic::relevant_bits);

  static inline Table<Bitboard, layout.slots()> unions;

  struct Record {
    Bitboard* unions;      ///< the group's array, a part of the common table
    std::uint64_t factor;  ///< its top six bits are the shift, 64 - n
    Bitboard premask;      ///< the relevant squares
    Bitboard postmask;     ///< the attacks on the empty board
  };

  static constexpr Table<SquareRecords<Record>, 64> records = [] {
    constexpr auto record = [](magic::Piece piece, Square s, std::uint64_t factor) {
      return Record{unions.data + layout.of(piece, s), factor, magic::relevant(piece, s), magic::attacks(piece, s, 0)};
    };
    Table<SquareRecords<Record>, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {record(magic::Piece::bishop, s, packed_shift_bishop_factors[s]),
                       record(magic::Piece::rook, s, packed_shift_rook_factors[s])};
    }
    return table;
  }();

  static const Record& bishop_record(Square s) { return records.member(s, &SquareRecords<Record>::bishop); }
  static const Record& rook_record(Square s) { return records.member(s, &SquareRecords<Record>::rook); }

  static std::uint64_t index(const Record& r, Bitboard occupied) {
    return ((occupied & r.premask) * r.factor) >> (r.factor >> 58);
  }

  static Bitboard look_up(const Record& r, Bitboard occupied) {
    return unions.from(r.unions)[index(r, occupied)] & r.postmask;
  }

  static void fill(magic::Piece piece, Square s, const Record& r) {
    magic::for_each_occupancy(piece, s,
                              [&r](Bitboard occupied, Bitboard attacks) { r.unions[index(r, occupied)] |= attacks; });
  }

 public:
  static constexpr std::array tables{table_info("unions", unions), table_info("records", records)};
};

}  // namespace slidebench
