// SPDX-License-Identifier: MIT

#[cfg(not(all(target_feature = "avx512f", target_feature = "avx512vl")))]
compile_error!("kogge_stone_avx512 needs AVX-512F and VL: compile with -C target-cpu=x86-64-v4, by Rust 1.89 or later");

use core::arch::x86_64::*;

/// The squares that a bishop attacks, the first blocker of each ray among them.
#[inline]
pub fn bishop(square: usize, occupied: u64) -> u64 {
    // SAFETY: the target has AVX-512F and VL.
    unsafe { unite(halve(fill_four::<1>(square, occupied))) }
}

/// The squares that a rook attacks.
#[inline]
pub fn rook(square: usize, occupied: u64) -> u64 {
    // SAFETY: the target has AVX-512F and VL.
    unsafe { unite(halve(fill_four::<0>(square, occupied))) }
}

/// The squares that a queen attacks.
#[inline]
pub fn queen(square: usize, occupied: u64) -> u64 {
    // SAFETY: the target has AVX-512F and VL.
    unsafe { unite(rook_and_bishop(_mm512_set1_epi64(1 << (square % 64)), occupied)) }
}

/// The bishop's and the rook's set of one square.
#[inline]
pub fn both(square: usize, occupied: u64) -> (u64, u64) {
    // SAFETY: the target has AVX-512F and VL.
    unsafe {
        let sets = rook_and_bishop(_mm512_set1_epi64(1 << (square % 64)), occupied);
        (_mm_cvtsi128_si64(_mm_unpackhi_epi64(sets, sets)) as u64, _mm_cvtsi128_si64(sets) as u64)
    }
}

/// The union of the attacks of many sliders; queens stand in both sets.
#[inline]
pub fn set_attacks(diagonal_sliders: u64, orthogonal_sliders: u64, occupied: u64) -> u64 {
    // SAFETY: the target has AVX-512F and VL.
    unsafe {
        let orthogonal = _mm512_set1_epi64(orthogonal_sliders as i64);
        let sliders = _mm512_mask_set1_epi64(orthogonal, 0b1010_1010, diagonal_sliders as i64);
        unite(rook_and_bishop(sliders, occupied))
    }
}

/// The step of each lane, in squares: north, northeast, east, northwest, and back.
const STEPS: [i64; 8] = [8, 9, 1, 7, -8, -9, -1, -7];

/// The squares on which a step of each lane can rightly arrive.
const GUARDS: [i64; 8] = [
    !RANK_1,
    !(RANK_1 | FILE_A),
    !FILE_A,
    !(RANK_1 | FILE_H),
    !RANK_8,
    !(RANK_8 | FILE_H),
    !FILE_H,
    !(RANK_8 | FILE_A),
];

const RANK_1: i64 = 0xFF;
const RANK_8: i64 = 0xFF << 56;
const FILE_A: i64 = 0x0101_0101_0101_0101;
const FILE_H: i64 = FILE_A << 7;

/// The truth table of a | (b & c): bit 4a + 2b + c is the result for the bits a, b and c.
const OR_AND: i32 = 0b1111_1000;

/// The attacks of a slider in every other lane from `FIRST` on: 0 of a rook, 1 of a bishop.
#[inline]
unsafe fn fill_four<const FIRST: usize>(square: usize, occupied: u64) -> __m256i {
    let four = |w: &[i64; 8]| _mm256_setr_epi64x(w[FIRST], w[FIRST + 2], w[FIRST + 4], w[FIRST + 6]);
    let (guard, step) = (four(&GUARDS), four(&STEPS));
    let (two, four) = (_mm256_add_epi64(step, step), _mm256_slli_epi64(step, 2));
    let mut g = _mm256_set1_epi64x(1 << (square % 64));
    let mut p = _mm256_and_si256(_mm256_set1_epi64x(!occupied as i64), guard);
    g = _mm256_ternarylogic_epi64::<OR_AND>(g, p, _mm256_rolv_epi64(g, step));
    p = _mm256_and_si256(p, _mm256_rolv_epi64(p, step));
    g = _mm256_ternarylogic_epi64::<OR_AND>(g, p, _mm256_rolv_epi64(g, two));
    p = _mm256_and_si256(p, _mm256_rolv_epi64(p, two));
    g = _mm256_ternarylogic_epi64::<OR_AND>(g, p, _mm256_rolv_epi64(g, four));
    _mm256_and_si256(_mm256_rolv_epi64(g, step), guard)
}

/// The attacks of the sliders in all lanes; then the union of those of rooks, and of those of bishops.
#[inline]
unsafe fn rook_and_bishop(sliders: __m512i, occupied: u64) -> __m128i {
    let eight = |w: &[i64; 8]| _mm512_setr_epi64(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]);
    let (guard, step) = (eight(&GUARDS), eight(&STEPS));
    let (two, four) = (_mm512_add_epi64(step, step), _mm512_slli_epi64(step, 2));
    let mut g = sliders;
    let mut p = _mm512_and_si512(_mm512_set1_epi64(!occupied as i64), guard);
    g = _mm512_ternarylogic_epi64::<OR_AND>(g, p, _mm512_rolv_epi64(g, step));
    p = _mm512_and_si512(p, _mm512_rolv_epi64(p, step));
    g = _mm512_ternarylogic_epi64::<OR_AND>(g, p, _mm512_rolv_epi64(g, two));
    p = _mm512_and_si512(p, _mm512_rolv_epi64(p, two));
    g = _mm512_ternarylogic_epi64::<OR_AND>(g, p, _mm512_rolv_epi64(g, four));
    let attacks = _mm512_and_si512(_mm512_rolv_epi64(g, step), guard);
    halve(_mm256_or_si256(_mm512_castsi512_si256(attacks), _mm512_extracti64x4_epi64::<1>(attacks)))
}

include!("parts/lanes.rs");
