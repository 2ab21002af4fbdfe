// SPDX-License-Identifier: MIT

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Fills the table. Until it is called all sets are empty.
pub fn init() {
    for (square, records) in RECORDS.iter().enumerate() {
        fill(ROOK, square, |occupied| records.0[ROOK].slot(occupied, 12));
        fill(BISHOP, square, |occupied| records.0[BISHOP].slot(occupied, 9));
    }
}

/// The squares that a bishop attacks, the first blocker of each ray among them.
#[inline]
pub fn bishop(square: usize, occupied: u64) -> u64 {
    RECORDS[square % 64].0[BISHOP].slot(occupied, 9).load(Relaxed)
}

/// The squares that a rook attacks.
#[inline]
pub fn rook(square: usize, occupied: u64) -> u64 {
    RECORDS[square % 64].0[ROOK].slot(occupied, 12).load(Relaxed)
}

include!("parts/queen.rs");
include!("parts/both.rs");

#[derive(Clone, Copy)]
struct Record {
    sets: *const AtomicU64, // the square's own array, a part of SETS
    mask: u64,              // all squares that do not matter
    factor: u64,
}

impl Record {
    #[inline]
    fn slot(&self, occupied: u64, bits: u32) -> &'static AtomicU64 {
        let index = (occupied | self.mask).wrapping_mul(self.factor) >> (64 - bits);
        // SAFETY: the factors were found for a table of this length: no relevant occupancy leads beyond it.
        unsafe { &*self.sets.add(index as usize) }
    }
}

/// The attack sets. Relaxed loads of words are plain loads, and `init` needs no `unsafe`.
static SETS: [AtomicU64; SLOTS] = [EMPTY; SLOTS];

/// The records of a square, in one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Records([Record; 2]);

// SAFETY: the pointers lead into SETS, which threads may share.
unsafe impl Sync for Records {}

static RECORDS: [Records; 64] = records(SETS.as_ptr());

const fn records(sets: *const AtomicU64) -> [Records; 64] {
    let mut table = [Records([Record { sets, mask: 0, factor: 0 }; 2]); 64];
    let mut i = 0;
    while i < 2 * 64 {
        let (piece, s) = (i / 64, i % 64);
        let (factor, first) = FACTORS[piece][s];
        // SAFETY: all arrays begin in SETS.
        table[s].0[piece] = Record { sets: unsafe { sets.add(first) }, mask: !relevant(piece, s), factor };
        i += 1;
    }
    table
}

include!("parts/occupancies.rs");
include!("methods/magic/black_factors.hpp");
