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
#include <arm_neon.h>
#include <arm_sve.h>
#endif

#include "methods/method.hpp"

namespace slidebench {

#ifdef __BMI2__

inline constexpr Isa bit_permute_isa = Isa::bmi2;

inline Bitboard extract_bits(Bitboard word, Bitboard mask) { return _pext_u64(word, mask); }
inline Bitboard deposit_bits(Bitboard word, Bitboard mask) { return _pdep_u64(word, mask); }

/// What the members diagonal and antidiagonal of `masks` extract from one word.
template <class Masks>
class DiagonalExtracts {
 public:
  DiagonalExtracts(Bitboard word, const Masks& masks) : word_(word), masks_(masks) {}
  Bitboard diagonal() const { return extract_bits(word_, masks_.diagonal); }
  Bitboard antidiagonal() const { return extract_bits(word_, masks_.antidiagonal); }

 private:
  Bitboard word_;
  const Masks& masks_;
};

#else

inline constexpr Isa bit_permute_isa = Isa::sve2_bitperm;

/// The two lowest lanes, for what a predicate would take an instruction more to read. They are the NEON register of the
/// same number; Clang finds that out, GCC 12 has no function that says so.
inline uint64x2_t lowest_lanes(svuint64_t lanes) {
#ifdef __clang__
  return vcombine_u64(vcreate_u64(svlasta_u64(svpfalse_b(), lanes)),
                      vcreate_u64(svlasta_u64(svptrue_pat_b64(SV_VL1), lanes)));
#else
  uint64x2_t lowest;
  asm("" : "=w"(lowest) : "0"(lanes));
  return lowest;
#endif
}

inline Bitboard extract_bits(Bitboard word, Bitboard mask) {
  return vgetq_lane_u64(lowest_lanes(svbext_n_u64(svdup_n_u64(word), mask)), 0);
}
inline Bitboard deposit_bits(Bitboard word, Bitboard mask) {
  return vgetq_lane_u64(lowest_lanes(svbdep_n_u64(svdup_n_u64(word), mask)), 0);
}

/// What the members diagonal and antidiagonal of `masks`, which lie one behind the other, extract from one word: one
/// load, one BEXT.
template <class Masks>
class DiagonalExtracts {
 public:
  DiagonalExtracts(Bitboard word, const Masks& masks)
      : lanes_(lowest_lanes(svbext_u64(svdup_n_u64(word), svld1rq_u64(svptrue_b64(), &masks.diagonal)))) {}
  Bitboard diagonal() const { return vgetq_lane_u64(lanes_, 0); }
  Bitboard antidiagonal() const { return vgetq_lane_u64(lanes_, 1); }

 private:
  uint64x2_t lanes_;
};

#endif

}  // namespace slidebench
