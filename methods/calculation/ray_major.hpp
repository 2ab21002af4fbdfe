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
// What a ray does not have (past the edge) reads the slider's square, and no square takes it back. Between the two, a
// constant keeps the bishop's bytes, the rook's or all.
//
// The word by rays has more uses: a & g are the first blockers, and g without them gives what lies behind them (X-rays,
// pins) for four more instructions, without a second gather.
//
// Inventor: this project (2026), after the byte-board rays of 87flowers (2025), who permutes 64 bytes of pieces.
// Source: Intel's manual, VPSHUFBITQMB; https://87flowers.com for byte boards.
// Tables: 64 x 2 orders x 64 bytes = 8,192 bytes. Loads: 2, of 64 bytes. Relies on: AVX512_BITALG, and on the way from
// the mask registers to the general ones, which every query goes twice.
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

  static Bitboard bishop(Square s, Bitboard occupied) { return on_board(s, open_rays(s, occupied) & bishop_bytes); }
  static Bitboard rook(Square s, Bitboard occupied) { return on_board(s, open_rays(s, occupied) & rook_bytes); }
  static Bitboard queen(Square s, Bitboard occupied) {
    return on_board(s, open_rays(s, occupied) & (bishop_bytes | rook_bytes));
  }

  static BishopRook both(Square s, Bitboard occupied) {
    const Bitboard open = open_rays(s, occupied);
    return {on_board(s, open & bishop_bytes), on_board(s, open & rook_bytes)};
  }

 private:
  static constexpr Bitboard first_squares = 0x0101010101010101;
  static constexpr Bitboard sentinels = 0x8080808080808080;
  // The bytes in the order of Direction, without the sentinels.
  static constexpr Bitboard rook_bytes = 0x00007F7F00007F7F;
  static constexpr Bitboard bishop_bytes = 0x7F7F00007F7F0000;

  struct alignas(64) Order {
    std::uint8_t bit[64];
  };

  /// Element 2 * square: for each bit of the word by rays the square that it comes from; the one after it: for each
  /// square the bit of that word that it takes, 63, a sentinel, for those on no ray.
  static constexpr Table<Order, 64 * 2> orders = [] {
    Table<Order, 64 * 2> table;
    for (Square s = 0; s < 64; ++s) {
      std::uint8_t* const from = table.data[2 * s].bit;
      std::uint8_t* const to = table.data[2 * s + 1].bit;
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

  /// The word by rays: in each byte the squares up to the first blocker, and in some the sentinel.
  static Bitboard open_rays(Square s, Bitboard occupied) {
    const Bitboard rays = shuffled(occupied, orders.load512(std::size_t{2} * s)) | sentinels;
    return rays ^ (rays - first_squares);
  }

  static Bitboard on_board(Square s, Bitboard rays) { return shuffled(rays, orders.load512(std::size_t{2} * s + 1)); }

  /// The word whose bit i is bit order[i] of `bits`.
  static Bitboard shuffled(Bitboard bits, __m512i order) {
    return _mm512_bitshuffle_epi64_mask(_mm512_set1_epi64(static_cast<long long>(bits)), order);
  }

 public:
  static constexpr std::array tables{table_info("orders", orders)};
};

}  // namespace slidebench
