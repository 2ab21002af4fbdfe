// SPDX-License-Identifier: MIT
//
// Fancy magic with byte look-up: the numbers of attack sets (magic_byte.hpp) in arrays of individual size.
//
//      id      = ids[(occupied & mask) * factor >> shift]       2^n bytes per square for n relevant squares
//      attacks = sets[id]                                       at most 144 words per square
//
// Now a square needs two addresses, of its ids and of its sets, beside mask, factor and shift: five words, and two
// records of that size do not fit a cache line. So the factors carry the shift in their top six bits, which
// magic_packed_shift.hpp explains; it is taken out of them while the multiplication runs.
//
// Inventors: Robert Houdart (bytes; CCC, 26 August 2010), Pradu Kannan (individual sizes, 2006), Grant Osborne (packed
// shift; CCC, 18 June 2008). Source: Chessprogramming wiki, Magic Bitboards.
// Tables: 107,648 ids of 1 byte, 6,328 sets x 8 = 50,624, 64 records x 64 = 4,096; together 162,368 bytes.
// Loads: 1 record (4 words) + 1 byte + 1 set. Relies on: a fast multiplication; fits many second-level caches.
#pragma once

#include "methods/magic/distinct_sets.hpp"
#include "methods/magic/packed_shift_factors.hpp"
#include "methods/method.hpp"
#include "methods/square_records.hpp"

namespace slidebench {

struct MagicByteFancy {
  static constexpr MethodInfo info{.id = "magic_byte_fancy",
                                   .title = "Fancy magic, byte look-up",
                                   .family = "magic",
                                   .inventor = "R. Houdart, P. Kannan, G. Osborne",
                                   .year = 2010,
                                   .reference = "https://www.chessprogramming.org/Magic_Bitboards",
                                   .requires_isa = Isa::none};

  static Bitboard bishop(Square s, Bitboard occupied) { return look_up(bishop_record(s), occupied); }
  static Bitboard rook(Square s, Bitboard occupied) { return look_up(rook_record(s), occupied); }

  /// Fills ids and sets: 107,648 ray walks.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      fill(magic::Piece::bishop, s, bishop_record(s));
      fill(magic::Piece::rook, s, rook_record(s));
    }
  }

 private:
  static inline Table<std::uint8_t, 102'400 + 5'248> ids;
  static inline Table<Bitboard, magic::rook_set_count + magic::bishop_set_count> sets;

  struct Record {
    Bitboard mask;
    std::uint64_t factor;  ///< its top six bits are the shift, 64 - n
    std::uint8_t* ids;     ///< the square's own ids and sets, parts of the common tables
    Bitboard* sets;
  };

  static constexpr Table<SquareRecords<Record>, 64> records = [] {
    Table<SquareRecords<Record>, 64> table;
    std::uint8_t* first_id = ids.data;
    Bitboard* first_set = sets.data;
    for (const magic::Piece piece : {magic::Piece::rook, magic::Piece::bishop}) {
      for (Square s = 0; s < 64; ++s) {
        const bool is_rook = piece == magic::Piece::rook;
        Record& r = is_rook ? table.data[s].rook : table.data[s].bishop;
        r.mask = magic::relevant(piece, s);
        r.factor = is_rook ? packed_shift_rook_factors[s] : packed_shift_bishop_factors[s];
        r.ids = first_id;
        r.sets = first_set;
        first_id += std::size_t{1} << magic::relevant_bits(piece, s);
        first_set += magic::attack_set_count(piece, s);
      }
    }
    return table;
  }();

  static const Record& bishop_record(Square s) { return records.member(s, &SquareRecords<Record>::bishop); }
  static const Record& rook_record(Square s) { return records.member(s, &SquareRecords<Record>::rook); }

  static std::uint64_t index(const Record& r, Bitboard occupied) {
    return ((occupied & r.mask) * r.factor) >> (r.factor >> 58);
  }

  static Bitboard look_up(const Record& r, Bitboard occupied) {
    return sets.from(r.sets)[ids.from(r.ids)[index(r, occupied)]];
  }

  static void fill(magic::Piece piece, Square s, const Record& r) {
    magic::number_sets(piece, s, r.sets, [&r](Bitboard occupied, unsigned id) {
      r.ids[index(r, occupied)] = static_cast<std::uint8_t>(id);
    });
  }

 public:
  static constexpr std::array tables{table_info("ids", ids), table_info("sets", sets), table_info("records", records)};
};

}  // namespace slidebench
