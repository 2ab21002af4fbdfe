// SPDX-License-Identifier: MIT
//
// Kogge-Stone fill: the carry network of a fast adder, used to flood the board in three doubling steps instead of six.
//
//      g |= p & shift1(g)    p &= shift1(p)      reach 1, then p = runs of two empty squares
//      g |= p & shift2(g)    p &= shift2(p)      reach 3, then p = runs of four
//      g |= p & shift4(g)                        reach 7
//
// The cost does not depend on the number of sliders: `bishops` and `rooks` answer for a whole set of them at once;
// headers/kogge_stone.h explains it.
//
// Inventor: Steffan Westcott, Computer Chess Club, 15 September 2002; after P. Kogge and H. Stone's adder (1973). Source: G.
// Isenberg, Efficient Generation of Sliding Piece Attacks (Dresden 2008). Tables: none.
//
// Rust 2021. `let sliding = Sliding::new();` once, then `sliding.rook(square, occupied)`; squares: a1 = 0, h1 = 7, h8 = 63. The
// answer depends neither on the slider's own bit of the occupancy nor on squares off its lines; the first blocker of either
// colour is in it.
#![allow(dead_code, clippy::new_without_default, clippy::needless_range_loop)]

const NOT_A: u64 = 0xFEFEFEFEFEFEFEFE;
const NOT_H: u64 = 0x7F7F7F7F7F7F7F7F;

pub struct Sliding;

impl Sliding {
    /// Nothing to fill: here so that one module can take the place of another.
    pub fn new() -> Self {
        Sliding
    }

    #[inline(always)]
    pub fn bishop(&self, s: usize, occupied: u64) -> u64 {
        self.bishops(1 << (s & 63), occupied)
    }

    #[inline(always)]
    pub fn rook(&self, s: usize, occupied: u64) -> u64 {
        self.rooks(1 << (s & 63), occupied)
    }

    #[inline(always)]
    pub fn queen(&self, s: usize, occupied: u64) -> u64 {
        self.bishop(s, occupied) | self.rook(s, occupied)
    }

    /// What a whole set of bishops attacks.
    #[inline(always)]
    pub fn bishops(&self, sliders: u64, occupied: u64) -> u64 {
        up::<9>(sliders, !occupied, NOT_A)
            | up::<7>(sliders, !occupied, NOT_H)
            | down::<9>(sliders, !occupied, NOT_H)
            | down::<7>(sliders, !occupied, NOT_A)
    }

    /// What a whole set of rooks attacks.
    #[inline(always)]
    pub fn rooks(&self, sliders: u64, occupied: u64) -> u64 {
        up::<8>(sliders, !occupied, !0)
            | up::<1>(sliders, !occupied, NOT_A)
            | down::<8>(sliders, !occupied, !0)
            | down::<1>(sliders, !occupied, NOT_H)
    }
}

/// The squares that any of the sliders attacks in the direction of STEP squares, towards higher ones. `guard` are the squares on
/// which a step can rightly arrive: all but the file on which a wrapped one lands.
#[inline(always)]
fn up<const STEP: u32>(sliders: u64, empty: u64, guard: u64) -> u64 {
    let (mut g, mut p) = (sliders, empty & guard);
    g |= p & (g << STEP);
    p &= p << STEP;
    g |= p & (g << (2 * STEP));
    p &= p << (2 * STEP);
    g |= p & (g << (4 * STEP));
    (g << STEP) & guard
}

/// The same towards lower squares.
#[inline(always)]
fn down<const STEP: u32>(sliders: u64, empty: u64, guard: u64) -> u64 {
    let (mut g, mut p) = (sliders, empty & guard);
    g |= p & (g >> STEP);
    p &= p >> STEP;
    g |= p & (g >> (2 * STEP));
    p &= p >> (2 * STEP);
    g |= p & (g >> (4 * STEP));
    (g >> STEP) & guard
}
