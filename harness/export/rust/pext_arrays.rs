// SPDX-License-Identifier: MIT

#[cfg(not(target_feature = "bmi2"))]
compile_error!("pext_arrays needs BMI2: compile with -C target-cpu=x86-64-v3 or -C target-feature=+bmi2");

use core::arch::x86_64::_pext_u64;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Fills the table. Until it is called all sets are empty.
pub fn init() {
    for square in 0..64 {
        fill(ROOK, square, |occupied| slot(ROOK, square, occupied));
        fill(BISHOP, square, |occupied| slot(BISHOP, square, occupied));
    }
}

/// The squares that a bishop attacks, the first blocker of each ray among them.
#[inline]
pub fn bishop(square: usize, occupied: u64) -> u64 {
    slot(BISHOP, square, occupied).load(Relaxed)
}

/// The squares that a rook attacks.
#[inline]
pub fn rook(square: usize, occupied: u64) -> u64 {
    slot(ROOK, square, occupied).load(Relaxed)
}

include!("parts/queen.rs");
include!("parts/both.rs");

#[inline]
fn slot(piece: usize, square: usize, occupied: u64) -> &'static AtomicU64 {
    let (mask, sets) = (MASKS[piece][square % 64], STARTS.0[piece][square % 64]);
    // SAFETY: the target has BMI2, and the square's array a slot for every number of as many bits as the mask has.
    unsafe { &*sets.add(_pext_u64(occupied, mask) as usize) }
}

/// The attack sets. Relaxed loads of words are plain loads, and `init` needs no `unsafe`.
static SETS: [AtomicU64; 102_400 + 5_248] = [EMPTY; 102_400 + 5_248];

/// Where the array of each piece and square begins in SETS.
struct Starts([[*const AtomicU64; 64]; 2]);

// SAFETY: the pointers lead into SETS, which threads may share.
unsafe impl Sync for Starts {}

static STARTS: Starts = starts(SETS.as_ptr());
static MASKS: [[u64; 64]; 2] = masks();

const fn starts(mut sets: *const AtomicU64) -> Starts {
    let mut table = [[sets; 64]; 2];
    let mut i = 0;
    while i < 2 * 64 {
        table[i / 64][i % 64] = sets;
        // SAFETY: SETS has room for the arrays of all squares.
        sets = unsafe { sets.add(1 << relevant(i / 64, i % 64).count_ones()) };
        i += 1;
    }
    Starts(table)
}

const fn masks() -> [[u64; 64]; 2] {
    let mut table = [[0; 64]; 2];
    let mut i = 0;
    while i < 2 * 64 {
        table[i / 64][i % 64] = relevant(i / 64, i % 64);
        i += 1;
    }
    table
}

include!("parts/occupancies.rs");
