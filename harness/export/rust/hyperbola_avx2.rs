// SPDX-License-Identifier: MIT

#[cfg(not(target_feature = "avx2"))]
compile_error!("hyperbola_avx2 needs AVX2: compile with -C target-cpu=x86-64-v3 or -C target-feature=+avx2");

use core::arch::x86_64::*;

/// The squares that a bishop attacks, the first blocker of each ray among them.
#[inline]
pub fn bishop(square: usize, occupied: u64) -> u64 {
    let r = &RECORDS[square % 64];
    // SAFETY: the target has AVX2.
    unsafe {
        let lines = _mm_load_si128(r.lines.as_ptr().cast());
        let o = _mm_and_si128(lines, _mm_set1_epi64x(occupied as i64));
        let up = _mm_sub_epi64(o, _mm_set1_epi64x(r.slider as i64));
        let down = swap128(_mm_sub_epi64(swap128(o), _mm_set1_epi64x(r.flipped_slider as i64)));
        unite(_mm_and_si128(_mm_xor_si128(up, down), lines))
    }
}

/// The squares that a rook attacks.
#[inline]
pub fn rook(square: usize, occupied: u64) -> u64 {
    let r = &RECORDS[square % 64];
    let file = r.lines[2];
    let o = occupied & file;
    let down = o.swap_bytes().wrapping_sub(r.flipped_slider).swap_bytes();
    ((o.wrapping_sub(r.slider) ^ down) & file) | r.rank_attacks(occupied)
}

/// The squares that a queen attacks.
#[inline]
pub fn queen(square: usize, occupied: u64) -> u64 {
    let r = &RECORDS[square % 64];
    // SAFETY: the target has AVX2.
    unsafe { unite(halve(r.line_attacks(occupied))) | r.rank_attacks(occupied) }
}

/// The bishop's and the rook's set of one square.
#[inline]
pub fn both(square: usize, occupied: u64) -> (u64, u64) {
    let r = &RECORDS[square % 64];
    // SAFETY: the target has AVX2.
    unsafe {
        let lines = r.line_attacks(occupied);
        let file = _mm_cvtsi128_si64(_mm256_extracti128_si256(lines, 1)) as u64;
        (unite(_mm256_castsi256_si128(lines)), file | r.rank_attacks(occupied))
    }
}

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Record {
    lines: [u64; 4], // diagonal, antidiagonal, file and none, without the square
    slider: u64,
    flipped_slider: u64,
    rank_sets: *const u8, // the column of the square's file in FIRST_RANK
    rank_start: u64,      // the first square of the square's rank
}

// SAFETY: the pointers lead into FIRST_RANK, which never changes.
unsafe impl Sync for Record {}

static RECORDS: [Record; 64] = records(FIRST_RANK.as_ptr());

impl Record {
    /// The attacks along the four lines, each in its lane.
    #[inline]
    unsafe fn line_attacks(&self, occupied: u64) -> __m256i {
        let lines = _mm256_load_si256(self.lines.as_ptr().cast());
        let o = _mm256_and_si256(lines, _mm256_set1_epi64x(occupied as i64));
        let up = _mm256_sub_epi64(o, _mm256_set1_epi64x(self.slider as i64));
        let down = swap256(_mm256_sub_epi64(swap256(o), _mm256_set1_epi64x(self.flipped_slider as i64)));
        _mm256_and_si256(_mm256_xor_si256(up, down), lines)
    }

    #[inline]
    fn rank_attacks(&self, occupied: u64) -> u64 {
        let twice_inner = (occupied >> self.rank_start) as usize & 126;
        // SAFETY: 4 * 126 and a file are less than the table's 512.
        u64::from(unsafe { *self.rank_sets.add(4 * twice_inner) }) << self.rank_start
    }
}

const fn records(first_rank: *const u8) -> [Record; 64] {
    let mut table = [record(first_rank, 0); 64];
    let mut s = 1;
    while s < 64 {
        table[s] = record(first_rank, s);
        s += 1;
    }
    table
}

const fn record(first_rank: *const u8, s: usize) -> Record {
    let lines = [line(s, 1, 1), line(s, -1, 1), line(s, 0, 1), 0];
    // SAFETY: the first row of the table has eight elements.
    let rank_sets = unsafe { first_rank.add(s % 8) };
    Record { lines, slider: 1 << s, flipped_slider: (1 << 63) >> s, rank_sets, rank_start: s as u64 & 56 }
}

include!("parts/swap128.rs");
include!("parts/swap256.rs");
include!("parts/lanes.rs");
include!("parts/first_rank.rs");
include!("parts/line.rs");
