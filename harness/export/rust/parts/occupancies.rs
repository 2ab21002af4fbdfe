// SPDX-License-Identifier: MIT

const ROOK: usize = 0;
const BISHOP: usize = 1;

/// The attacks of a piece, square by square: one step of it, and that step turned three times.
const fn walk(piece: usize, square: usize, occupied: u64) -> u64 {
    let (f, r) = if piece == ROOK { (1, 0) } else { (1, 1) };
    let there = ray(square, f, r, occupied) | ray(square, -r, f, occupied);
    there | ray(square, -f, -r, occupied) | ray(square, r, -f, occupied)
}

include!("parts/rays.rs");

/// The squares whose occupancy matters: those that a piece attacks, but the last of each ray.
const fn relevant(piece: usize, square: usize) -> u64 {
    let (file, rank) = (0x0101_0101_0101_0101 << (square % 8), 0xFF << (square & 56));
    let edges = (0xFF00_0000_0000_00FF & !rank) | (0x8181_8181_8181_8181 & !file);
    walk(piece, square, 0) & !edges
}

/// Stores the attacks of a piece for every relevant occupancy in its slot.
fn fill(piece: usize, square: usize, slot: impl Fn(u64) -> &'static AtomicU64) {
    let (mask, mut occupied) = (relevant(piece, square), 0);
    for _ in 0..1 << mask.count_ones() {
        slot(occupied).store(walk(piece, square, occupied), Relaxed);
        occupied = u64::wrapping_sub(occupied, mask) & mask; // the next subset
    }
}

#[allow(clippy::declare_interior_mutable_const)] // every slot is a copy of it
const EMPTY: AtomicU64 = AtomicU64::new(0);
