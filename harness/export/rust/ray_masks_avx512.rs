// SPDX-License-Identifier: MIT

#[cfg(not(all(target_feature = "avx512vl", target_feature = "avx512cd")))]
compile_error!("ray_masks_avx512 needs AVX-512VL and CD: compile with -C target-cpu=x86-64-v4, by Rust 1.89 or later");

use core::arch::x86_64::*;

/// The squares that a bishop attacks, the first blocker of each ray among them.
#[inline]
pub fn bishop(square: usize, occupied: u64) -> u64 {
    // SAFETY: the target has AVX-512VL and CD.
    unsafe { unite(two_rays(square, 0, occupied)) }
}

/// The squares that a rook attacks.
#[inline]
pub fn rook(square: usize, occupied: u64) -> u64 {
    // SAFETY: the target has AVX-512VL and CD.
    unsafe { unite(two_rays(square, 2, occupied)) }
}

/// The squares that a queen attacks.
#[inline]
pub fn queen(square: usize, occupied: u64) -> u64 {
    // SAFETY: the target has AVX-512VL and CD.
    unsafe { unite(halve(all_rays(square, occupied))) }
}

/// The bishop's and the rook's set of one square.
#[inline]
pub fn both(square: usize, occupied: u64) -> (u64, u64) {
    // SAFETY: the target has AVX-512VL and CD.
    unsafe { unite_each(all_rays(square, occupied)) }
}

// Truth tables of VPTERNLOGQ: bit 4a + 2b + c is the result for the bits a, b and c.
const XOR_AND: i32 = 0b0010_1000; // (a ^ b) & c
const OR_AND: i32 = 0b1111_1000; // a | (b & c)

/// The attacks of two rays that lead up, each lane with its opposite: from lane `first` on.
#[inline]
unsafe fn two_rays(square: usize, first: usize, occupied: u64) -> __m128i {
    let rays = RAYS[square % 64].0.as_ptr().add(first).cast::<__m128i>();
    let (up, down) = (_mm_load_si128(rays), _mm_load_si128(rays.add(2)));
    let o = _mm_set1_epi64x(occupied as i64);
    let u = _mm_and_si128(up, o);
    let open_up = _mm_ternarylogic_epi64::<XOR_AND>(u, _mm_add_epi64(u, _mm_set1_epi64x(-1)), up);
    let zeros = _mm_lzcnt_epi64(_mm_and_si128(down, o));
    _mm_ternarylogic_epi64::<OR_AND>(open_up, _mm_srav_epi64(_mm_set1_epi64x(i64::MIN), zeros), down)
}

/// The same of all rays: two of the bishop, then two of the rook.
#[inline]
unsafe fn all_rays(square: usize, occupied: u64) -> __m256i {
    let rays = RAYS[square % 64].0.as_ptr().cast::<__m256i>();
    let (up, down) = (_mm256_load_si256(rays), _mm256_load_si256(rays.add(1)));
    let o = _mm256_set1_epi64x(occupied as i64);
    let u = _mm256_and_si256(up, o);
    let open_up = _mm256_ternarylogic_epi64::<XOR_AND>(u, _mm256_add_epi64(u, _mm256_set1_epi64x(-1)), up);
    let zeros = _mm256_lzcnt_epi64(_mm256_and_si256(down, o));
    _mm256_ternarylogic_epi64::<OR_AND>(open_up, _mm256_srav_epi64(_mm256_set1_epi64x(i64::MIN), zeros), down)
}

include!("parts/lane_pairs.rs");
include!("parts/ray_masks.rs");
