// SPDX-License-Identifier: MIT

/// The rays of a square: two of the bishop and two of the rook that lead up, then those that lead down.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Rays([u64; 8]);

static RAYS: [Rays; 64] = rays();

const fn rays() -> [Rays; 64] {
    let up = [(1, 1), (-1, 1), (1, 0), (0, 1)];
    let mut table = [Rays([0; 8]); 64];
    let mut i = 0;
    while i < 64 * 4 {
        let (s, (files, ranks)) = (i / 4, up[i % 4]);
        table[s].0[i % 4] = ray(s, files, ranks, 0);
        table[s].0[4 + i % 4] = ray(s, -files, -ranks, 0);
        i += 1;
    }
    table
}

include!("parts/rays.rs");
