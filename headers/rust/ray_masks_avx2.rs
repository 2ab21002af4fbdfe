// SPDX-License-Identifier: MIT
//
// Ray masks in AVX2: the eight rays of a square in two registers, without a table beside the masks.
//
//      up      u = up & occupied:  (u ^ (u - 1)) & up holds the squares up to and including the first blocker
//      down    d = down & occupied, moved on along its ray by 1 to 6 steps: what it reaches is hidden
//
//      lane       3      2      1          0
//      up         north  east   northwest  northeast
//      down       south  west   southeast  southwest
//                 +-- rook ---+ +----- bishop -----+
//
// A bishop alone turns the board upside down instead, where down is up; headers/ray_masks_avx2.h explains it. An engine that asks
// for a bishop and a rook on one square takes `both`.
//
// Inventor: Toshihiko Okuhara (Cfish, May 2020); one record for all pieces is slidebench's. Source:
// github.com/syzygy1/Cfish/pull/115. Tables: 4,096 bytes.
//
// Rust 2021. `let sliding = Sliding::new();` once, then `sliding.rook(square, occupied)`; squares: a1 = 0, h1 = 7, h8 = 63. The
// answer depends neither on the slider's own bit of the occupancy nor on squares off its lines; the first blocker of either
// colour is in it.
#![allow(dead_code, clippy::new_without_default, clippy::needless_range_loop)]

#[cfg(not(target_feature = "avx2"))]
compile_error!("ray_masks_avx2.rs needs AVX2: compile with -C target-cpu=x86-64-v3 or native");

use core::arch::x86_64::*;

#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
struct Rays([u64; 8]); // lanes 0 to 3 of the rays that lead up, then of those that lead down

pub struct Sliding {
    masks: [Rays; 64],
}

// SAFETY of all blocks: the instructions are there (see above), and the rays of a square are aligned to 64 bytes.
impl Sliding {
    pub fn new() -> Self {
        let mut tables = Sliding { masks: [Rays::default(); 64] };
        for s in 0..64 {
            let below = (1u64 << s) - 1;
            for (lane, line) in [2, 3, 1, 0].into_iter().enumerate() {
                tables.masks[s].0[lane] = walk(s, 0, line) & !below;
                tables.masks[s].0[4 + lane] = walk(s, 0, line) & below;
            }
        }
        tables
    }

    #[inline(always)]
    pub fn bishop(&self, s: usize, occupied: u64) -> u64 {
        unsafe {
            let (up, down) = (self.pair(s, 0), self.pair(s, 4));
            let o = _mm_set1_epi64x(occupied as i64);
            let open_up = up_to(_mm_and_si128(up, o));
            let open_down = swap(up_to(swap(_mm_and_si128(down, o))));
            union(_mm_or_si128(_mm_and_si128(open_up, up), _mm_and_si128(open_down, down)))
        }
    }

    #[inline(always)]
    pub fn rook(&self, s: usize, occupied: u64) -> u64 {
        unsafe {
            let (up, down) = (self.pair(s, 2), self.pair(s, 6));
            let o = _mm_set1_epi64x(occupied as i64);
            let (one, two) = (_mm_set_epi64x(8, 1), _mm_set_epi64x(16, 2));
            let open_up = _mm_and_si128(up_to(_mm_and_si128(up, o)), up);
            let d = _mm_and_si128(down, o);
            let mut hidden = _mm_or_si128(_mm_srlv_epi64(d, one), _mm_srlv_epi64(d, two));
            hidden = _mm_or_si128(hidden, _mm_srlv_epi64(hidden, two));
            hidden = _mm_or_si128(hidden, _mm_srlv_epi64(hidden, two));
            union(_mm_or_si128(open_up, _mm_andnot_si128(hidden, down)))
        }
    }

    #[inline(always)]
    pub fn queen(&self, s: usize, occupied: u64) -> u64 {
        unsafe {
            let rays = self.rays(s, occupied);
            union(_mm_or_si128(_mm256_castsi256_si128(rays), _mm256_extracti128_si256::<1>(rays)))
        }
    }

    /// The bishop's set and the rook's.
    #[inline(always)]
    pub fn both(&self, s: usize, occupied: u64) -> (u64, u64) {
        unsafe {
            let rays = self.rays(s, occupied);
            let unions = _mm256_or_si256(rays, _mm256_unpackhi_epi64(rays, rays));
            (lowest(_mm256_castsi256_si128(unions)), lowest(_mm256_extracti128_si256::<1>(unions)))
        }
    }

    /// Two lanes of a square's masks from `first` on.
    #[inline(always)]
    unsafe fn pair(&self, s: usize, first: usize) -> __m128i {
        _mm_load_si128(self.masks[s & 63].0[first..].as_ptr().cast())
    }

    /// The open squares of the eight rays, those that lead up and those that lead down united by lane.
    #[inline(always)]
    unsafe fn rays(&self, s: usize, occupied: u64) -> __m256i {
        let masks: *const __m256i = self.masks[s & 63].0.as_ptr().cast();
        let (up, down) = (_mm256_load_si256(masks), _mm256_load_si256(masks.add(1)));
        let o = _mm256_set1_epi64x(occupied as i64);
        let (one, two) = (_mm256_set_epi64x(8, 1, 7, 9), _mm256_set_epi64x(16, 2, 14, 18));
        let u = _mm256_and_si256(up, o);
        let open_up = _mm256_and_si256(_mm256_xor_si256(u, _mm256_add_epi64(u, _mm256_set1_epi64x(-1))), up);
        let d = _mm256_and_si256(down, o);
        let mut hidden = _mm256_or_si256(_mm256_srlv_epi64(d, one), _mm256_srlv_epi64(d, two));
        hidden = _mm256_or_si256(hidden, _mm256_srlv_epi64(hidden, two));
        hidden = _mm256_or_si256(hidden, _mm256_srlv_epi64(hidden, two));
        _mm256_or_si256(open_up, _mm256_andnot_si256(hidden, down))
    }
}

/// All squares of each lane up to and including its lowest bit; all of them for an empty one.
#[inline(always)]
unsafe fn up_to(v: __m128i) -> __m128i {
    _mm_xor_si128(v, _mm_add_epi64(v, _mm_set1_epi64x(-1)))
}

#[inline(always)]
unsafe fn lowest(lanes: __m128i) -> u64 {
    _mm_cvtsi128_si64(lanes) as u64
}

#[inline(always)]
unsafe fn union(lanes: __m128i) -> u64 {
    lowest(_mm_or_si128(lanes, _mm_unpackhi_epi64(lanes, lanes)))
}

/// Reverses the bytes of each lane.
#[inline(always)]
unsafe fn swap(lanes: __m128i) -> __m128i {
    _mm_shuffle_epi8(lanes, _mm_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607))
}

/// The squares along one line that a slider on `s` reaches: line 0 is the file, 1 the rank, 2 the diagonal, 3 the antidiagonal.
fn walk(s: usize, occupied: u64, line: usize) -> u64 {
    let (file_step, rank_step) = [(0, 1), (1, 0), (1, 1), (-1, 1)][line];
    let mut reached = 0;
    for way in [-1, 1] {
        let (mut file, mut rank) = ((s & 7) as i32, (s >> 3) as i32);
        loop {
            file += way * file_step;
            rank += way * rank_step;
            if (file | rank) & !7 != 0 {
                break;
            }
            let square = 1 << (8 * rank + file);
            reached |= square;
            if occupied & square != 0 {
                break;
            }
        }
    }
    reached
}
