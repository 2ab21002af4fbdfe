// SPDX-License-Identifier: MIT
//
// Obstruction difference: find the two blockers that enclose the slider on a line, and subtract one from the other.
//
//      line (high bit left)    . U . r . . L .
//      U                       0 1 0 0 0 0 0 0
//      U - L                   0 0 1 1 1 1 1 0
//      U ^ (U - L)             0 1 1 1 1 1 1 0         & line:   the squares between and the blockers
//
// a1 counts as occupied and is part of every lower ray; headers/obstruction_difference.h explains it.
//
// Inventor: Michael Hoffmann (CCC, 23 July 2009); by XOR: Daniel Infuehr (2022). Source: Chessprogramming wiki, Obstruction
// Difference. Tables: 6,144 bytes. Gains from LZCNT (-C target-feature=+lzcnt).
//
// Rust 2021. `let sliding = Sliding::new();` once, then `sliding.rook(square, occupied)`; squares: a1 = 0, h1 = 7, h8 = 63. The
// answer depends neither on the slider's own bit of the occupancy nor on squares off its lines; the first blocker of either
// colour is in it.
#![allow(dead_code, clippy::new_without_default, clippy::needless_range_loop)]

#[derive(Clone, Copy, Default)]
struct Line {
    lower: u64, // the squares below the slider, and a1
    upper: u64, // the squares above it
    whole: u64, // both, without what is not on the line
}

pub struct Sliding {
    masks: [[Line; 4]; 64], // of a square: file, rank, diagonal, antidiagonal
}

impl Sliding {
    pub fn new() -> Self {
        let mut tables = Sliding { masks: [[Line::default(); 4]; 64] };
        for s in 0..64 {
            let below = (1u64 << s) - 1;
            for line in 0..4 {
                let whole = walk(s, 0, line);
                tables.masks[s][line] = Line { lower: (whole & below) | 1, upper: whole & !below, whole };
            }
        }
        tables
    }

    #[inline(always)]
    pub fn bishop(&self, s: usize, occupied: u64) -> u64 {
        let lines = &self.masks[s & 63];
        along(&lines[2], occupied | 1) | along(&lines[3], occupied | 1)
    }

    #[inline(always)]
    pub fn rook(&self, s: usize, occupied: u64) -> u64 {
        let lines = &self.masks[s & 63];
        along(&lines[0], occupied | 1) | along(&lines[1], occupied | 1)
    }

    #[inline(always)]
    pub fn queen(&self, s: usize, occupied: u64) -> u64 {
        self.bishop(s, occupied) | self.rook(s, occupied)
    }
}

/// The attacks along a line; a1 must be occupied.
#[inline(always)]
fn along(line: &Line, occupied: u64) -> u64 {
    let lower = 1u64 << 63 >> ((line.lower & occupied).leading_zeros() & 63);
    let upper = line.upper & occupied;
    (upper ^ upper.wrapping_sub(lower)) & line.whole
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
