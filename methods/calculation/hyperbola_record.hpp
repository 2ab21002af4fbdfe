// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence for short waits: what a square needs is one cache line, and the rank takes three instructions.
//
// In hyperbola.hpp the answer waits for the rank: shift, mask, scale by four, load, shift. The scale is there because
// the table has the files of one rank side by side; its index is put together after the occupancy has arrived. Here a
// square knows the row of its file, 64 sets, and the six inner squares are the index as they are. BEXTR cuts them out
// in one instruction, so that the rank waits for three: BEXTR, load, shift. The files and diagonals wait for six of a
// cycle each, and their subtrahends come from the record, not from shifts.
//
// Tables: 64 records x 64 bytes + 512 bytes for ranks = 4,608 bytes. Loads: bishop 4, rook 6 and 1 set.
#pragma once

#include "methods/calculation/first_rank.hpp"
#include "methods/method.hpp"

namespace slidebench {

struct HyperbolaRecord {
  static constexpr MethodInfo info{.id = "hyperbola_record",
                                   .title = "Hyperbola quintessence, one record per square",
                                   .family = "calculation",
                                   .inventor = "slidebench, after G. Isenberg",
                                   .year = 2026,
                                   .reference = "methods/calculation/hyperbola_record.hpp",
                                   .requires_isa = Isa::none};

  static Bitboard bishop(Square s, Bitboard occupied) {
    return line_attacks(s, occupied, records.member(s, &Record::diagonal)) |
           line_attacks(s, occupied, records.member(s, &Record::antidiagonal));
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    return rank_attacks(s, occupied) | line_attacks(s, occupied, records.member(s, &Record::file));
  }

  /// The rank first: it is what the answer waits for longest.
  static Bitboard queen(Square s, Bitboard occupied) { return rook(s, occupied) | bishop(s, occupied); }
  static BishopRook both(Square s, Bitboard occupied) {
    const Bitboard rook_attacks = rook(s, occupied);
    return {bishop(s, occupied), rook_attacks};
  }

 private:
  struct alignas(64) Record {
    Bitboard diagonal;
    Bitboard antidiagonal;
    Bitboard file;
    Bitboard slider;
    Bitboard flipped_slider;
    const std::uint8_t* rank_sets;  ///< of the square's file, by the inner squares of the rank
    std::uint64_t inner_field;      ///< those as BEXTR takes them: the first one, and 256 * 6
    std::uint64_t rank_start;       ///< the first square of the rank
  };

  static constexpr Table<Record, 64> records = [] {
    Table<Record, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {diagonal_mask(s),
                       antidiagonal_mask(s),
                       file_mask(s),
                       bit(s),
                       bit(63 - s),
                       first_rank_attacks.data + std::size_t{64} * file_of(s),
                       (s & 56) + 1 + 6 * 256,
                       s & 56};
    }
    return table;
  }();

  static Bitboard line_attacks(Square s, Bitboard occupied, Bitboard line) {
    const Bitboard o = occupied & line;
    const Bitboard down = flip_ranks(flip_ranks(o) - records.member(s, &Record::flipped_slider));
    return ((o - records.member(s, &Record::slider)) ^ down) & line;
  }

  static Bitboard rank_attacks(Square s, Bitboard occupied) {
    const auto sets = first_rank_attacks.from(records.member(s, &Record::rank_sets));
    return Bitboard{sets[inner_squares(occupied, records.member(s, &Record::inner_field))]}
           << records.member(s, &Record::rank_start);
  }

  static Bitboard inner_squares(Bitboard occupied, std::uint64_t field) {
#ifdef __BMI__
    return __builtin_ia32_bextr_u64(occupied, field);
#else
    return (occupied >> (field & 63)) & 63;
#endif
  }

 public:
  static constexpr std::array tables{table_info("records", records), table_info("first_rank", first_rank_attacks)};
};

}  // namespace slidebench
