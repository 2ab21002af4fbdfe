// SPDX-License-Identifier: MIT
//
// Black magic: multiply the occupancy with everything that does not matter switched on, and let the squares' arrays
// overlap.
//
//      (occupied | ~mask) * factor >> 52 (rook) or >> 55 (bishop)  =  an index from the square's first slot
//
// Many slots of an array that is indexed by a hash stay empty. With factors chosen for it, the arrays of different
// squares interleave, each in the holes of the others: 85,832 slots instead of 107,648. What is or-ed in moves the
// indices of a square around the circle of slots, which lets them be packed more tightly than with the other squares
// switched off.
//
// Inventors: Volker Annuss and Niklas Fiekas (CCC, 2016 and 2017). Source: github.com/niklasf/magics. The factors are
// slidebench's. Tables: 690,752 bytes. Needs: nothing.
//
// C11 and C++17, for GCC and Clang. In one source file, define SLIDING_IMPLEMENTATION before the include; call
// sliding_init() once, before the first query. Squares: a1 = 0, h1 = 7, h8 = 63. The answer depends neither on the
// slider's own bit of the occupancy nor on squares off its lines; the first blocker of either colour is in it.
#pragma once

#include <assert.h>
#include <stdint.h>

typedef struct {
  uint64_t* sets;   // where the square's array begins in the common table
  uint64_t others;  // the squares that do not matter
  uint64_t factor;
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

static inline uint64_t sliding_look_up(const sliding_record* r, unsigned bits, uint64_t occupied) {
  assert(r->sets && "call sliding_init() first");
  return r->sets[((occupied | r->others) * r->factor) >> (64 - bits)];
}

static inline uint64_t sliding_bishop(unsigned s, uint64_t occupied) {
  return sliding_look_up(&sliding_squares[s].bishop, 9, occupied);
}

static inline uint64_t sliding_rook(unsigned s, uint64_t occupied) {
  return sliding_look_up(&sliding_squares[s].rook, 12, occupied);
}

static inline uint64_t sliding_queen(unsigned s, uint64_t occupied) {
  return sliding_bishop(s, occupied) | sliding_rook(s, occupied);
}

#ifdef SLIDING_IMPLEMENTATION

typedef struct {
  uint64_t factor;
  unsigned first;  // the square's first slot
} sliding_factor;

// clang-format off
static const sliding_factor sliding_bishop_factors[64] = {
    {0xFFF52FFDFE5FBFFF, 9179}, {0xBC50DBFFDF7FFF15, 1393}, {0xD604001780004D51, 3925}, {0xD5C1FF8007314082, 934},
    {0x47E0FE3FF82D6EB3, 3036}, {0xED2F8044001A084A, 1861}, {0x44A5188202001028, 1094}, {0xC792007FA4020006, 3178},
    {0xF9D802F7FDFF7FFE, 37}, {0xFD02009FCFD003E8, 4646}, {0xFFFDF7FCEF3FFE9A, 3091}, {0xAA3D42008071577F, 575},
    {0xC8BDC0808083A094, 4671}, {0xC506908044002A90, 805}, {0xDFC290FF7EBC000F, 2305}, {0xDF81084040790016, 3733},
    {0x81A80196F7F80003, 1253}, {0xA6C7FF7E051C007F, 177}, {0x5F50037D4783A801, 11604}, {0x7060800040017FBE, 20526},
    {0xF8202FFFE70023C3, 21294}, {0x9B07002200588019, 8161}, {0xF79DFFFF7F00FFFC, 2965}, {0xE0A85BAFBFDE0100, 2913},
    {0xC7BE87FB76420401, 2613}, {0x9986021102E25100, 83}, {0x55A80F7E80F80002, 19183}, {0xC080201144010020, 60053},
    {0x06E1FFE001FE7FD5, 33117}, {0xF83840181FF3C00E, 19697}, {0xF2F02008004FBFF3, 6100}, {0xAFEA003FD37FBFDF, 376},
    {0xCFA007FD24FC0406, 298}, {0xF7CFFD6E573C0100, 15}, {0x3D5FFDA805CFFF29, 8667}, {0xA2F3FE7F7FA7FE00, 33608},
    {0x1BFFDC0BFFFC3F00, 59556}, {0x58C00FB87BFFF000, 19311}, {0x6FC802FFC038FF1E, 3667}, {0xFFFFFDBEFEDBF7F8, 5240},
    {0xDC200102D93187FF, 458}, {0x9C4000FE4CDC8800, 1642}, {0xDA930001FF0B0081, 21678}, {0xDDA02800FFBE7A00, 20926},
    {0x3588801807F82100, 20086}, {0xFFFFF7FC0BFBCFE0, 20079}, {0x6C00042421821F40, 2053}, {0xB1800280AC4167E0, 1157},
    {0xCC8FFF8304848946, 2070}, {0xFCE7FFC020220077, 3814}, {0xCC00486031009413, 3562}, {0xC90001740101030B, 5559},
    {0xEED763E0003F00A9, 3183}, {0x5304BE4403FFE133, 3439}, {0xFFFE7FFF5FBFF833, 5530}, {0xEFBFFD00803F254F, 1656},
    {0x8D140041005207C5, 11274}, {0xDCA003FFBF8302CB, 2534}, {0xC10100B400A20102, 5831}, {0xD7A0041029FF8201, 1064},
    {0xC8A0030A88008022, 4687}, {0xF4000B7D001F7024, 5462}, {0x6E0304000D011082, 2245}, {0xEE7E7FFF2FA7CC46, 7523},
};
static const sliding_factor sliding_rook_factors[64] = {
    {0x80800091ECC00001, 0}, {0xA004010201098001, 39783}, {0x55FFFB15D5F5FFFF, 15069}, {0xCA00024A00844001, 44673},
    {0x8050028010500023, 57525}, {0x7FD7FEB8009FFFD8, 51130}, {0x7FA7FFA7FB3C0004, 25591}, {0x3FF0004748220010, 4050},
    {0xAE0028010114000A, 36433}, {0x9700140101990005, 34465}, {0xFFFEFFFAEF3EFFFF, 8176}, {0x1D6A000244443FFF, 54177},
    {0xFFFFCFFE3FCFFFF1, 26795}, {0xD0001800C0006018, 12239}, {0x8C80180597D00018, 62127}, {0x7CB9FFFE264BFFEE, 48774},
    {0xCF2FFFE7FEF3FFFD, 39162}, {0xD5FD000BFF05FFFC, 63014}, {0xB343800DFEBE3FFE, 74807}, {0xFFFDFFDFFB9F9FFF, 60942},
    {0x2D81000603F80006, 64305}, {0xDC077FF81FC0FFF8, 23213}, {0x5E4B000544057DFE, 79322}, {0xCA8B7FFA4BDF0040, 68653},
    {0xE7BFE0000FF7FFF6, 13001}, {0xEBEFFE0007FBFFFB, 29589}, {0xFFFBFDFFF7FEFFF8, 24233}, {0xBCBC47FFFA006006, 64194},
    {0xFF9F9EFFF9FFD006, 29143}, {0xBF5E677FF9FF0006, 79366}, {0xAA043B0004987FC0, 69900}, {0xC29E6081FFF037E7, 19150},
    {0x9700091800300034, 25259}, {0xB380020600180049, 77525}, {0x8379FFFE06000BE8, 15070}, {0xAA2063F800060006, 66203},
    {0x8D80F80C00060006, 68806}, {0x6FDC7B03FFFA0406, 64367}, {0xCFFBFB007FFB6840, 67838}, {0xD5EC0DE17FFA0640, 31128},
    {0x6F0001FD52802800, 34102}, {0xBC000111FD000C00, 72674}, {0xEEC000205B802000, 4914}, {0xC6A120007F006004, 73832},
    {0xD46050003E805005, 83875}, {0x76600FFFE03FCFFF, 60502}, {0x7797FFF9C8005804, 75326}, {0xFDF80003F5FF57FF, 37737},
    {0xD2000203D7140028, 41308}, {0x7C00078820104008, 79219}, {0xE900007A7C808028, 83182}, {0x03BDFFFF7D057600, 15084},
    {0xDAB0000F101F8050, 84867}, {0x6B6FFFF7E8643FF8, 76696}, {0xFDF80007F66FFFB8, 76345}, {0xD5DE000053D7FFD8, 43366},
    {0x7F0001E201D9C79A, 54148}, {0x2739FFFF18FF14F6, 54149}, {0xBC0000807EF6FA3F, 48769}, {0x1FC5FFFF8276846E, 44677},
    {0x63FA00003CBBB7BE, 15054}, {0x02AA000022E163E2, 44705}, {0x03B3FFF7F8208C4C, 48779}, {0x01560000AC009D2A, 8146},
};
// clang-format on

static uint64_t sliding_sets[85832];
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

static void sliding_fill(sliding_record* r, unsigned s, unsigned line, sliding_factor f, unsigned bits) {
  const uint64_t mask = sliding_relevant(s, line);
  r->sets = sliding_sets + f.first;
  r->others = ~mask;
  r->factor = f.factor;
  uint64_t occupied = 0;
  do {
    r->sets[((occupied | r->others) * r->factor) >> (64 - bits)] = sliding_slow(s, occupied, line);
    occupied = (occupied - mask) & mask;  // the next subset of the mask
  } while (occupied != 0);
}

void sliding_init(void) {
  for (unsigned s = 0; s < 64; ++s) {
    sliding_fill(&sliding_squares[s].bishop, s, 2, sliding_bishop_factors[s], 9);
    sliding_fill(&sliding_squares[s].rook, s, 0, sliding_rook_factors[s], 12);
  }
}

#endif  // SLIDING_IMPLEMENTATION
