// SPDX-License-Identifier: MIT

/// The squares in one direction, `square` excluded, up to and including the first blocker.
const fn ray(square: usize, files: i32, ranks: i32, occupied: u64) -> u64 {
    let (mut file, mut rank, mut squares) = (square as i32 % 8 + files, square as i32 / 8 + ranks, 0);
    while (file | rank) & !7 == 0 && squares & occupied == 0 {
        squares |= 1 << (8 * rank + file);
        file += files;
        rank += ranks;
    }
    squares
}
