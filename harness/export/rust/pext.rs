// SPDX-License-Identifier: MIT

#[cfg(not(target_feature = "bmi2"))]
compile_error!("pext needs BMI2: compile with -C target-cpu=x86-64-v3 or -C target-feature=+bmi2");

use core::arch::x86_64::_pext_u64;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Fills the table. Until it is called all sets are empty.
pub fn init() {
    for (square, records) in RECORDS.iter().enumerate() {
        fill(ROOK, square, |occupied| records.0[ROOK].slot(occupied));
        fill(BISHOP, square, |occupied| records.0[BISHOP].slot(occupied));
    }
}

/// The squares that a bishop attacks, the first blocker of each ray among them.
#[inline]
pub fn bishop(square: usize, occupied: u64) -> u64 {
    RECORDS[square % 64].0[BISHOP].slot(occupied).load(Relaxed)
}

/// The squares that a rook attacks.
#[inline]
pub fn rook(square: usize, occupied: u64) -> u64 {
    RECORDS[square % 64].0[ROOK].slot(occupied).load(Relaxed)
}

include!("parts/queen.rs");
include!("parts/both.rs");

#[derive(Clone, Copy)]
struct Record {
    mask: u64,
    sets: *const AtomicU64, // the square's own array, a part of SETS
}

impl Record {
    #[inline]
    fn slot(&self, occupied: u64) -> &'static AtomicU64 {
        // SAFETY: the target has BMI2, and the square's array a slot for every number of as many bits as the mask has.
        unsafe { &*self.sets.add(_pext_u64(occupied, self.mask) as usize) }
    }
}

/// The attack sets. Relaxed loads of words are plain loads, and `init` needs no `unsafe`.
static SETS: [AtomicU64; 102_400 + 5_248] = [EMPTY; 102_400 + 5_248];

/// The records of a square, in one cache line.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Records([Record; 2]);

// SAFETY: the pointers lead into SETS, which threads may share.
unsafe impl Sync for Records {}

static RECORDS: [Records; 64] = records(SETS.as_ptr());

const fn records(mut sets: *const AtomicU64) -> [Records; 64] {
    let mut table = [Records([Record { mask: 0, sets }; 2]); 64];
    let mut i = 0;
    while i < 2 * 64 {
        let (piece, s) = (i / 64, i % 64);
        let mask = relevant(piece, s);
        table[s].0[piece] = Record { mask, sets };
        // SAFETY: SETS has room for the arrays of all squares.
        sets = unsafe { sets.add(1 << mask.count_ones()) };
        i += 1;
    }
    table
}

include!("parts/occupancies.rs");
