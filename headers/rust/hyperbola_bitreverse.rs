// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence by bit reversal: one formula for all four lines, ranks included, and no table but the masks.
//
//      up      = OR over the lines of  ((occupied & line) - bit s) & line
//      down    = OR over the lines of  ((rev(occupied) & rev(line)) - bit(63 - s)) & rev(line)
//      attacks = up ^ rev(down)
//
// Best where reversing a word is one instruction (RBIT on Arm); headers/hyperbola_bitreverse.h explains it.
//
// Inventors: G. Isenberg, A. Peshkov, R. Mack (2007); with RBIT in Stockfish on Arm (2026). Source: Stockfish pull requests 6795
// and 6870; the regrouping is slidebench's. Tables: 4,096 bytes.
//
// Rust 2021. `let sliding = Sliding::new();` once, then `sliding.rook(square, occupied)`; squares: a1 = 0, h1 = 7, h8 = 63. The
// answer depends neither on the slider's own bit of the occupancy nor on squares off its lines; the first blocker of either
// colour is in it.
#![allow(dead_code, clippy::new_without_default, clippy::needless_range_loop)]

#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Lines {
    diagonals: [u64; 2],
    reversed_diagonals: [u64; 2],
    orthogonals: [u64; 2],
    reversed_orthogonals: [u64; 2],
}

pub struct Sliding {
    masks: [Lines; 64],
}

impl Sliding {
    pub fn new() -> Self {
        let mut tables = Sliding { masks: [Lines::default(); 64] };
        for s in 0..64 {
            tables.masks[s] = Lines {
                diagonals: [walk(s, 0, 2), walk(s, 0, 3)],
                reversed_diagonals: [walk(63 - s, 0, 2), walk(63 - s, 0, 3)],
                orthogonals: [walk(s, 0, 0), walk(s, 0, 1)],
                reversed_orthogonals: [walk(63 - s, 0, 0), walk(63 - s, 0, 1)],
            };
        }
        tables
    }

    #[inline(always)]
    pub fn bishop(&self, s: usize, occupied: u64) -> u64 {
        let m = &self.masks[s & 63];
        both_ways(s, occupied, &m.diagonals, &m.reversed_diagonals)
    }

    #[inline(always)]
    pub fn rook(&self, s: usize, occupied: u64) -> u64 {
        let m = &self.masks[s & 63];
        both_ways(s, occupied, &m.orthogonals, &m.reversed_orthogonals)
    }

    #[inline(always)]
    pub fn queen(&self, s: usize, occupied: u64) -> u64 {
        self.bishop(s, occupied) | self.rook(s, occupied)
    }
}

#[inline(always)]
fn both_ways(s: usize, occupied: u64, lines: &[u64; 2], reversed_lines: &[u64; 2]) -> u64 {
    let (slider, reversed_slider) = (1u64 << (s & 63), 1u64 << 63 >> (s & 63));
    let reversed = occupied.reverse_bits();
    let up = half(slider, occupied, lines[0]) | half(slider, occupied, lines[1]);
    let down = half(reversed_slider, reversed, reversed_lines[0]) | half(reversed_slider, reversed, reversed_lines[1]);
    up ^ down.reverse_bits()
}

/// The line's occupancy, changed from the slider up to and including the first blocker. The rest is in both halves, so that
/// their XOR drops it.
#[inline(always)]
fn half(slider: u64, occupied: u64, line: u64) -> u64 {
    (occupied & line).wrapping_sub(slider) & line
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
