// SPDX-License-Identifier: MIT

/// The squares that a queen attacks.
#[inline]
pub fn queen(square: usize, occupied: u64) -> u64 {
    bishop(square, occupied) | rook(square, occupied)
}
