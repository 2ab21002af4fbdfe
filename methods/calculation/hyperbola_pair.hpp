// SPDX-License-Identifier: MIT
//
// Pair hyperbola: the occupancy and the occupancy with its bits reversed, side by side in one vector, made once.
//
// The subtraction of `hyperbola` finds the first blocker in one direction; the other direction is the same with the
// board reversed. hyperbola_bitreverse shows that two reversals serve all lines of a query. Here the first of them is
// part of the board, which keeps both halves as the lanes of one vector, and so each step is one for both directions:
//
//      lane        1                         0
//      board       occupancy, bits reversed  occupancy              square s goes to 63 - s, on ranks too
//      a line      ((board & mask) - bit) & mask, in both lanes     masks and bits of 63 - s and of s
//      lines       down, bits reversed       up                     OR over the lines of the piece
//      answer      up ^ reversed(down)                              once a query, however many lines
//
// What a line leaves unchanged beyond its blocker stands in both halves, and the last XOR removes it; the lines of a
// slider do not meet, so they can be united before. A queen takes twelve steps for her four lines and the same end.
// `both` puts the downward halves of bishop and rook into one vector, so that one end serves both answers.
//
// x86 reverses bits by PSHUFB: two look up the reversals of half-bytes, one turns the bytes round.
//
// Inventor: Aleks Peshkov (hyperbola with PSHUFB: CCC, 2007; engine petrel, with the board kept as a pair). The end
// that is common to bishop and rook is this project's.
// Source: github.com/AleksPeshkov/petrel, src/Hyperbola.hpp.
// Tables: 64 squares x 4 lines x 16 bytes of masks = 4,096, and 64 x 16 bytes of bits = 1,024; together 5,120 bytes.
// Loads: bishop 3, rook 3, queen 5, of 16 bytes each, and the board. Relies on: SSSE3.
#pragma once

#ifndef __SSSE3__
#error "hyperbola_pair needs SSSE3: compile for x86-64-v2 or with -mssse3"
#endif

#include <immintrin.h>

#include "methods/method.hpp"

namespace slidebench {

struct HyperbolaPair {
  static constexpr MethodInfo info{.id = "hyperbola_pair",
                                   .title = "Hyperbola quintessence on pairs (SSSE3)",
                                   .family = "calculation",
                                   .inventor = "A. Peshkov",
                                   .year = 2007,
                                   .reference = "https://github.com/AleksPeshkov/petrel",
                                   .requires_isa = Isa::ssse3};

  /// The occupancy in the lower lane, its reversal in the upper one.
  struct Board {
    __m128i pair;

    explicit Board(Bitboard o) : pair(pair_of(o)) {}
    void toggle(Bitboard changed) { pair = _mm_xor_si128(pair, pair_of(changed)); }
  };

  static Bitboard bishop(Square s, const Board& board) { return both_ways(diagonals(s, board)); }
  static Bitboard rook(Square s, const Board& board) { return both_ways(orthogonals(s, board)); }
  static Bitboard queen(Square s, const Board& board) {
    return both_ways(_mm_or_si128(diagonals(s, board), orthogonals(s, board)));
  }

  static BishopRook both(Square s, const Board& board) {
    const __m128i bishop = diagonals(s, board);
    const __m128i rook = orthogonals(s, board);
    const __m128i down = _mm_unpackhi_epi64(bishop, rook);
    const __m128i sets = _mm_xor_si128(_mm_unpacklo_epi64(bishop, rook), reverse_lanes(down));
    return {lower(sets), lower(_mm_unpackhi_epi64(sets, sets))};
  }

 private:
  struct Pair {
    Bitboard up;    ///< of the square
    Bitboard down;  ///< of the square turned round, 63 - s
  };

  struct alignas(64) Lines {
    Pair diagonal, antidiagonal, file, rank;
  };

  static constexpr Table<Lines, 64> masks = [] {
    Table<Lines, 64> table;
    for (Square s = 0; s < 64; ++s) {
      const Square r = 63 - s;
      table.data[s] = {{diagonal_mask(s), diagonal_mask(r)},
                       {antidiagonal_mask(s), antidiagonal_mask(r)},
                       {file_mask(s), file_mask(r)},
                       {rank_mask(s), rank_mask(r)}};
    }
    return table;
  }();

  static constexpr Table<Pair, 64> sliders = [] {
    Table<Pair, 64> table;
    for (Square s = 0; s < 64; ++s) table.data[s] = {bit(s), bit(63 - s)};
    return table;
  }();

  static __m128i load(const Pair& pair) { return _mm_load_si128(reinterpret_cast<const __m128i*>(&pair)); }

  static __m128i diagonals(Square s, const Board& board) {
    const __m128i slider = sliders.load128(s);
    return _mm_or_si128(line(board, slider, load(masks.member(s, &Lines::diagonal))),
                        line(board, slider, load(masks.member(s, &Lines::antidiagonal))));
  }
  static __m128i orthogonals(Square s, const Board& board) {
    const __m128i slider = sliders.load128(s);
    return _mm_or_si128(line(board, slider, load(masks.member(s, &Lines::file))),
                        line(board, slider, load(masks.member(s, &Lines::rank))));
  }

  /// A line's occupancy, changed from the slider up to and including the first blocker, in both directions.
  static __m128i line(const Board& board, __m128i slider, __m128i mask) {
    return _mm_and_si128(_mm_sub_epi64(_mm_and_si128(board.pair, mask), slider), mask);
  }

  static Bitboard both_ways(__m128i lines) { return lower(_mm_xor_si128(lines, reverse(lines))); }

  static __m128i pair_of(Bitboard b) {
    const __m128i alone = _mm_cvtsi64_si128(static_cast<long long>(b));
    return _mm_or_si128(alone, reverse(alone));
  }

  /// All 128 bits in the opposite order: the lanes change places.
  static __m128i reverse(__m128i lanes) {
    return _mm_shuffle_epi8(reverse_bytes(lanes), _mm_set_epi64x(0x0001020304050607, 0x08090A0B0C0D0E0F));
  }
  /// The bits of each lane in the opposite order.
  static __m128i reverse_lanes(__m128i lanes) {
    return _mm_shuffle_epi8(reverse_bytes(lanes), _mm_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607));
  }

  /// The bits of each byte in the opposite order. Byte i of `reversal`: the half-byte i reversed, as the lower half.
  static __m128i reverse_bytes(__m128i lanes) {
    const __m128i reversal = _mm_set_epi64x(0x0F070B030D050901, 0x0E060A020C040800);
    const __m128i low_halves = _mm_set1_epi8(0x0F);
    const __m128i low = _mm_and_si128(lanes, low_halves);
    const __m128i high = _mm_and_si128(_mm_srli_epi16(lanes, 4), low_halves);
    return _mm_or_si128(_mm_shuffle_epi8(_mm_slli_epi16(reversal, 4), low), _mm_shuffle_epi8(reversal, high));
  }

  static Bitboard lower(__m128i lanes) { return static_cast<Bitboard>(_mm_cvtsi128_si64(lanes)); }

 public:
  static constexpr std::array tables{table_info("masks", masks), table_info("sliders", sliders)};
};

}  // namespace slidebench
