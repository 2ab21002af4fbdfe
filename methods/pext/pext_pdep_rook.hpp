// SPDX-License-Identifier: MIT
//
// PEXT bitboards with compressed rooks: codes of 16 bits where they save much, whole sets where they would save little.
//
// pext_pdep stores each set as a code of 16 bits and lets PDEP spread it, three cycles behind the load. Of the 841 KiB
// of sets that it shrinks to a quarter, 800 are the rook's:
//
//                  sets       of 64 bits    of 16 bits
//      rook        102,400    800 KiB       200 KiB      codes, PEXT and PDEP
//      bishop        5,248     41 KiB        10 KiB      sets, PEXT alone
//
// So the bishop keeps its sets, and has its answer three cycles sooner for 31 KiB: 241 KiB in all.
//
// Inventors: the codes see pext_pdep.hpp; this mixture: Ciekce's engine Stormphrax, from its first commit on (March
// 2023), and pawnocchio. AMD processors before Zen 3 run PEXT and PDEP as microcode.
// Source: github.com/Ciekce/Stormphrax, src/attacks/bmi2.
// Tables: 102,400 codes x 2 bytes = 204,800, 5,248 sets x 8 bytes = 41,984, and 64 records x 64 bytes = 4,096; together
// 250,880 bytes. Loads: bishop 1 record (2 words) + 1 set, rook 1 record (3 words) + 1 code. Relies on: BMI2 or SVE2.
#pragma once

#include "methods/method.hpp"
#include "methods/pext/bit_permute.hpp"
#include "methods/reference.hpp"
#include "methods/square_records.hpp"

namespace slidebench {

struct PextPdepRook {
  static constexpr MethodInfo info{.id = "pext_pdep_rook",
                                   .title = "PEXT bitboards, compressed rooks (PDEP)",
                                   .family = "pext",
                                   .inventor = "Ciekce, after R. de Man",
                                   .year = 2023,
                                   .reference = "https://github.com/Ciekce/Stormphrax",
                                   .requires_isa = bit_permute_isa};

  static Bitboard bishop(Square s, Bitboard occupied) {
    const BishopRecord& r = records.member(s, &Records::bishop);
    return bishop_sets.from(r.sets)[extract_bits(occupied, r.inner)];
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    const RookRecord& r = records.member(s, &Records::rook);
    return deposit_bits(rook_codes.from(r.codes)[extract_bits(occupied, r.inner)], r.full);
  }

  /// Fills codes and sets: 107,648 ray walks.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      const auto& [bishop_record, rook_record] = records.data[s];
      for (std::uint64_t i = 0; i < subsets(bishop_record.inner); ++i) {
        bishop_record.sets[i] = reference::bishop(s, deposit_bits(i, bishop_record.inner));
      }
      for (std::uint64_t i = 0; i < subsets(rook_record.inner); ++i) {
        const Bitboard attacks = reference::rook(s, deposit_bits(i, rook_record.inner));
        rook_record.codes[i] = static_cast<std::uint16_t>(extract_bits(attacks, rook_record.full));
      }
    }
  }

 private:
  static inline Table<std::uint16_t, 102'400> rook_codes;
  static inline Table<Bitboard, 5'248> bishop_sets;

  struct BishopRecord {
    Bitboard inner;
    Bitboard* sets;  ///< the square's own array, a part of the common table
  };
  struct RookRecord {
    Bitboard inner;
    Bitboard full;
    std::uint16_t* codes;  ///< likewise
  };
  using Records = SquareRecords<BishopRecord, RookRecord>;

  static constexpr auto subsets = [](Bitboard mask) { return std::uint64_t{1} << std::popcount(mask); };

  static constexpr Table<Records, 64> records = [] {
    Table<Records, 64> table;
    Bitboard* next_sets = bishop_sets.data;
    std::uint16_t* next_codes = rook_codes.data;
    for (Square s = 0; s < 64; ++s) {
      table.data[s].bishop = {bishop_relevant(s), next_sets};
      table.data[s].rook = {rook_relevant(s), reference::rook(s, 0), next_codes};
      next_sets += subsets(bishop_relevant(s));
      next_codes += subsets(rook_relevant(s));
    }
    return table;
  }();

 public:
  static constexpr std::array tables{table_info("rook_codes", rook_codes), table_info("bishop_sets", bishop_sets),
                                     table_info("records", records)};
};

}  // namespace slidebench
