// SPDX-License-Identifier: MIT
//
// PEXT bitboards with masks and array starts in arrays of words.
//
// The same table and the same index as pext (explained in pext.hpp). There a square's two masks and two addresses are
// one record of 32 bytes in one cache line, whose address costs a shift and an addition; here they stand in four
// arrays, each read by base + 8 * square: fewer instructions, four lines instead of one. Engines have both forms. On a
// Zen 4 this one took 7 and 11 % less time on the game trace and set-wise (reports/archive), on an Intel of 2024 5
// and 7 %; on the search trace and beside networks the two are level there (reports/example): so both stay.
//
// Inventor: as pext; the arrays are those of Cfish (R. de Man, bmi2-plain).
// Tables: 107,648 sets x 8 bytes = 861,184, and 4 x 64 words x 8 bytes = 2,048; together 863,232 bytes.
// Loads: 2 words + 1 set. Relies on: BMI2 (or BEXT of SVE2), and on the sets being in cache.
#pragma once

#include "methods/method.hpp"
#include "methods/pext/bit_permute.hpp"
#include "methods/reference.hpp"
#include "methods/square_words.hpp"

namespace slidebench {

struct PextArrays {
  static constexpr MethodInfo info{.id = "pext_arrays",
                                   .title = "PEXT bitboards, in arrays",
                                   .family = "pext",
                                   .inventor = "Z. Wegner; R. de Man",
                                   .year = 2013,
                                   .reference = "https://github.com/syzygy1/Cfish",
                                   .requires_isa = bit_permute_isa};

  static Bitboard bishop(Square s, Bitboard occupied) {
    return sets.from(bishop_sets[s])[extract_bits(occupied, bishop_masks[s])];
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    return sets.from(rook_sets[s])[extract_bits(occupied, rook_masks[s])];
  }

  /// Fills the attack sets: 107,648 ray walks.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      fill(bishop_sets.data[s], bishop_relevant(s), [s](Bitboard o) { return reference::bishop(s, o); });
      fill(rook_sets.data[s], rook_relevant(s), [s](Bitboard o) { return reference::rook(s, o); });
    }
  }

 private:
  static constexpr std::size_t rook_slots = 102'400;
  static inline Table<Bitboard, rook_slots + 5'248> sets;

  static constexpr Table<Bitboard, 64> bishop_masks = a_word_a_square(bishop_relevant);
  static constexpr Table<Bitboard, 64> rook_masks = a_word_a_square(rook_relevant);
  static constexpr auto subsets = [](Bitboard mask) { return std::size_t{1} << std::popcount(mask); };

  static constexpr Table<Bitboard*, 64> rook_sets = a_word_a_square([at = sets.data](Square s) mutable {
    Bitboard* const start = at;
    at += subsets(rook_relevant(s));
    return start;
  });
  static constexpr Table<Bitboard*, 64> bishop_sets = a_word_a_square([at = sets.data + rook_slots](Square s) mutable {
    Bitboard* const start = at;
    at += subsets(bishop_relevant(s));
    return start;
  });

  template <class Attacks>
  static void fill(Bitboard* to, Bitboard mask, Attacks attacks) {
    for (std::uint64_t i = 0; i < subsets(mask); ++i) to[i] = attacks(deposit_bits(i, mask));
  }

 public:
  static constexpr std::array tables{table_info("sets", sets), table_info("bishop_masks", bishop_masks),
                                     table_info("rook_masks", rook_masks), table_info("bishop_starts", bishop_sets),
                                     table_info("rook_starts", rook_sets)};
};

}  // namespace slidebench
