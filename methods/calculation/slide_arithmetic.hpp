// SPDX-License-Identifier: MIT
//
// Slide arithmetic: the attacks along a line by the bit-field instructions of BMI.
//
// Cut the occupied squares o of a line at the slider s. BZHI keeps the part below it, and what BZHI cuts off is the
// part above. BLSMSK turns the upper part into ones up to and including its lowest square, a shift by the leading zeros
// of the lower part makes the ones strictly below its highest one, and attacked is what only the first has:
//
//      lower   = bzhi(o, s)                  upper   = o ^ lower
//      attacks = blsmsk(upper) & ~(2^63 - 1 >> lzcnt(lower | 1)) & line
//
// Nine instructions per line, the same for ranks, files and both diagonals, and no bit of the slider is ever made. As
// in blsmsk_lzcnt; the masks of all four lines are loaded here, half a cache line a square, and computed there.
//
// Inventors: Jakob Progsch (2021) and Daniel Infuehr (Chess_Movegen, 2022).
// Source: https://github.com/Gigantua/Chess_Movegen.
// Tables: 64 x 4 masks x 8 bytes = 2,048 bytes. Loads: bishop 2, rook 2. Relies on: BMI2 (BZHI), BMI1 and LZCNT, which
// come with it.
#pragma once

#ifndef __BMI2__
#error "slide_arithmetic needs BMI2: compile for x86-64-v3 or with -mbmi2"
#endif

#include <immintrin.h>

#include "methods/method.hpp"

namespace slidebench {

struct SlideArithmetic {
  static constexpr MethodInfo info{.id = "slide_arithmetic",
                                   .title = "Slide arithmetic (BZHI, BLSMSK, LZCNT)",
                                   .family = "calculation",
                                   .inventor = "J. Progsch, D. Infuehr",
                                   .year = 2022,
                                   .reference = "https://github.com/Gigantua/Chess_Movegen",
                                   .requires_isa = Isa::bmi2};

  static Bitboard bishop(Square s, Bitboard occupied) {
    return line_attacks(s, occupied, masks.member(s, &Lines::diagonal)) |
           line_attacks(s, occupied, masks.member(s, &Lines::antidiagonal));
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    return line_attacks(s, occupied, masks.member(s, &Lines::file)) |
           line_attacks(s, occupied, masks.member(s, &Lines::rank));
  }

 private:
  struct alignas(32) Lines {
    Bitboard diagonal;
    Bitboard antidiagonal;
    Bitboard file;
    Bitboard rank;
  };

  static constexpr Table<Lines, 64> masks = [] {
    Table<Lines, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {diagonal_mask(s), antidiagonal_mask(s), file_mask(s), rank_mask(s)};
    }
    return table;
  }();

  /// Attacks along a line. Precondition: s is not in `line`.
  static Bitboard line_attacks(Square s, Bitboard occupied, Bitboard line) {
    const Bitboard o = occupied & line;
    const Bitboard lower = _bzhi_u64(o, s);
    const Bitboard upper = o ^ lower;
    // Not XOR, which compilers would merge with that of BLSMSK.
    return (upper ^ (upper - 1)) & ~((bit(63) - 1) >> __builtin_clzll(lower | 1)) & line;
  }

 public:
  static constexpr std::array tables{table_info("masks", masks)};
};

}  // namespace slidebench
