// SPDX-License-Identifier: MIT

#[cfg(not(all(target_feature = "avx2", target_feature = "gfni")))]
compile_error!("hyperbola_gfni needs AVX2 and GFNI: compile with -C target-feature=+avx2,+gfni, by Rust 1.89 or later");

use core::arch::x86_64::*;

/// The squares that a bishop attacks, the first blocker of each ray among them.
#[inline]
pub fn bishop(square: usize, occupied: u64) -> u64 {
    // SAFETY: the target has AVX2.
    unsafe {
        let lines = _mm_load_si128(LINES[square % 64].0.as_ptr().cast());
        let (slider, mirrored) = sliders(square);
        let o = _mm_and_si128(lines, _mm_set1_epi64x(occupied as i64));
        let up = _mm_sub_epi64(o, _mm256_castsi256_si128(slider));
        let down = swap128(_mm_sub_epi64(swap128(o), _mm256_castsi256_si128(mirrored)));
        unite(_mm_and_si128(_mm_xor_si128(up, down), lines))
    }
}

/// The squares that a rook attacks.
#[inline]
pub fn rook(square: usize, occupied: u64) -> u64 {
    // SAFETY: the target has AVX2 and GFNI.
    unsafe {
        let lines = _mm_load_si128(LINES[square % 64].0.as_ptr().add(2).cast());
        let (slider, mirrored) = sliders(square);
        let o = _mm_and_si128(lines, _mm_set1_epi64x(occupied as i64));
        let up = _mm_sub_epi64(o, _mm256_castsi256_si128(slider));
        let down = reverse128(_mm_sub_epi64(reverse128(o), _mm256_castsi256_si128(mirrored)));
        unite(_mm_and_si128(_mm_xor_si128(up, down), lines))
    }
}

/// The squares that a queen attacks.
#[inline]
pub fn queen(square: usize, occupied: u64) -> u64 {
    // SAFETY: the target has AVX2 and GFNI.
    unsafe { unite(halve(line_attacks(square, occupied))) }
}

/// The bishop's and the rook's set of one square.
#[inline]
pub fn both(square: usize, occupied: u64) -> (u64, u64) {
    // SAFETY: the target has AVX2 and GFNI.
    unsafe { unite_each(line_attacks(square, occupied)) }
}

/// The attacks along the diagonal, the antidiagonal, the file and the rank, each in its lane.
#[inline]
unsafe fn line_attacks(square: usize, occupied: u64) -> __m256i {
    let lines = _mm256_load_si256(LINES[square % 64].0.as_ptr().cast());
    let (slider, mirrored) = sliders(square);
    let o = _mm256_and_si256(lines, _mm256_set1_epi64x(occupied as i64));
    let up = _mm256_sub_epi64(o, slider);
    let down = reverse256(_mm256_sub_epi64(reverse256(o), mirrored));
    _mm256_and_si256(_mm256_xor_si256(up, down), lines)
}

/// Bits s and 63 - s in every lane. The same count shifts all lanes, so that it needs no copies.
#[inline]
unsafe fn sliders(square: usize) -> (__m256i, __m256i) {
    let count = _mm_cvtsi32_si128((square % 64) as i32);
    (_mm256_sll_epi64(_mm256_set1_epi64x(1), count), _mm256_srl_epi64(_mm256_set1_epi64x(i64::MIN), count))
}

/// The matrix that reverses the bits of a byte.
const REVERSAL: i64 = 0x8040_2010_0804_0201_u64 as i64;

/// Reverses the bits of each lane: square s goes to 63 - s.
#[inline]
unsafe fn reverse128(lanes: __m128i) -> __m128i {
    _mm_gf2p8affine_epi64_epi8::<0>(swap128(lanes), _mm_set1_epi64x(REVERSAL))
}

/// The same of four lanes.
#[inline]
unsafe fn reverse256(lanes: __m256i) -> __m256i {
    _mm256_gf2p8affine_epi64_epi8::<0>(swap256(lanes), _mm256_set1_epi64x(REVERSAL))
}

include!("parts/swap128.rs");
include!("parts/swap256.rs");
include!("parts/lane_pairs.rs");

#[derive(Clone, Copy)]
#[repr(align(32))]
struct Lines([u64; 4]);

/// The diagonal, the antidiagonal, the file and the rank through each square, without it.
static LINES: [Lines; 64] = lines();

const fn lines() -> [Lines; 64] {
    let mut table = [Lines([0; 4]); 64];
    let mut s = 0;
    while s < 64 {
        table[s] = Lines([line(s, 1, 1), line(s, -1, 1), line(s, 0, 1), line(s, 1, 0)]);
        s += 1;
    }
    table
}

include!("parts/line.rs");
