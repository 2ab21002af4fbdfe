// SPDX-License-Identifier: MIT
//
// Kogge-Stone fill in WebAssembly's SIMD128: two directions in one vector, a board and its mirror image.
//
// SIMD128 shifts both lanes by one count, as SSE2 does, and so this is the form of `kogge_stone_sse2`: turn a copy of
// the board upside down, and south becomes north, southeast northeast, southwest northwest.
//
//      low lane: the board    high lane: its mirror image    both lanes    guard
//      north                  south                          << 8          none
//      northeast              southeast                      << 9          not the a-file
//      northwest              southwest                      << 7          not the h-file
//
// East and west are filled by integers meanwhile. One swizzle copies a board into both lanes and turns one over.
//
// Inventors: S. Westcott (the fill, Computer Chess Club, 15 September 2002); G. Isenberg proposed vectors for fills.
// Source: G. Isenberg, Efficient Generation of Sliding Piece Attacks (Dresden 2008); Chessprogramming wiki.
// Tables: none. Loads per query: none. Relies on: SIMD128, of which the swizzle is one instruction
// (methods/simd128.hpp). Best with many sliders.
#pragma once

#include "methods/fill/kogge_stone.hpp"
#include "methods/method.hpp"
#include "methods/simd128.hpp"

namespace slidebench {

struct KoggeStoneSimd128 {
  static constexpr MethodInfo info{.id = "kogge_stone_simd128",
                                   .title = "Kogge-Stone fill, SIMD128",
                                   .family = "fill",
                                   .inventor = "S. Westcott, G. Isenberg",
                                   .year = 2026,
                                   .reference = "methods/fill/kogge_stone_simd128.hpp",
                                   .requires_isa = Isa::simd128};
  static constexpr auto tables = no_tables;

  static Bitboard bishop(Square s, Bitboard occupied) {
    return unite_mirrored(diagonals(with_mirror_image(bit(s)), with_mirror_image(~occupied)));
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    return unite_mirrored(fill<8>(with_mirror_image(bit(s)), with_mirror_image(~occupied))) | ranks(bit(s), ~occupied);
  }

  static Bitboard queen(Square s, Bitboard occupied) { return set_attacks(bit(s), bit(s), occupied); }

  static Bitboard set_attacks(Bitboard diagonal_sliders, Bitboard orthogonal_sliders, Bitboard occupied) {
    const v128_t empty = with_mirror_image(~occupied);
    const v128_t attacks = wasm_v128_or(diagonals(with_mirror_image(diagonal_sliders), empty),
                                        fill<8>(with_mirror_image(orthogonal_sliders), empty));
    return unite_mirrored(attacks) | ranks(orthogonal_sliders, ~occupied);
  }

 private:
  /// The board in the low lane, upside down in the high lane.
  static v128_t with_mirror_image(Bitboard board) {
    return wasm_i8x16_swizzle(simd128::splat(board), wasm_i8x16_const(0, 1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1, 0));
  }

  /// The union of the low lane and of the high lane turned back.
  static Bitboard unite_mirrored(v128_t boards) {
    const v128_t turned =
        wasm_i8x16_swizzle(boards, wasm_i8x16_const(15, 14, 13, 12, 11, 10, 9, 8, 15, 14, 13, 12, 11, 10, 9, 8));
    return simd128::lower(wasm_v128_or(boards, turned));
  }

  static v128_t diagonals(v128_t sliders, v128_t empty) {
    return wasm_v128_or(fill<9>(sliders, empty), fill<7>(sliders, empty));
  }

  static Bitboard ranks(Bitboard sliders, Bitboard empty) {
    return KoggeStone::fill<Direction::east>(sliders, empty) | KoggeStone::fill<Direction::west>(sliders, empty);
  }

  /// In either lane, the squares attacked by any of its sliders, whose steps are left shifts by `count`.
  template <unsigned count>
  static v128_t fill(v128_t sliders, v128_t empty) {
    v128_t g = sliders;
    v128_t p = guarded<count>(empty);
    g = wasm_v128_or(g, wasm_v128_and(p, wasm_i64x2_shl(g, count)));
    p = wasm_v128_and(p, wasm_i64x2_shl(p, count));
    g = wasm_v128_or(g, wasm_v128_and(p, wasm_i64x2_shl(g, 2 * count)));
    p = wasm_v128_and(p, wasm_i64x2_shl(p, 2 * count));
    g = wasm_v128_or(g, wasm_v128_and(p, wasm_i64x2_shl(g, 4 * count)));
    return guarded<count>(wasm_i64x2_shl(g, count));
  }

  /// The squares of `boards` on which a step can rightly arrive.
  template <unsigned count>
  static v128_t guarded(v128_t boards) {
    if constexpr (count == 8) return boards;
    return wasm_v128_and(boards, simd128::splat(count == 9 ? ~a_file : ~h_file));
  }
};

}  // namespace slidebench
