// SPDX-License-Identifier: MIT

/// The squares that a bishop attacks, the first blocker of each ray among them.
#[inline]
pub fn bishop(square: usize, occupied: u64) -> u64 {
    diagonal(1 << (square % 64), !occupied)
}

/// The squares that a rook attacks.
#[inline]
pub fn rook(square: usize, occupied: u64) -> u64 {
    orthogonal(1 << (square % 64), !occupied)
}

include!("parts/queen.rs");
include!("parts/both.rs");

/// The union of the attacks of many sliders; queens stand in both sets.
#[inline]
pub fn set_attacks(diagonal_sliders: u64, orthogonal_sliders: u64, occupied: u64) -> u64 {
    diagonal(diagonal_sliders, !occupied) | orthogonal(orthogonal_sliders, !occupied)
}

#[inline]
fn diagonal(sliders: u64, empty: u64) -> u64 {
    fill::<9>(sliders, empty) | fill::<7>(sliders, empty) | fill::<-9>(sliders, empty) | fill::<-7>(sliders, empty)
}

#[inline]
fn orthogonal(sliders: u64, empty: u64) -> u64 {
    fill::<8>(sliders, empty) | fill::<1>(sliders, empty) | fill::<-8>(sliders, empty) | fill::<-1>(sliders, empty)
}

/// The squares attacked by any of the sliders in one direction: `STEP` is the next square less the square.
#[inline]
fn fill<const STEP: i32>(sliders: u64, empty: u64) -> u64 {
    let guard = match STEP & 7 {
        1 => !0x0101_0101_0101_0101, // to the east nothing arrives on the a-file
        7 => !0x8080_8080_8080_8080, // to the west nothing on the h-file
        _ => !0,
    };
    let mut g = sliders;
    let mut p = empty & guard;
    g |= p & shift(g, STEP);
    p &= shift(p, STEP);
    g |= p & shift(g, 2 * STEP);
    p &= shift(p, 2 * STEP);
    g |= p & shift(g, 4 * STEP);
    shift(g, STEP) & guard
}

#[inline]
fn shift(squares: u64, by: i32) -> u64 {
    if by > 0 {
        squares << by
    } else {
        squares >> -by
    }
}
