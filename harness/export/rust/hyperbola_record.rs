// SPDX-License-Identifier: MIT

/// The squares that a bishop attacks, the first blocker of each ray among them.
#[inline]
pub fn bishop(square: usize, occupied: u64) -> u64 {
    let r = &RECORDS[square % 64];
    r.line_attacks(occupied, r.diagonal) | r.line_attacks(occupied, r.antidiagonal)
}

/// The squares that a rook attacks. The rank first: it is what the answer waits for longest.
#[inline]
pub fn rook(square: usize, occupied: u64) -> u64 {
    let r = &RECORDS[square % 64];
    r.rank_attacks(occupied) | r.line_attacks(occupied, r.file)
}

/// The squares that a queen attacks.
#[inline]
pub fn queen(square: usize, occupied: u64) -> u64 {
    rook(square, occupied) | bishop(square, occupied)
}

/// The bishop's and the rook's set of one square.
#[inline]
pub fn both(square: usize, occupied: u64) -> (u64, u64) {
    let rook_attacks = rook(square, occupied);
    (bishop(square, occupied), rook_attacks)
}

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Record {
    diagonal: u64, // the lines through the square, without it
    antidiagonal: u64,
    file: u64,
    slider: u64,
    flipped_slider: u64,
    rank_sets: *const u8, // of the square's file, by the inner squares of the rank: a row of FIRST_RANK
    inner_field: u64,     // those as BEXTR takes them: the first one, and 256 * 6
    rank_start: u64,      // the first square of the rank
}

// SAFETY: the pointers lead into FIRST_RANK, which never changes.
unsafe impl Sync for Record {}

impl Record {
    #[inline]
    fn line_attacks(&self, occupied: u64, line: u64) -> u64 {
        let o = occupied & line;
        let down = o.swap_bytes().wrapping_sub(self.flipped_slider).swap_bytes();
        (o.wrapping_sub(self.slider) ^ down) & line
    }

    #[inline]
    fn rank_attacks(&self, occupied: u64) -> u64 {
        let inner = inner_squares(occupied, self.inner_field) as usize;
        // SAFETY: the row has a set for every number of six bits.
        u64::from(unsafe { *self.rank_sets.add(inner) }) << self.rank_start
    }
}

#[cfg(target_feature = "bmi1")]
#[inline]
fn inner_squares(occupied: u64, field: u64) -> u64 {
    // SAFETY: the target has BMI.
    unsafe { core::arch::x86_64::_bextr2_u64(occupied, field) }
}

#[cfg(not(target_feature = "bmi1"))]
#[inline]
fn inner_squares(occupied: u64, field: u64) -> u64 {
    (occupied >> (field % 64)) % 64
}

/// Element 64 * file + (occupancy of files b to g): the attacks along the first rank, one bit a file.
static FIRST_RANK: [u8; 512] = first_rank();

const fn first_rank() -> [u8; 512] {
    let mut sets = [0; 512];
    let mut i = 0;
    while i < 512 {
        let (file, occupied) = (i / 64, i as u64 % 64 * 2);
        sets[i] = (ray(file, 1, 0, occupied) | ray(file, -1, 0, occupied)) as u8;
        i += 1;
    }
    sets
}

static RECORDS: [Record; 64] = records(FIRST_RANK.as_ptr());

const fn records(first_rank: *const u8) -> [Record; 64] {
    let mut table = [record(first_rank, 0); 64];
    let mut s = 1;
    while s < 64 {
        table[s] = record(first_rank, s);
        s += 1;
    }
    table
}

const fn record(first_rank: *const u8, s: usize) -> Record {
    Record {
        diagonal: line(s, 1, 1),
        antidiagonal: line(s, -1, 1),
        file: line(s, 0, 1),
        slider: 1 << s,
        flipped_slider: (1 << 63) >> s,
        // SAFETY: the table has a row for each of the eight files.
        rank_sets: unsafe { first_rank.add(64 * (s % 8)) },
        inner_field: (s as u64 & 56) + 1 + 6 * 256,
        rank_start: s as u64 & 56,
    }
}

include!("parts/line.rs");
