// SPDX-License-Identifier: MIT
//
// Fancy magic bitboards: multiply the relevant occupancy by a magic factor, and its top bits are an index.
//
//      (occupied & mask) * factor >> (64 - n)  =  the index of the finished attack set
//
// Each square has an array of its own size, 2^n for n relevant squares, in one table; headers/magic_fancy.h explains it.
//
// Inventors: Lasse Hansen (2006), Pradu Kannan (individual sizes, 2006). Source: P. Kannan, Magic Move-Bitboard Generation in
// Computer Chess, 2007. The factors are slidebench's. Tables: 865,280 bytes.
//
// Rust 2021. `let sliding = Sliding::new();` once, then `sliding.rook(square, occupied)`; squares: a1 = 0, h1 = 7, h8 = 63. The
// answer depends neither on the slider's own bit of the occupancy nor on squares off its lines; the first blocker of either
// colour is in it.
#![allow(dead_code, clippy::new_without_default, clippy::needless_range_loop)]

#[derive(Clone, Copy, Default)]
struct Record {
    mask: u64,
    factor: u64,
    first: usize, // where the square's own array begins
    shift: u32,   // 64 - n
}

#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Square {
    bishop: Record,
    rook: Record,
}

pub struct Sliding {
    squares: [Square; 64],
    sets: Vec<u64>,
}

impl Sliding {
    pub fn new() -> Self {
        let mut tables = Sliding { squares: [Square::default(); 64], sets: Vec::with_capacity(102_400 + 5_248) };
        for s in 0..64 {
            tables.squares[s].rook = tables.fill(s, 0, ROOK_FACTORS[s]);
        }
        for s in 0..64 {
            tables.squares[s].bishop = tables.fill(s, 2, BISHOP_FACTORS[s]);
        }
        tables
    }

    #[inline(always)]
    pub fn bishop(&self, s: usize, occupied: u64) -> u64 {
        self.look_up(&self.squares[s & 63].bishop, occupied)
    }

    #[inline(always)]
    pub fn rook(&self, s: usize, occupied: u64) -> u64 {
        self.look_up(&self.squares[s & 63].rook, occupied)
    }

    #[inline(always)]
    pub fn queen(&self, s: usize, occupied: u64) -> u64 {
        self.bishop(s, occupied) | self.rook(s, occupied)
    }

    #[inline(always)]
    fn look_up(&self, r: &Record, occupied: u64) -> u64 {
        let index = (occupied & r.mask).wrapping_mul(r.factor) >> r.shift;
        // SAFETY: the index has n bits, and fill() made room for 2^n sets from `first` on.
        unsafe { *self.sets.get_unchecked(r.first + index as usize) }
    }

    /// Appends the sets of a piece on a square.
    fn fill(&mut self, s: usize, line: usize, factor: u64) -> Record {
        let mask = relevant(s, line);
        let r = Record { mask, factor, first: self.sets.len(), shift: 64 - mask.count_ones() };
        self.sets.resize(r.first + (1 << mask.count_ones()), 0);
        let mut occupied = 0u64;
        loop {
            self.sets[r.first + (occupied.wrapping_mul(factor) >> r.shift) as usize] = slow(s, occupied, line);
            occupied = occupied.wrapping_sub(mask) & mask; // the next subset of the mask
            if occupied == 0 {
                return r;
            }
        }
    }
}

/// The squares along one line that a slider on `s` reaches: line 0 is the file, 1 the rank, 2 the diagonal, 3 the antidiagonal.
fn walk(s: usize, occupied: u64, line: usize) -> u64 {
    let (file_step, rank_step) = [(0, 1), (1, 0), (1, 1), (-1, 1)][line];
    let mut reached = 0;
    for way in [-1, 1] {
        let (mut file, mut rank) = ((s & 7) as i32, (s >> 3) as i32);
        loop {
            file += way * file_step;
            rank += way * rank_step;
            if (file | rank) & !7 != 0 {
                break;
            }
            let square = 1 << (8 * rank + file);
            reached |= square;
            if occupied & square != 0 {
                break;
            }
        }
    }
    reached
}

/// What a piece attacks: a rook along lines 0 and 1, a bishop along 2 and 3; `line` is the first of them.
fn slow(s: usize, occupied: u64, line: usize) -> u64 {
    walk(s, occupied, line) | walk(s, occupied, line + 1)
}

/// The squares whose occupancy matters: what a piece attacks on the empty board, but for the ends of its lines.
fn relevant(s: usize, line: usize) -> u64 {
    let ranks = 0xFF000000000000FF & !(0xFF << (s & 56));
    let files = 0x8181818181818181 & !(0x0101010101010101 << (s & 7));
    slow(s, 0, line) & !(ranks | files)
}

#[rustfmt::skip]
const BISHOP_FACTORS: [u64; 64] = [
    0x0008080860802200, 0x001001820C024204, 0x0121080900430100, 0x02110410802940A2,
    0x8204242040000008, 0x0121018840800005, 0x25C8821002200440, 0x0400104808041002,
    0x0800080801481200, 0x00002008060042D4, 0x0525101420802000, 0x8048080618408608,
    0x9002220210900180, 0x0020008860880000, 0x0408304504606080, 0x01004A0282482201,
    0x0840082048023080, 0x9010010410820040, 0x400400280C242200, 0x2008020082004261,
    0x1002003012100000, 0x0020820808140200, 0x1002010400A40441, 0x4001C00304008480,
    0x4022101060041011, 0x0114A00002020402, 0x0800480010048010, 0x4604040020110010,
    0x3009004423004000, 0x0209060101004100, 0x0C00940000820840, 0x004A120000410084,
    0x8802092000400200, 0x0040D80804200200, 0x0280802084040800, 0xC040208020080200,
    0x0001050104140040, 0x4400880200004122, 0x08040802212284A8, 0x01444C0080802481,
    0x0001282240001084, 0x80008088E0000808, 0x0003040022048408, 0x1080226015040800,
    0x0280044102100400, 0x0028300280220200, 0x80C8102088810201, 0x4084880041020441,
    0x9041A80108606008, 0x0400920801040028, 0x0610161052080C98, 0x0060210220884808,
    0x0008402004240380, 0x9063081001220089, 0x42041014C80C80C0, 0x0020240122062000,
    0x0102260104200202, 0x0010060511084E38, 0x0000A21300511004, 0x0000020810420220,
    0x8020200530CA0224, 0xC000088882080210, 0x441CC0087224A213, 0x20240130220C8100,
];
#[rustfmt::skip]
const ROOK_FACTORS: [u64; 64] = [
    0x008000201080400C, 0x2340004010022000, 0x1100082001001040, 0x02000420400A0010,
    0x8100020800041100, 0x01000C0041002618, 0x1400080081021004, 0x8200028202410424,
    0x0441002080010041, 0x0003004005008020, 0x0401002001004010, 0x9041001001020820,
    0x2002800800040080, 0x0062001409700200, 0x0000808001000200, 0x0112000080410402,
    0x1240008001A45280, 0x0010084010200040, 0x00A0808010002004, 0x0000808008001000,
    0x4004050010280100, 0x8808808002000400, 0x0400140010024128, 0x0011020000488409,
    0x00800048400C2000, 0x0C006000C0100040, 0x0200110100200840, 0x0220080080801000,
    0x0005001300180004, 0x5024010040020040, 0x0020304400980102, 0x0102004200012094,
    0x4080002000400040, 0x0010004008402008, 0x0000802000801004, 0x0140100A02002040,
    0x0008800800800400, 0x8508040080800200, 0x1100422804009001, 0x0220800040800100,
    0x0000400080208000, 0x0000844001090020, 0x0410008020008018, 0x2090010080080800,
    0x092C040008008080, 0x0012000204008080, 0x7001011008040002, 0x1000008041020004,
    0x4080042000400840, 0x0200842000400880, 0x09858141B2006200, 0x0110000801801180,
    0x0201001004080100, 0x0405000208840100, 0x2002D00201080400, 0x0408240089114200,
    0x0005645041018001, 0x0008400020150281, 0x8005002001108A41, 0x0200081000200501,
    0x6108000535000811, 0x4802002144100822, 0x0800102801009204, 0x00020C44840D0022,
];
