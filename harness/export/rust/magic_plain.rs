// SPDX-License-Identifier: MIT

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Fills the tables. Until it is called all sets are empty.
pub fn init() {
    for square in 0..64 {
        fill(ROOK, square, |occupied| rook_slot(square, occupied));
        fill(BISHOP, square, |occupied| bishop_slot(square, occupied));
    }
}

/// The squares that a bishop attacks, the first blocker of each ray among them.
#[inline]
pub fn bishop(square: usize, occupied: u64) -> u64 {
    bishop_slot(square, occupied).load(Relaxed)
}

/// The squares that a rook attacks.
#[inline]
pub fn rook(square: usize, occupied: u64) -> u64 {
    rook_slot(square, occupied).load(Relaxed)
}

include!("parts/queen.rs");
include!("parts/both.rs");

/// The attack sets. Relaxed loads of words are plain loads, and `init` needs no `unsafe`.
static BISHOP_SETS: [[AtomicU64; 512]; 64] = [EMPTY_BISHOP_SETS; 64];
static ROOK_SETS: [[AtomicU64; 4096]; 64] = [EMPTY_ROOK_SETS; 64];

#[allow(clippy::declare_interior_mutable_const)] // every square's array is a copy
const EMPTY_BISHOP_SETS: [AtomicU64; 512] = [EMPTY; 512];
#[allow(unknown_lints, clippy::all)] // the same, and Clippy finds it large
const EMPTY_ROOK_SETS: [AtomicU64; 4096] = [EMPTY; 4096];

#[inline]
fn bishop_slot(square: usize, occupied: u64) -> &'static AtomicU64 {
    let product = RECORDS[square % 64].0[BISHOP].product(occupied);
    &BISHOP_SETS[square % 64][(product >> (64 - 9)) as usize]
}

#[inline]
fn rook_slot(square: usize, occupied: u64) -> &'static AtomicU64 {
    let product = RECORDS[square % 64].0[ROOK].product(occupied);
    &ROOK_SETS[square % 64][(product >> (64 - 12)) as usize]
}

#[derive(Clone, Copy)]
struct Record {
    mask: u64,
    factor: u64,
}

impl Record {
    #[inline]
    fn product(&self, occupied: u64) -> u64 {
        (occupied & self.mask).wrapping_mul(self.factor)
    }
}

/// The records of a square, in half a cache line.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Records([Record; 2]);

static RECORDS: [Records; 64] = records();

const fn records() -> [Records; 64] {
    let mut table = [Records([Record { mask: 0, factor: 0 }; 2]); 64];
    let mut i = 0;
    while i < 2 * 64 {
        let (piece, s) = (i / 64, i % 64);
        table[s].0[piece] = Record { mask: relevant(piece, s), factor: FACTORS[piece][s] };
        i += 1;
    }
    table
}

include!("parts/occupancies.rs");
include!("methods/magic/magic_factors.hpp");
