// SPDX-License-Identifier: MIT
//
// Fancy magic bitboards: multiply the relevant occupancy by a magic factor, and its top bits are an index.
//
// Mask out the squares whose occupancy matters (10 to 12 for a rook, 5 to 9 for a bishop). A good factor mixes all of
// them into the top n bits of the product, such that two occupancies with different attacks never share them:
//
//      (occupied & mask) * factor >> (64 - n)  =  the index of the finished attack set
//
// Each square has an array of its own size, 2^n for n relevant squares, in one table.
//
// Inventors: Lasse Hansen (2006), Pradu Kannan (individual sizes, 2006). Source: P. Kannan, Magic Move-Bitboard
// Generation in Computer Chess, 2007. The factors are slidebench's. Tables: 865,280 bytes. Needs: nothing.
//
// C11 and C++17, for GCC and Clang. In one source file, define SLIDING_IMPLEMENTATION before the include; call
// sliding_init() once, before the first query. Squares: a1 = 0, h1 = 7, h8 = 63. The answer depends neither on the
// slider's own bit of the occupancy nor on squares off its lines; the first blocker of either colour is in it.
#pragma once

#include <assert.h>
#include <stdint.h>

typedef struct {
  uint64_t mask;
  uint64_t factor;
  uint64_t* sets;  // the square's own array, a part of the common table
  uint64_t shift;  // 64 - n
} sliding_record;

typedef struct {
  sliding_record bishop, rook;
} __attribute__((aligned(64))) sliding_square;

#ifdef __cplusplus
extern "C" {
#endif
extern sliding_square sliding_squares[64];
void sliding_init(void);
#ifdef __cplusplus
}
#endif

static inline uint64_t sliding_look_up(const sliding_record* r, uint64_t occupied) {
  assert(r->sets && "call sliding_init() first");
  return r->sets[((occupied & r->mask) * r->factor) >> r->shift];
}

static inline uint64_t sliding_bishop(unsigned s, uint64_t occupied) {
  return sliding_look_up(&sliding_squares[s].bishop, occupied);
}

static inline uint64_t sliding_rook(unsigned s, uint64_t occupied) {
  return sliding_look_up(&sliding_squares[s].rook, occupied);
}

static inline uint64_t sliding_queen(unsigned s, uint64_t occupied) {
  return sliding_bishop(s, occupied) | sliding_rook(s, occupied);
}

#ifdef SLIDING_IMPLEMENTATION

// clang-format off
static const uint64_t sliding_bishop_factors[64] = {
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
};
static const uint64_t sliding_rook_factors[64] = {
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
};
// clang-format on

static uint64_t sliding_sets[102400 + 5248];
sliding_square sliding_squares[64];

// The squares along one line that a slider on s reaches: line 0 is the file, 1 the rank, 2 the diagonal, 3 the
// antidiagonal.
static uint64_t sliding_walk(unsigned s, uint64_t occupied, unsigned line) {
  static const int files[4] = {0, 1, 1, -1}, ranks[4] = {1, 0, 1, 1};
  uint64_t reached = 0;
  for (int way = -1; way <= 1; way += 2) {
    int file = (int)(s & 7) + way * files[line], rank = (int)(s >> 3) + way * ranks[line];
    for (; ((file | rank) & ~7) == 0; file += way * files[line], rank += way * ranks[line]) {
      const uint64_t square = (uint64_t)1 << (8 * rank + file);
      reached |= square;
      if (occupied & square) break;
    }
  }
  return reached;
}

// What a piece attacks: a rook along lines 0 and 1, a bishop along 2 and 3; `line` is the first of them.
static uint64_t sliding_slow(unsigned s, uint64_t occupied, unsigned line) {
  return sliding_walk(s, occupied, line) | sliding_walk(s, occupied, line + 1);
}

// The squares whose occupancy matters: what a piece attacks on the empty board, but for the ends of its lines.
static uint64_t sliding_relevant(unsigned s, unsigned line) {
  const uint64_t ranks = 0xFF000000000000FF & ~((uint64_t)0xFF << (s & 56));
  const uint64_t files = 0x8181818181818181 & ~((uint64_t)0x0101010101010101 << (s & 7));
  return sliding_slow(s, 0, line) & ~(ranks | files);
}

// Fills the array of a record that begins at `sets`; returns where it ends.
static uint64_t* sliding_fill(sliding_record* r, unsigned s, unsigned line, uint64_t factor, uint64_t* sets) {
  r->mask = sliding_relevant(s, line);
  r->factor = factor;
  r->sets = sets;
  r->shift = 64 - (unsigned)__builtin_popcountll(r->mask);
  uint64_t occupied = 0;
  do {
    sets[(occupied * factor) >> r->shift] = sliding_slow(s, occupied, line);
    occupied = (occupied - r->mask) & r->mask;  // the next subset of the mask
  } while (occupied != 0);
  return sets + ((uint64_t)1 << (64 - r->shift));
}

void sliding_init(void) {
  uint64_t* sets = sliding_sets;
  for (unsigned s = 0; s < 64; ++s) sets = sliding_fill(&sliding_squares[s].rook, s, 0, sliding_rook_factors[s], sets);
  for (unsigned s = 0; s < 64; ++s)
    sets = sliding_fill(&sliding_squares[s].bishop, s, 2, sliding_bishop_factors[s], sets);
}

#endif  // SLIDING_IMPLEMENTATION
