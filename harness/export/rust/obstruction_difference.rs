// SPDX-License-Identifier: MIT

use core::num::NonZeroU64;

/// The squares that a bishop attacks, the first blocker of each ray among them.
#[inline]
pub fn bishop(square: usize, occupied: u64) -> u64 {
    let [diagonal, antidiagonal, _, _] = &LINES[square % 64];
    line_attacks(diagonal, occupied | A1) | line_attacks(antidiagonal, occupied | A1)
}

/// The squares that a rook attacks.
#[inline]
pub fn rook(square: usize, occupied: u64) -> u64 {
    let [_, _, file, rank] = &LINES[square % 64];
    line_attacks(file, occupied | A1) | line_attacks(rank, occupied | A1)
}

include!("parts/queen.rs");
include!("parts/both.rs");

/// It counts as occupied, so that every line has a blocker below the slider.
const A1: u64 = 1;

#[derive(Clone, Copy)]
struct Line {
    lower: u64, // the squares below the slider, and a1
    upper: u64, // the squares above it
    whole: u64, // both, without what is not on the line
}

#[inline]
fn line_attacks(line: &Line, occupied: u64) -> u64 {
    // SAFETY: a1 is in both sets.
    let lower = unsafe { NonZeroU64::new_unchecked(line.lower & occupied) };
    let upper = line.upper & occupied;
    (upper ^ upper.wrapping_sub((1 << 63) >> lower.leading_zeros())) & line.whole
}

/// Of each square: diagonal, antidiagonal, file and rank.
static LINES: [[Line; 4]; 64] = lines();

const fn lines() -> [[Line; 4]; 64] {
    let steps = [(1, 1), (-1, 1), (0, 1), (1, 0)];
    let mut table = [[Line { lower: A1, upper: 0, whole: 0 }; 4]; 64];
    let mut i = 0;
    while i < 64 * 4 {
        let (s, (files, ranks)) = (i / 4, steps[i % 4]);
        let (whole, below) = (line(s, files, ranks), (1 << s) - 1);
        table[s][i % 4] = Line { lower: (whole & below) | A1, upper: whole & !below, whole };
        i += 1;
    }
    table
}

include!("parts/line.rs");
