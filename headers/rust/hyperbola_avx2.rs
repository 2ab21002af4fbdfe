// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence in vectors: both diagonals and the file at once, and with them the bishop and the rook.
//
//      lane          3        2        1             0
//      masks         0        file     antidiagonal  diagonal
//      attacks     = ((o - r) ^ swap(swap(o) - r')) & masks           o = masks & occupied
//      rook        =          file     bishop                         rook: | rank attacks, from the first-rank table
//
// headers/hyperbola_avx2.h explains it. An engine that asks for a bishop and a rook on one square takes `both`.
//
// Inventors: of the hyperbola see hyperbola.rs; the form with one record a square: "anematode" in Stockfish (2026). Source:
// Stockfish pull requests 6845, 6870 and 6998; the order of the lanes is slidebench's. Tables: 4,608 bytes.
//
// Rust 2021. `let sliding = Sliding::new();` once, then `sliding.rook(square, occupied)`; squares: a1 = 0, h1 = 7, h8 = 63. The
// answer depends neither on the slider's own bit of the occupancy nor on squares off its lines; the first blocker of either
// colour is in it.
#![allow(dead_code, clippy::new_without_default, clippy::needless_range_loop)]

#[cfg(not(target_feature = "avx2"))]
compile_error!("hyperbola_avx2.rs needs AVX2: compile with -C target-cpu=x86-64-v3 or native");

use core::arch::x86_64::*;

#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
struct Record {
    diagonal: u64,
    antidiagonal: u64,
    file: u64,
    none: u64,
    slider: u64,
    flipped_slider: u64,
    file_index: usize,
    rank_start: u64, // the first square of the square's rank
}

pub struct Sliding {
    records: [Record; 64],
    rank_sets: [u8; 8 * 64], // element 8 * (occupancy of files b to g) + file: the attacks along the first rank
}

// SAFETY of all blocks: AVX2 is there (see above), and a record is aligned to 64 bytes.
impl Sliding {
    pub fn new() -> Self {
        let mut tables = Sliding { records: [Record::default(); 64], rank_sets: [0; 8 * 64] };
        for s in 0..64 {
            tables.records[s] = Record {
                diagonal: walk(s, 0, 2),
                antidiagonal: walk(s, 0, 3),
                file: walk(s, 0, 0),
                none: 0,
                slider: 1 << s,
                flipped_slider: 1 << (63 - s),
                file_index: s & 7,
                rank_start: s as u64 & 56,
            };
        }
        for i in 0..8 * 64 {
            tables.rank_sets[i] = walk(i & 7, ((i >> 3) << 1) as u64, 1) as u8;
        }
        tables
    }

    #[inline(always)]
    pub fn bishop(&self, s: usize, occupied: u64) -> u64 {
        let r = &self.records[s & 63];
        unsafe {
            let masks = _mm_load_si128((r as *const Record).cast());
            let o = _mm_and_si128(masks, _mm_set1_epi64x(occupied as i64));
            let up = _mm_sub_epi64(o, _mm_set1_epi64x(r.slider as i64));
            let down = swap(_mm_sub_epi64(swap(o), _mm_set1_epi64x(r.flipped_slider as i64)));
            union(_mm_and_si128(_mm_xor_si128(up, down), masks))
        }
    }

    #[inline(always)]
    pub fn rook(&self, s: usize, occupied: u64) -> u64 {
        let r = &self.records[s & 63];
        let o = occupied & r.file;
        let down = o.swap_bytes().wrapping_sub(r.flipped_slider).swap_bytes();
        ((o.wrapping_sub(r.slider) ^ down) & r.file) | self.rank(r, occupied)
    }

    #[inline(always)]
    pub fn queen(&self, s: usize, occupied: u64) -> u64 {
        let (bishop, rook) = self.both(s, occupied);
        bishop | rook
    }

    /// The bishop's set and the rook's.
    #[inline(always)]
    pub fn both(&self, s: usize, occupied: u64) -> (u64, u64) {
        let r = &self.records[s & 63];
        unsafe {
            let masks = _mm256_load_si256((r as *const Record).cast());
            let o = _mm256_and_si256(masks, _mm256_set1_epi64x(occupied as i64));
            let up = _mm256_sub_epi64(o, _mm256_set1_epi64x(r.slider as i64));
            let down = swap4(_mm256_sub_epi64(swap4(o), _mm256_set1_epi64x(r.flipped_slider as i64)));
            let lines = _mm256_and_si256(_mm256_xor_si256(up, down), masks);
            let file = lowest(_mm256_extracti128_si256::<1>(lines));
            (union(_mm256_castsi256_si128(lines)), file | self.rank(r, occupied))
        }
    }

    #[inline(always)]
    fn rank(&self, r: &Record, occupied: u64) -> u64 {
        let twice_inner = (occupied >> r.rank_start) as usize & 126;
        u64::from(unsafe { *self.rank_sets.get_unchecked(4 * twice_inner + r.file_index) }) << r.rank_start
    }
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
