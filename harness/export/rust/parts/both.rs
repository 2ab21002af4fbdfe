// SPDX-License-Identifier: MIT

/// The bishop's and the rook's set of one square.
#[inline]
pub fn both(square: usize, occupied: u64) -> (u64, u64) {
    (bishop(square, occupied), rook(square, occupied))
}
