// SPDX-License-Identifier: MIT
//
// Pair hyperbola in WebAssembly's SIMD128: the occupancy and its reversal side by side in one vector, made once.
//
// As `hyperbola_pair`, where the idea stands: one reversal of bits is part of the board, one closes a query, and each
// line between takes three instructions for both directions, ranks no more than the others.
//
//      lane        1                         0
//      board       occupancy, bits reversed  occupancy              square s goes to 63 - s
//      a line      ((board & mask) - bit) & mask, in both lanes     OR over the lines of the piece
//      answer      up ^ reversed(down)                              once a query, however many lines
//
// Bits are reversed by swizzles: two look up the reversals of half-bytes, one turns the bytes round.
//
// Inventor: Aleks Peshkov (hyperbola with PSHUFB: CCC, 2007; engine petrel, with the board kept as a pair).
// Source: github.com/AleksPeshkov/petrel, src/Hyperbola.hpp.
// Tables: 64 squares x 5 pairs (four lines, and the bits) x 16 bytes = 5,120 bytes. Loads: bishop 3, rook 3, queen 5,
// of 16 bytes each, and the board. Relies on: SIMD128, of which the swizzle is one instruction (methods/simd128.hpp).
#pragma once

#include "methods/method.hpp"
#include "methods/simd128.hpp"

namespace slidebench {

struct HyperbolaPairSimd128 {
  static constexpr MethodInfo info{.id = "hyperbola_pair_simd128",
                                   .title = "Hyperbola quintessence on pairs (SIMD128)",
                                   .family = "calculation",
                                   .inventor = "A. Peshkov",
                                   .year = 2007,
                                   .reference = "https://github.com/AleksPeshkov/petrel",
                                   .requires_isa = Isa::simd128};

  /// The occupancy in the lower lane, its reversal in the upper one.
  struct Board {
    v128_t pair;

    explicit Board(Bitboard o) : pair(pair_of(o)) {}
    void toggle(Bitboard changed) { pair = wasm_v128_xor(pair, pair_of(changed)); }
  };

  static Bitboard bishop(Square s, const Board& board) { return both_ways(diagonals(masks[s], board)); }
  static Bitboard rook(Square s, const Board& board) { return both_ways(orthogonals(masks[s], board)); }
  static Bitboard queen(Square s, const Board& board) {
    return both_ways(wasm_v128_or(diagonals(masks[s], board), orthogonals(masks[s], board)));
  }

  static BishopRook both(Square s, const Board& board) {
    const v128_t bishop = diagonals(masks[s], board), rook = orthogonals(masks[s], board);
    const v128_t down = simd128::swap_bytes(reverse_in_bytes(simd128::upper_lanes(bishop, rook)));
    const v128_t sets = wasm_v128_xor(simd128::lower_lanes(bishop, rook), down);
    return {simd128::lower(sets), simd128::lower(simd128::upper_lanes(sets, sets))};
  }

 private:
  struct Pair {
    Bitboard up;    ///< of the square
    Bitboard down;  ///< of the square turned round, 63 - s
  };

  struct Lines {
    Pair diagonal, antidiagonal, file, rank, slider;
  };

  static constexpr Table<Lines, 64> masks = [] {
    Table<Lines, 64> table;
    for (Square s = 0; s < 64; ++s) {
      const Square r = 63 - s;
      table.data[s] = {{diagonal_mask(s), diagonal_mask(r)},
                       {antidiagonal_mask(s), antidiagonal_mask(r)},
                       {file_mask(s), file_mask(r)},
                       {rank_mask(s), rank_mask(r)},
                       {bit(s), bit(r)}};
    }
    return table;
  }();

  static v128_t diagonals(const Lines& of, const Board& board) {
    return wasm_v128_or(line(of.diagonal, of.slider, board), line(of.antidiagonal, of.slider, board));
  }
  static v128_t orthogonals(const Lines& of, const Board& board) {
    return wasm_v128_or(line(of.file, of.slider, board), line(of.rank, of.slider, board));
  }

  /// A line's occupancy, changed from the slider up to and including the first blocker, in both directions.
  static v128_t line(const Pair& squares, const Pair& slider, const Board& board) {
    const v128_t mask = wasm_v128_load(&squares);
    return wasm_v128_and(wasm_i64x2_sub(wasm_v128_and(board.pair, mask), wasm_v128_load(&slider)), mask);
  }

  static Bitboard both_ways(v128_t lines) { return simd128::lower(wasm_v128_xor(lines, reverse(lines))); }

  static v128_t pair_of(Bitboard b) {
    const v128_t alone = simd128::pair(b, 0);
    return wasm_v128_or(alone, reverse(alone));
  }

  /// All 128 bits in the opposite order: the lanes change places.
  static v128_t reverse(v128_t lanes) {
    return wasm_i8x16_swizzle(reverse_in_bytes(lanes),
                              wasm_i8x16_const(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
  }

  /// The bits of each byte in the opposite order. Byte i of `reversal`: the half-byte i reversed.
  static v128_t reverse_in_bytes(v128_t lanes) {
    const v128_t reversal = wasm_i8x16_const(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15);
    const v128_t low_halves = wasm_i8x16_splat(0x0F);
    const v128_t low = wasm_v128_and(lanes, low_halves);
    const v128_t high = wasm_v128_and(wasm_u16x8_shr(lanes, 4), low_halves);
    return wasm_v128_or(wasm_i8x16_swizzle(wasm_i16x8_shl(reversal, 4), low), wasm_i8x16_swizzle(reversal, high));
  }

 public:
  static constexpr std::array tables{table_info("masks", masks)};
};

}  // namespace slidebench
