// SPDX-License-Identifier: MIT

/// The squares that a bishop attacks, the first blocker of each ray among them.
#[inline]
pub fn bishop(square: usize, occupied: u64) -> u64 {
    let [_, diagonal, antidiagonal] = LINES[square % 64];
    line_attacks(square, occupied, diagonal) | line_attacks(square, occupied, antidiagonal)
}

/// The squares that a rook attacks.
#[inline]
pub fn rook(square: usize, occupied: u64) -> u64 {
    let [file, _, _] = LINES[square % 64];
    line_attacks(square, occupied, file) | rank_attacks(square, occupied)
}

include!("parts/queen.rs");
include!("parts/both.rs");

/// Attacks along a line with one square a rank, which does not hold `square` itself.
#[inline]
fn line_attacks(square: usize, occupied: u64, line: u64) -> u64 {
    let (slider, flipped_slider) = (1 << (square % 64), (1 << 63) >> (square % 64));
    let o = occupied & line;
    (o.wrapping_sub(slider) ^ o.swap_bytes().wrapping_sub(flipped_slider).swap_bytes()) & line
}

#[inline]
fn rank_attacks(square: usize, occupied: u64) -> u64 {
    let rank_start = square & 56;
    let twice_inner = (occupied >> rank_start) as usize & 126;
    u64::from(FIRST_RANK[4 * twice_inner + square % 8]) << rank_start
}

/// The file, the diagonal and the antidiagonal through each square, without it.
static LINES: [[u64; 3]; 64] = lines();

const fn lines() -> [[u64; 3]; 64] {
    let mut table = [[0; 3]; 64];
    let mut s = 0;
    while s < 64 {
        table[s] = [line(s, 0, 1), line(s, 1, 1), line(s, -1, 1)];
        s += 1;
    }
    table
}

include!("parts/first_rank.rs");
include!("parts/line.rs");
