// SPDX-License-Identifier: MIT
//
// PEXT in the layout of plain magic: every rook square has 4,096 slots, every bishop square 512.
//
// The index is that of pext (explained in pext.hpp). There the array of a square begins where that of the square before
// ends, and its address is a second word to load. Here it begins at a multiple of the square:
//
//      rook:    rook_sets[4096 * s  + pext(occupied, rook_masks[s])]
//      bishop:  bishop_sets[512 * s + pext(occupied, bishop_masks[s])]
//
// So the mask is all that a query loads beside the set, and PEXT reads it as its operand. PEXT fills the slots of a
// square from 0 on without gaps: 107,648 of the 294,912 are in use, in as many cache lines as those of pext. The rest
// costs address space, pages and entries of the TLB, but no cache.
//
// Inventors: as pext; the layout is Lasse Hansen's (2006, see magic_plain.hpp). Engines have it as an array
// [64][4096] and one of [64][512]: Alexandria, Berserk, Integral (2026).
// Source: github.com/PGG106/Alexandria, github.com/jhonnold/berserk. AMD processors before Zen 3 run PEXT as microcode.
// Tables: 64 x 4,096 + 64 x 512 sets x 8 bytes = 2,359,296, and 2 x 64 masks x 8 bytes = 1,024; 2,360,320 bytes.
// Loads: 1 word + 1 set. Relies on: BMI2 (or BEXT of SVE2), and on the sets being in cache.
#pragma once

#include "methods/method.hpp"
#include "methods/pext/bit_permute.hpp"
#include "methods/reference.hpp"
#include "methods/square_words.hpp"

namespace slidebench {

struct PextPlain {
  static constexpr MethodInfo info{.id = "pext_plain",
                                   .title = "PEXT bitboards, plain layout",
                                   .family = "pext",
                                   .inventor = "Z. Wegner; L. Hansen",
                                   .year = 2013,
                                   .reference = "https://github.com/jhonnold/berserk",
                                   .requires_isa = bit_permute_isa};

  static Bitboard bishop(Square s, Bitboard occupied) {
    return bishop_sets.row(std::size_t{512} * s)[extract_bits(occupied, bishop_masks[s])];
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    return rook_sets.row(std::size_t{4096} * s)[extract_bits(occupied, rook_masks[s])];
  }

  /// Fills the attack sets: 107,648 ray walks.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      fill(bishop_sets.data + 512 * s, bishop_relevant(s), [s](Bitboard o) { return reference::bishop(s, o); });
      fill(rook_sets.data + 4096 * s, rook_relevant(s), [s](Bitboard o) { return reference::rook(s, o); });
    }
  }

 private:
  static inline Table<Bitboard, 64 * 4096> rook_sets;
  static inline Table<Bitboard, 64 * 512> bishop_sets;

  static constexpr Table<Bitboard, 64> bishop_masks = a_word_a_square(bishop_relevant);
  static constexpr Table<Bitboard, 64> rook_masks = a_word_a_square(rook_relevant);

  template <class Attacks>
  static void fill(Bitboard* to, Bitboard mask, Attacks attacks) {
    for (std::uint64_t i = 0; i < std::uint64_t{1} << std::popcount(mask); ++i) to[i] = attacks(deposit_bits(i, mask));
  }

 public:
  static constexpr std::array tables{table_info("rook_sets", rook_sets), table_info("bishop_sets", bishop_sets),
                                     table_info("rook_masks", rook_masks), table_info("bishop_masks", bishop_masks)};
};

}  // namespace slidebench
