// SPDX-License-Identifier: MIT
include!("parts/rays.rs");

/// The line through `square`, without it.
const fn line(square: usize, files: i32, ranks: i32) -> u64 {
    ray(square, files, ranks, 0) | ray(square, -files, -ranks, 0)
}
