// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence: find the first blocker by subtraction, on a file or diagonal that is its own little number.
//
//      attacks = ((o - r) ^ swap(swap(o) - r')) & line            o = occupied & line
//
// Ranks are looked up in a table of 512 bytes; headers/hyperbola.h explains it.
//
// Inventors: Gerd Isenberg, Aleks Peshkov (2007), from Ryan Mack's Hyperbola project. Source: G. Isenberg, Efficient Generation
// of Sliding Piece Attacks (Dresden 2008). Tables: 2,048 bytes.
//
// Rust 2021. `let sliding = Sliding::new();` once, then `sliding.rook(square, occupied)`; squares: a1 = 0, h1 = 7, h8 = 63. The
// answer depends neither on the slider's own bit of the occupancy nor on squares off its lines; the first blocker of either
// colour is in it.
#![allow(dead_code, clippy::new_without_default, clippy::needless_range_loop)]

#[derive(Clone, Copy, Default)]
struct Lines {
    file: u64,
    diagonal: u64,
    antidiagonal: u64, // the squares of the line, without the slider
}

pub struct Sliding {
    masks: [Lines; 64],
    rank_sets: [u8; 8 * 64], // element 8 * (occupancy of files b to g) + file: the attacks along the first rank
}

impl Sliding {
    pub fn new() -> Self {
        let mut tables = Sliding { masks: [Lines::default(); 64], rank_sets: [0; 8 * 64] };
        for s in 0..64 {
            tables.masks[s] = Lines { file: walk(s, 0, 0), diagonal: walk(s, 0, 2), antidiagonal: walk(s, 0, 3) };
        }
        for i in 0..8 * 64 {
            tables.rank_sets[i] = walk(i & 7, ((i >> 3) << 1) as u64, 1) as u8;
        }
        tables
    }

    #[inline(always)]
    pub fn bishop(&self, s: usize, occupied: u64) -> u64 {
        let m = &self.masks[s & 63];
        along(s, occupied, m.diagonal) | along(s, occupied, m.antidiagonal)
    }

    #[inline(always)]
    pub fn rook(&self, s: usize, occupied: u64) -> u64 {
        along(s, occupied, self.masks[s & 63].file) | self.rank(s, occupied)
    }

    #[inline(always)]
    pub fn queen(&self, s: usize, occupied: u64) -> u64 {
        self.bishop(s, occupied) | self.rook(s, occupied)
    }

    #[inline(always)]
    fn rank(&self, s: usize, occupied: u64) -> u64 {
        let rank_start = s & 56;
        let twice_inner = (occupied >> rank_start) as usize & 126;
        // SAFETY: 4 * 126 + 7 is the last element.
        u64::from(unsafe { *self.rank_sets.get_unchecked(4 * twice_inner + (s & 7)) }) << rank_start
    }
}

/// Attacks along a line with one square a rank.
#[inline(always)]
fn along(s: usize, occupied: u64, line: u64) -> u64 {
    let (slider, flipped_slider) = (1u64 << (s & 63), 1u64 << 63 >> (s & 63));
    let o = occupied & line;
    (o.wrapping_sub(slider) ^ o.swap_bytes().wrapping_sub(flipped_slider).swap_bytes()) & line
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
