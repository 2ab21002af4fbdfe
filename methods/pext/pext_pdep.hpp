// SPDX-License-Identifier: MIT
//
// Compressed PEXT bitboards: store an attack set in 16 bits, and let the processor spread it over the board.
//
// A rook on the empty board reaches 14 squares, a bishop at most 13. So a set of attacks needs no more than one bit for
// each of them: a code of 16 bits instead of 64. PEXT makes the codes when the table is built, PDEP (parallel bit
// deposit), its inverse, unfolds them in the query:
//
//      inner = the relevant squares of both lines, full = all squares of both lines without the slider
//
//      code    = codes[offset + pext(occupied, inner)]         the index of pext.hpp, into a quarter of its table
//      attacks = pdep(code, full)                              bit 0 goes to the first square of full
//
// The price is one instruction (three cycles on the processors that have it in hardware) behind the load; the gain is
// that four times as many codes fit a cache line, and the table fits many second-level caches.
//
// Inventor: not known to us; Ronald de Man's engine Cfish has it as BMI2_FANCY. AMD processors before Zen 3 (and
// Excavator) run PEXT and PDEP as microcode.
// Source: github.com/syzygy1/Cfish; again in Stockfish, pull requests 6706 and 7108 (2026).
// Tables: 107,648 codes x 2 bytes = 215,296, and 64 records x 64 bytes = 4,096; together 219,392 bytes.
// Loads: 1 record (3 words) + 1 code. Relies on: BMI2 or SVE2.
#pragma once

#include "methods/method.hpp"
#include "methods/pext/bit_permute.hpp"
#include "methods/reference.hpp"
#include "methods/square_records.hpp"

namespace slidebench {

struct PextPdep {
  static constexpr MethodInfo info{.id = "pext_pdep",
                                   .title = "PEXT bitboards, compressed (PDEP)",
                                   .family = "pext",
                                   .inventor = "R. de Man",
                                   .year = 2016,
                                   .reference = "https://github.com/syzygy1/Cfish",
                                   .requires_isa = bit_permute_isa};

  static Bitboard bishop(Square s, Bitboard occupied) { return look_up(bishop_record(s), occupied); }
  static Bitboard rook(Square s, Bitboard occupied) { return look_up(rook_record(s), occupied); }

  /// Fills the codes: 107,648 ray walks.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      fill(bishop_record(s), [s](Bitboard occupied) { return reference::bishop(s, occupied); });
      fill(rook_record(s), [s](Bitboard occupied) { return reference::rook(s, occupied); });
    }
  }

 private:
  static inline Table<std::uint16_t, 102'400 + 5'248> codes;

  struct Record {
    Bitboard inner;
    Bitboard full;
    std::uint16_t* codes;  ///< the square's own array, a part of the common table
  };

  static constexpr Table<SquareRecords<Record>, 64> records = [] {
    Table<SquareRecords<Record>, 64> table;
    std::uint64_t first = 0;
    for (Square s = 0; s < 64; ++s) {
      table.data[s].rook = {rook_relevant(s), reference::rook(s, 0), codes.data + first};
      first += std::uint64_t{1} << std::popcount(rook_relevant(s));
    }
    for (Square s = 0; s < 64; ++s) {
      table.data[s].bishop = {bishop_relevant(s), reference::bishop(s, 0), codes.data + first};
      first += std::uint64_t{1} << std::popcount(bishop_relevant(s));
    }
    return table;
  }();

  static const Record& bishop_record(Square s) { return records.member(s, &SquareRecords<Record>::bishop); }
  static const Record& rook_record(Square s) { return records.member(s, &SquareRecords<Record>::rook); }

  static Bitboard look_up(const Record& r, Bitboard occupied) {
    return deposit_bits(codes.from(r.codes)[extract_bits(occupied, r.inner)], r.full);
  }

  template <class Attacks>
  static void fill(const Record& r, Attacks attacks) {
    for (std::uint64_t i = 0; i < std::uint64_t{1} << std::popcount(r.inner); ++i) {
      r.codes[i] = static_cast<std::uint16_t>(extract_bits(attacks(deposit_bits(i, r.inner)), r.full));
    }
  }

 public:
  static constexpr std::array tables{table_info("codes", codes), table_info("records", records)};
};

}  // namespace slidebench
