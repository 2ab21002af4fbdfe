// SPDX-License-Identifier: MIT
//
// Compares an exported module with an oracle of its own: every square with every subset of the squares that matter, noise
// on the others and the slider's own bit both ways. test_rust.py says by --cfg what the module offers.

use sliding_attacks::sliding;

type Steps = [(i32, i32); 4];
const BISHOP: Steps = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
const ROOK: Steps = [(0, 1), (1, 0), (0, -1), (-1, 0)];

fn walk(steps: &Steps, square: usize, occupied: u64) -> u64 {
    let mut attacks = 0;
    for (files, ranks) in steps {
        let (mut file, mut rank) = (square as i32 % 8 + files, square as i32 / 8 + ranks);
        while (0..8).contains(&file) && (0..8).contains(&rank) {
            let next = 1u64 << (8 * rank + file);
            attacks |= next;
            if occupied & next != 0 {
                break;
            }
            file += files;
            rank += ranks;
        }
    }
    attacks
}

/// The squares on which a blocker changes the attacks.
fn relevant(steps: &Steps, square: usize) -> u64 {
    let changes = |blocker: &u64| walk(steps, square, *blocker) != walk(steps, square, 0);
    (0..64).map(|t| 1 << t).filter(changes).sum()
}

/// xorshift64* (S. Vigna, 2016).
struct Noise(u64);

impl Noise {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
}

/// Squares count modulo 64.
fn check_queries(square: usize, occupied: u64) {
    let (bishop, rook) = (walk(&BISHOP, square, occupied), walk(&ROOK, square, occupied));
    for s in [square, square + 64] {
        let asked = (sliding::bishop(s, occupied), sliding::rook(s, occupied));
        assert_eq!(asked, (bishop, rook), "bishop and rook on {s}, occupied {occupied:#018x}");
        assert_eq!(sliding::queen(s, occupied), bishop | rook, "queen on {s}, occupied {occupied:#018x}");
        assert_eq!(sliding::both(s, occupied), (bishop, rook), "both on {s}, occupied {occupied:#018x}");
    }
}

/// Returns how many occupancies were asked.
fn check_square(square: usize, noise: &mut Noise) -> usize {
    let slider = 1 << square;
    let mut asked = 0;
    for steps in [&BISHOP, &ROOK] {
        let mask = relevant(steps, square);
        let mut subset = 0u64;
        loop {
            let occupied = subset | (noise.word() & !mask & !slider);
            check_queries(square, occupied);
            check_queries(square, occupied | slider);
            asked += 2;
            subset = subset.wrapping_sub(mask) & mask;
            if subset == 0 {
                break;
            }
        }
    }
    asked
}

#[cfg(has_sets)]
fn check_sets(noise: &mut Noise) {
    let squares = |set: u64| (0..64).filter(move |s| set >> s & 1 != 0);
    for _ in 0..10_000 {
        let occupied = noise.word() & noise.word();
        let (diagonal, orthogonal) = (occupied & noise.word(), occupied & noise.word());
        let bishops = squares(diagonal).fold(0, |union, s| union | walk(&BISHOP, s, occupied));
        let expected = squares(orthogonal).fold(bishops, |union, s| union | walk(&ROOK, s, occupied));
        let sets = sliding::set_attacks(diagonal, orthogonal, occupied);
        assert_eq!(sets, expected, "set_attacks, occupied {occupied:#018x}");
    }
}

fn main() {
    #[cfg(has_init)]
    sliding::init();
    let mut noise = Noise(0x9E37_79B9_7F4A_7C15);
    let asked: usize = (0..64).map(|square| check_square(square, &mut noise)).sum();
    #[cfg(has_sets)]
    check_sets(&mut noise);
    println!("right on {asked} occupancies");
}
