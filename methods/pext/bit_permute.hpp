// SPDX-License-Identifier: MIT
//
// PEXT and PDEP: gather the bits of a word that a mask selects at the low end, and the inverse.
//
//      word        . X . . X . . X          extract_bits: the bits under the mask, in order,
//      mask        . 1 1 . 1 1 1 .     ->   are packed:        . . . X . X . .
//                                      <-   deposit_bits: and laid back under the mask
//
// x86-64 has them in BMI2, on general registers. AArch64 has them in SVE2 as BEXT and BDEP, where FEAT_SVE_BitPerm is
// present (Neoverse N2 and V2, Cortex-A710 and X2), on every 64-bit lane of a vector: a single word pays the way to a
// vector register and back, but lanes beside it are free.
#pragma once

#if !defined(__BMI2__) && !defined(__ARM_FEATURE_SVE2_BITPERM)
#error "PEXT and PDEP need BMI2 or SVE2: compile for x86-64-v3 or -mbmi2, or for armv8.2-a+sve2-bitperm"
#endif

#ifdef __BMI2__
#include <immintrin.h>
#else
#include <arm_sve.h>
#endif

#include "methods/method.hpp"

namespace slidebench {

#ifdef __BMI2__

inline constexpr Isa bit_permute_isa = Isa::bmi2;

inline Bitboard extract_bits(Bitboard word, Bitboard mask) { return _pext_u64(word, mask); }
inline Bitboard deposit_bits(Bitboard word, Bitboard mask) { return _pdep_u64(word, mask); }

#else

inline constexpr Isa bit_permute_isa = Isa::sve2_bitperm;

/// The lowest lane. By FMOV, which GCC 12 has no function for: its LASTA takes twice as long, and a predicate.
inline Bitboard first_lane(svuint64_t lanes) {
  Bitboard lane;
  asm("fmov %0, %d1" : "=r"(lane) : "w"(lanes));
  return lane;
}

inline Bitboard extract_bits(Bitboard word, Bitboard mask) { return first_lane(svbext_n_u64(svdup_n_u64(word), mask)); }
inline Bitboard deposit_bits(Bitboard word, Bitboard mask) { return first_lane(svbdep_n_u64(svdup_n_u64(word), mask)); }

#endif

}  // namespace slidebench
