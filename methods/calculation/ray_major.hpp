// SPDX-License-Identifier: MIT
//
// Ray-major bit shuffle: reorder the board so that each ray is a byte, find eight blockers by one subtraction, and
// reorder back.
//
// VPSHUFBITQMB picks 64 bits of a word in any order, one control byte a bit. The first shuffle gathers the eight rays
// of the slider, each in a byte of its own, the neighbouring square lowest:
//
//      byte d of g     bit 7       6 . . 3     2      1      0
//                      sentinel    . . .       third  second first square of ray d
//
// Every byte ends in a sentinel, so that no borrow leaves it, and all eight first blockers are found together:
//
//      a = g ^ (g - 0x0101010101010101)        in each byte the squares up to and including the lowest bit of g
//
// The second shuffle puts every square of a ray back on its place; squares on no ray take a bit that is always zero.
// What a ray does not have (past the edge) reads the slider's square, and no square takes it back.
//
// Between the shuffles the answer is a word by rays: a & g are the first blockers, and g without them gives what lies
// behind them (X-rays, pins) for four more instructions, without a second gather.
//
// Inventor: this project (2026), after the byte-board rays of 87flowers (2025), who permutes 64 bytes of pieces.
// Source: Intel's manual, VPSHUFBITQMB; https://87flowers.com for byte boards.
// Tables: 64 x 2 orders x 64 bytes + 64 x 2 masks x 8 bytes = 9,216 bytes. Loads: 2, of 64 bytes, and the masks (1 for
// a piece, 2 for both, none for a queen). Relies on: AVX512_BITALG, and the way from the mask registers to the general
// ones, which every query goes twice: its throughput is good, its latency is not.
#pragma once

#if !defined(__AVX512BITALG__) || !defined(__AVX512BW__)
#error "ray_major needs AVX-512 BITALG and BW: compile for x86-64-v4 with -mavx512bitalg"
#endif

#include <immintrin.h>

#include "methods/method.hpp"

namespace slidebench {

struct RayMajor {
  static constexpr MethodInfo info{.id = "ray_major",
                                   .title = "Ray-major bit shuffle (AVX-512)",
                                   .family = "calculation",
                                   .inventor = "slidebench, after 87flowers",
                                   .year = 2026,
                                   .reference = "methods/calculation/ray_major.hpp",
                                   .requires_isa = Isa::avx512f | Isa::avx512bw | Isa::avx512bitalg};

  static Bitboard bishop(Square s, Bitboard occupied) { return queen(s, occupied) & lines.member(s, &Lines::bishop); }
  static Bitboard rook(Square s, Bitboard occupied) { return queen(s, occupied) & lines.member(s, &Lines::rook); }

  static Bitboard queen(Square s, Bitboard occupied) {
    const Bitboard rays = shuffled(occupied, orders.load512(std::size_t{128} * s)) | sentinels;
    const Bitboard open = (rays ^ (rays - first_squares)) & ~sentinels;
    return shuffled(open, orders.load512(std::size_t{128} * s + 64));
  }

  static BishopRook both(Square s, Bitboard occupied) {
    const Bitboard attacks = queen(s, occupied);
    return {attacks & lines.member(s, &Lines::bishop), attacks & lines.member(s, &Lines::rook)};
  }

 private:
  static constexpr Bitboard first_squares = 0x0101010101010101;
  static constexpr Bitboard sentinels = 0x8080808080808080;

  /// Element 128 * square: for each bit of the word by rays the square that it comes from; then for each square the bit
  /// of that word that it takes, 63, a sentinel, for those on no ray.
  static constexpr Table<std::uint8_t, 64 * 128> orders = [] {
    Table<std::uint8_t, 64 * 128> table;
    for (Square s = 0; s < 64; ++s) {
      std::uint8_t* const from = table.data + 128 * s;
      std::uint8_t* const to = from + 64;
      for (unsigned i = 0; i < 64; ++i) {
        from[i] = static_cast<std::uint8_t>(s);
        to[i] = 63;
      }
      for (unsigned d = 0; d < 8; ++d) {
        unsigned place = 8 * d;
        for (Bitboard b = step(bit(s), static_cast<Direction>(d)); b != 0; b = step(b, static_cast<Direction>(d))) {
          const Square t = lowest_square(b);
          from[place] = static_cast<std::uint8_t>(t);
          to[t] = static_cast<std::uint8_t>(place++);
        }
      }
    }
    return table;
  }();

  struct Lines {
    Bitboard bishop;
    Bitboard rook;
  };

  static constexpr Table<Lines, 64> lines = [] {
    Table<Lines, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {diagonal_mask(s) | antidiagonal_mask(s), file_mask(s) | rank_mask(s)};
    }
    return table;
  }();

  /// The word whose bit i is bit order[i] of `bits`.
  static Bitboard shuffled(Bitboard bits, __m512i order) {
    return _mm512_bitshuffle_epi64_mask(_mm512_set1_epi64(static_cast<long long>(bits)), order);
  }

 public:
  static constexpr std::array tables{table_info("orders", orders), table_info("lines", lines)};
};

}  // namespace slidebench
