// SPDX-License-Identifier: MIT

/// Element 8 * (occupancy of files b to g) + file: the attacks along the first rank, one bit a file.
static FIRST_RANK: [u8; 512] = first_rank();

const fn first_rank() -> [u8; 512] {
    let mut sets = [0; 512];
    let mut i = 0;
    while i < 512 {
        let occupied = i as u64 / 8 * 2;
        sets[i] = (ray(i % 8, 1, 0, occupied) | ray(i % 8, -1, 0, occupied)) as u8;
        i += 1;
    }
    sets
}
