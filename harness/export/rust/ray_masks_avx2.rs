// SPDX-License-Identifier: MIT

#[cfg(not(target_feature = "avx2"))]
compile_error!("ray_masks_avx2 needs AVX2: compile with -C target-cpu=x86-64-v3 or -C target-feature=+avx2");

use core::arch::x86_64::*;

/// The squares that a bishop attacks, the first blocker of each ray among them.
#[inline]
pub fn bishop(square: usize, occupied: u64) -> u64 {
    // SAFETY: the target has AVX2.
    unsafe {
        let (up, down) = rays128(square, 0);
        let o = _mm_set1_epi64x(occupied as i64);
        let open_up = up_to_lowest(_mm_and_si128(up, o));
        let open_down = swap128(up_to_lowest(swap128(_mm_and_si128(down, o))));
        unite(_mm_or_si128(_mm_and_si128(open_up, up), _mm_and_si128(open_down, down)))
    }
}

/// The squares that a rook attacks.
#[inline]
pub fn rook(square: usize, occupied: u64) -> u64 {
    // SAFETY: the target has AVX2.
    unsafe {
        let (up, down) = rays128(square, 2);
        let o = _mm_set1_epi64x(occupied as i64);
        let open_up = _mm_and_si128(up_to_lowest(_mm_and_si128(up, o)), up);
        let d = _mm_and_si128(down, o);
        let (step, two_steps) = (_mm_set_epi64x(8, 1), _mm_set_epi64x(16, 2));
        let mut hidden = _mm_or_si128(_mm_srlv_epi64(d, step), _mm_srlv_epi64(d, two_steps));
        hidden = _mm_or_si128(hidden, _mm_srlv_epi64(hidden, two_steps));
        hidden = _mm_or_si128(hidden, _mm_srlv_epi64(hidden, two_steps));
        unite(_mm_or_si128(open_up, _mm_andnot_si128(hidden, down)))
    }
}

/// The squares that a queen attacks.
#[inline]
pub fn queen(square: usize, occupied: u64) -> u64 {
    // SAFETY: the target has AVX2.
    unsafe { unite(halve(all_rays(square, occupied))) }
}

/// The bishop's and the rook's set of one square.
#[inline]
pub fn both(square: usize, occupied: u64) -> (u64, u64) {
    // SAFETY: the target has AVX2.
    unsafe { unite_each(all_rays(square, occupied)) }
}

/// The attacks of each ray: two of the bishop, two of the rook, each lane with its opposite.
#[inline]
unsafe fn all_rays(square: usize, occupied: u64) -> __m256i {
    let rays = RAYS[square % 64].0.as_ptr().cast::<__m256i>();
    let (up, down) = (_mm256_load_si256(rays), _mm256_load_si256(rays.add(1)));
    let o = _mm256_set1_epi64x(occupied as i64);
    let u = _mm256_and_si256(up, o);
    let open_up = _mm256_and_si256(_mm256_xor_si256(u, _mm256_add_epi64(u, _mm256_set1_epi64x(-1))), up);
    let d = _mm256_and_si256(down, o);
    let (step, two_steps) = (_mm256_set_epi64x(8, 1, 7, 9), _mm256_set_epi64x(16, 2, 14, 18));
    let mut hidden = _mm256_or_si256(_mm256_srlv_epi64(d, step), _mm256_srlv_epi64(d, two_steps));
    hidden = _mm256_or_si256(hidden, _mm256_srlv_epi64(hidden, two_steps));
    hidden = _mm256_or_si256(hidden, _mm256_srlv_epi64(hidden, two_steps));
    _mm256_or_si256(open_up, _mm256_andnot_si256(hidden, down))
}

/// The rays of a piece, whose first two are `first` and the next: those that lead up, and those that lead down.
#[inline]
unsafe fn rays128(square: usize, first: usize) -> (__m128i, __m128i) {
    let rays = RAYS[square % 64].0.as_ptr().add(first).cast::<__m128i>();
    (_mm_load_si128(rays), _mm_load_si128(rays.add(2)))
}

/// All squares up to and including the lowest of each lane's set; all of them for an empty set.
#[inline]
unsafe fn up_to_lowest(set: __m128i) -> __m128i {
    _mm_xor_si128(set, _mm_add_epi64(set, _mm_set1_epi64x(-1)))
}

include!("parts/swap128.rs");
include!("parts/lane_pairs.rs");
include!("parts/ray_masks.rs");
