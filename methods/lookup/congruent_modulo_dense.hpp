// SPDX-License-Identifier: MIT
//
// Dense congruent modulo: the remainders of congruent_modulo.hpp, with the smallest moduli that still tell all blockers
// apart.
//
// The outer square of a line hides nothing, so at most six squares matter, and 64 occupancies need 64 remainders. The
// smallest moduli under which the inner squares of every line leave different remainders, wherever the line lies, are
//
//      85  for diagonals  (2^9 = 2 modulo 85: plain binary weights, times a power of two for the line's place)
//      65  for antidiagonals  (2^7 = -2 modulo 65)
//      73  for files, where they stand  (2^9 = 1 modulo 73, so 2^8 is 1/2: binary weights, the other way round)
//
// All smaller ones were tried, and clash. The tables shrink to a fifth; the price of a remainder stays what it was.
//
// Source: this project; the idea is Fenner and Levene's (congruent_modulo.hpp).
// Tables: (85 + 65 + 73) x 64 sets x 8 bytes = 114,176, 64 records x 64 = 4,096, first rank 512; 118,784 bytes.
// Loads: bishop 1 record (4 words) + 2 sets, rook 1 record (2 words) + 1 set + 1 byte. Relies on: a fast 64 x 64 to 128
// bit multiplication.
#pragma once

#include "methods/lookup/line_residues.hpp"

namespace slidebench {

inline constexpr LineModuli congruent_moduli_dense{85, 65, 73, ~(a_file | h_file | first_rank | eighth_rank), false};

struct CongruentModuloDense : LineResidues<congruent_moduli_dense> {
  static constexpr MethodInfo info{.id = "congruent_modulo_dense",
                                   .title = "Congruent modulo bitboards, dense",
                                   .family = "lookup",
                                   .inventor = "slidebench, after T. Fenner, M. Levene",
                                   .year = 2026,
                                   .reference = "methods/lookup/congruent_modulo_dense.hpp",
                                   .requires_isa = Isa::none};
};

}  // namespace slidebench
