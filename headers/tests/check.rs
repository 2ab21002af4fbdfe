// SPDX-License-Identifier: MIT
//
// Compares the module `sliding` with a walk over the board, on every square and every subset of the lines. test_headers.py puts the
// two lines that name the module before it.

fn naive(s: usize, occupied: u64, steps: &[(i32, i32)]) -> u64 {
    let mut attacks = 0;
    for &(file_step, rank_step) in steps {
        let (mut file, mut rank) = (s as i32 % 8 + file_step, s as i32 / 8 + rank_step);
        while (0..8).contains(&file) && (0..8).contains(&rank) {
            attacks |= 1 << (8 * rank + file);
            if occupied >> (8 * rank + file) & 1 == 1 {
                break;
            }
            file += file_step;
            rank += rank_step;
        }
    }
    attacks
}

fn main() {
    const ROOK: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    const BISHOP: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
    let sliding = sliding::Sliding::new();
    let mut compared = 0;
    for s in 0..64 {
        for steps in [ROOK, BISHOP] {
            let lines = naive(s, 0, &steps);
            let mut subset = 0u64;
            loop {
                for occupied in [subset, subset | !lines] {
                    let (rook, bishop) = (naive(s, occupied, &ROOK), naive(s, occupied, &BISHOP));
                    assert_eq!(sliding.rook(s, occupied), rook, "rook on {s}, {occupied:#x}");
                    assert_eq!(sliding.bishop(s, occupied), bishop, "bishop on {s}, {occupied:#x}");
                    assert_eq!(sliding.queen(s, occupied), rook | bishop, "queen on {s}, {occupied:#x}");
                    compared += 1;
                }
                subset = subset.wrapping_sub(lines) & lines;
                if subset == 0 {
                    break;
                }
            }
        }
    }
    println!("right on {compared} occupancies");
}
