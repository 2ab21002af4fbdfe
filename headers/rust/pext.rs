// SPDX-License-Identifier: MIT
//
// PEXT bitboards: the processor gathers the relevant occupancy into an index, perfectly and without a factor.
//
//      occupied   . X . . X . . X          the squares under the mask, in order, become
//      mask       . 1 1 . 1 1 1 .     ->   the binary number X . X . .  = the index
//
// Inventor: Zach Wegner is credited; in use since Haswell (2013). Source: Chessprogramming wiki, BMI2. Tables: 863,232 bytes.
// AMD processors before Zen 3 run PEXT as microcode, 18 to 300 cycles: take another module there.
//
// Rust 2021. `let sliding = Sliding::new();` once, then `sliding.rook(square, occupied)`; squares: a1 = 0, h1 = 7, h8 = 63. The
// answer depends neither on the slider's own bit of the occupancy nor on squares off its lines; the first blocker of either
// colour is in it.
#![allow(dead_code, clippy::new_without_default, clippy::needless_range_loop)]

#[cfg(not(target_feature = "bmi2"))]
compile_error!("pext.rs needs BMI2: compile with -C target-cpu=x86-64-v3 or native");

use core::arch::x86_64::{_pdep_u64, _pext_u64};

#[derive(Clone, Copy, Default)]
struct Record {
    mask: u64,
    first: usize, // where the square's own array begins
}

#[derive(Clone, Copy, Default)]
#[repr(align(32))]
struct Square {
    bishop: Record,
    rook: Record,
}

pub struct Sliding {
    squares: [Square; 64],
    sets: Vec<u64>,
}

impl Sliding {
    pub fn new() -> Self {
        let mut tables = Sliding { squares: [Square::default(); 64], sets: Vec::with_capacity(102_400 + 5_248) };
        for s in 0..64 {
            tables.squares[s].rook = tables.fill(s, 0);
        }
        for s in 0..64 {
            tables.squares[s].bishop = tables.fill(s, 2);
        }
        tables
    }

    #[inline(always)]
    pub fn bishop(&self, s: usize, occupied: u64) -> u64 {
        self.look_up(&self.squares[s & 63].bishop, occupied)
    }

    #[inline(always)]
    pub fn rook(&self, s: usize, occupied: u64) -> u64 {
        self.look_up(&self.squares[s & 63].rook, occupied)
    }

    #[inline(always)]
    pub fn queen(&self, s: usize, occupied: u64) -> u64 {
        self.bishop(s, occupied) | self.rook(s, occupied)
    }

    #[inline(always)]
    fn look_up(&self, r: &Record, occupied: u64) -> u64 {
        // SAFETY: BMI2 is there (see above); the index has n bits, and fill() made 2^n sets from `first` on.
        unsafe { *self.sets.get_unchecked(r.first + _pext_u64(occupied, r.mask) as usize) }
    }

    /// Appends the sets of a piece on a square.
    fn fill(&mut self, s: usize, line: usize) -> Record {
        let r = Record { mask: relevant(s, line), first: self.sets.len() };
        for i in 0..1 << r.mask.count_ones() {
            // SAFETY: BMI2 is there (see above).
            self.sets.push(slow(s, unsafe { _pdep_u64(i, r.mask) }, line));
        }
        r
    }
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

/// What a piece attacks: a rook along lines 0 and 1, a bishop along 2 and 3; `line` is the first of them.
fn slow(s: usize, occupied: u64, line: usize) -> u64 {
    walk(s, occupied, line) | walk(s, occupied, line + 1)
}

/// The squares whose occupancy matters: what a piece attacks on the empty board, but for the ends of its lines.
fn relevant(s: usize, line: usize) -> u64 {
    let ranks = 0xFF000000000000FF & !(0xFF << (s & 56));
    let files = 0x8181818181818181 & !(0x0101010101010101 << (s & 7));
    slow(s, 0, line) & !(ranks | files)
}
