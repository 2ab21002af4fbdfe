// SPDX-License-Identifier: MIT
//
// Congruent modulo bitboards: the occupancy of a line, divided by a well chosen number, leaves a remainder that no
// other occupancy of the line leaves.
//
// The squares of a diagonal are nine bits apart. Modulo 514, 2^9 = 512 is -2: so the bits of the line count as the
// digits of a number to the base -2, and numbers to the base -2 are as unique as binary ones. The remainder is the
// index; no mask of inner squares and no factor is needed:
//
//      step   modulus   2^step     the line's bits weigh
//       9      514        -2       1  -2   4  -8  16 ...                          diagonals
//       7      257       128       different signed powers of two                  antidiagonals
//       8      258        -2       1  -2   4  -8  16 ...  on the a-file            files
//
// A file has to be moved to the a-file first. (The source reduces it where it is; but 258 is even, a shift by one file
// doubles every weight, and then two occupancies share a remainder.) Ranks take the first-rank table.
//
// A remainder by a constant becomes a multiplication to 128 bits, a shift, a multiplication back and a subtraction:
// twice the latency of a kindergarten index (kindergarten.hpp), for larger tables. This method is here because it was
// published, and to show what that costs.
//
// Inventors: Trevor Fenner and Mark Levene, Computing Legal Moves with Congruent Modulo Bitboards, ICGA Journal 31(1),
// 2008. Tables: (514 + 257 + 258) x 64 sets x 8 bytes = 526,848, 64 records x 64 = 4,096, first rank 512; 531,456
// bytes. Loads: bishop 1 record (4 words) + 2 sets, rook 1 record (2 words) + 1 set + 1 byte. Relies on: a fast 64 x 64
// to 128 bit multiplication.
#pragma once

#include "methods/lookup/line_residues.hpp"

namespace slidebench {

inline constexpr LineModuli congruent_moduli{514, 257, 258, ~Bitboard{0}, true};

struct CongruentModulo : LineResidues<congruent_moduli> {
  static constexpr MethodInfo info{.id = "congruent_modulo",
                                   .title = "Congruent modulo bitboards",
                                   .family = "lookup",
                                   .inventor = "T. Fenner, M. Levene",
                                   .year = 2008,
                                   .reference = "T. Fenner, M. Levene, ICGA Journal 31(1), 2008",
                                   .requires_isa = Isa::none};
};

}  // namespace slidebench
