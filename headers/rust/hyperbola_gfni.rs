// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence for all four lines in one vector: with GFNI, the rank needs no table either.
//
//      lane          3        2        1             0
//      masks         rank     file     antidiagonal  diagonal
//      attacks     = ((o - bit s) ^ reverse(reverse(o) - bit(63 - s))) & masks          o = masks & occupied
//                    +--- rook ---+    +-- bishop --+
//
// headers/hyperbola_gfni.h explains it. An engine that asks for a bishop and a rook on one square takes `both`.
//
// Inventors: D. Infuehr (the matrix, 2023), after G. Isenberg; one vector of four lines: slidebench (2026). Source:
// github.com/Gigantua/Chess_Movegen (Galois). Tables: 2,048 bytes. Rust has the instruction on stable since 1.89.
//
// Rust 2021. `let sliding = Sliding::new();` once, then `sliding.rook(square, occupied)`; squares: a1 = 0, h1 = 7, h8 = 63. The
// answer depends neither on the slider's own bit of the occupancy nor on squares off its lines; the first blocker of either
// colour is in it.
#![allow(dead_code, clippy::new_without_default, clippy::needless_range_loop)]

#[cfg(not(all(target_feature = "avx2", target_feature = "gfni")))]
compile_error!("hyperbola_gfni.rs needs AVX2 and GFNI: compile with -C target-feature=+avx2,+gfni or -C target-cpu=native");

use core::arch::x86_64::*;

#[derive(Clone, Copy, Default)]
#[repr(C, align(32))]
struct Lines([u64; 4]); // diagonal, antidiagonal, file, rank

pub struct Sliding {
    masks: [Lines; 64],
}

// SAFETY of all blocks: AVX2 and GFNI are there (see above), and the lines of a square are aligned to 32 bytes.
impl Sliding {
    pub fn new() -> Self {
        let mut tables = Sliding { masks: [Lines::default(); 64] };
        for s in 0..64 {
            tables.masks[s] = Lines([walk(s, 0, 2), walk(s, 0, 3), walk(s, 0, 0), walk(s, 0, 1)]);
        }
        tables
    }

    #[inline(always)]
    pub fn bishop(&self, s: usize, occupied: u64) -> u64 {
        unsafe {
            let lines = _mm_load_si128(self.masks[s & 63].0.as_ptr().cast());
            let o = _mm_and_si128(lines, _mm_set1_epi64x(occupied as i64));
            let up = _mm_sub_epi64(o, _mm256_castsi256_si128(slider(s)));
            let down = swap(_mm_sub_epi64(swap(o), _mm256_castsi256_si128(mirrored(s))));
            union(_mm_and_si128(_mm_xor_si128(up, down), lines))
        }
    }

    #[inline(always)]
    pub fn rook(&self, s: usize, occupied: u64) -> u64 {
        unsafe {
            let lines = _mm_load_si128(self.masks[s & 63].0[2..].as_ptr().cast());
            let o = _mm_and_si128(lines, _mm_set1_epi64x(occupied as i64));
            let up = _mm_sub_epi64(o, _mm256_castsi256_si128(slider(s)));
            let down = reverse(_mm_sub_epi64(reverse(o), _mm256_castsi256_si128(mirrored(s))));
            union(_mm_and_si128(_mm_xor_si128(up, down), lines))
        }
    }

    #[inline(always)]
    pub fn queen(&self, s: usize, occupied: u64) -> u64 {
        unsafe {
            let lines = self.lines(s, occupied);
            union(_mm_or_si128(_mm256_castsi256_si128(lines), _mm256_extracti128_si256::<1>(lines)))
        }
    }

    /// The bishop's set and the rook's.
    #[inline(always)]
    pub fn both(&self, s: usize, occupied: u64) -> (u64, u64) {
        unsafe {
            let lines = self.lines(s, occupied);
            let unions = _mm256_or_si256(lines, _mm256_unpackhi_epi64(lines, lines));
            (lowest(_mm256_castsi256_si128(unions)), lowest(_mm256_extracti128_si256::<1>(unions)))
        }
    }

    /// The attacks along the four lines through `s`, each in its lane.
    #[inline(always)]
    unsafe fn lines(&self, s: usize, occupied: u64) -> __m256i {
        let lines = _mm256_load_si256(self.masks[s & 63].0.as_ptr().cast());
        let o = _mm256_and_si256(lines, _mm256_set1_epi64x(occupied as i64));
        let up = _mm256_sub_epi64(o, slider(s));
        let down = reverse4(_mm256_sub_epi64(reverse4(o), mirrored(s)));
        _mm256_and_si256(_mm256_xor_si256(up, down), lines)
    }
}

/// Bit `s`, and bit 63 - `s`, in every lane.
#[inline(always)]
unsafe fn slider(s: usize) -> __m256i {
    _mm256_sll_epi64(_mm256_set1_epi64x(1), _mm_cvtsi32_si128(s as i32))
}
#[inline(always)]
unsafe fn mirrored(s: usize) -> __m256i {
    _mm256_srl_epi64(_mm256_set1_epi64x(i64::MIN), _mm_cvtsi32_si128(s as i32))
}

/// The matrix that turns a byte round.
const MATRIX: i64 = 0x8040201008040201u64 as i64;

/// Reverses the bits of each lane: square s goes to 63 - s.
#[inline(always)]
unsafe fn reverse(lanes: __m128i) -> __m128i {
    _mm_gf2p8affine_epi64_epi8::<0>(swap(lanes), _mm_set1_epi64x(MATRIX))
}
#[inline(always)]
unsafe fn reverse4(lanes: __m256i) -> __m256i {
    _mm256_gf2p8affine_epi64_epi8::<0>(swap4(lanes), _mm256_set1_epi64x(MATRIX))
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

#[inline(always)]
unsafe fn swap4(lanes: __m256i) -> __m256i {
    let bytes = _mm256_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607, 0x08090A0B0C0D0E0F, 0x0001020304050607);
    _mm256_shuffle_epi8(lanes, bytes)
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
