// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence in WebAssembly's SIMD128: a line in each of two lanes, turned round by a swizzle.
//
// WebAssembly has no byte swap: what x86 does in one instruction, scalar code does there in fifteen, twice a line. But
// i8x16.swizzle reverses the bytes of two lanes at once, and the steps of `hyperbola` are the same for both diagonals:
//
//      lane        1             0
//      bishop      antidiagonal  diagonal         attacks = ((o - bit s) ^ swap(swap(o) - bit(63 - s))) & lines
//
// A rook's file is alone in a vector, and its rank comes from the first-rank table, by integers meanwhile: a rank would
// have to be reversed bit by bit, by two more swizzles (of half-bytes) in each of two directions. A batch has the files
// of two rooks in a vector, and stores the answers of two bishops at once.
//
// Inventors: of the hyperbola see there; A. Peshkov turned boards by a byte shuffle (CCC, 2007). This arrangement is
// this project's.
// Source: G. Isenberg, Efficient Generation of Sliding Piece Attacks (Dresden 2008); hyperbola.hpp.
// Tables: 64 x 5 words x 8 bytes = 2,560 bytes + 512 for ranks = 3,072. Loads: bishop 3, rook 4. Relies on: SIMD128, of
// which the swizzle is one instruction (see methods/simd128.hpp).
#pragma once

#include "methods/calculation/first_rank.hpp"
#include "methods/method.hpp"
#include "methods/simd128.hpp"

namespace slidebench {

struct HyperbolaSimd128 {
  static constexpr MethodInfo info{.id = "hyperbola_simd128",
                                   .title = "Hyperbola quintessence by swizzles (SIMD128)",
                                   .family = "calculation",
                                   .inventor = "slidebench, after A. Peshkov and G. Isenberg",
                                   .year = 2026,
                                   .reference = "methods/calculation/hyperbola_simd128.hpp",
                                   .requires_isa = Isa::simd128};

  static Bitboard bishop(Square s, Bitboard occupied) {
    return simd128::union_of_lanes(diagonals(masks[s], simd128::splat(occupied)));
  }

  static Bitboard rook(Square s, Bitboard occupied) { return file(masks[s], occupied) | rank_attacks(s, occupied); }

  static void batch(const SliderBatch& sliders, Bitboard occupied, Bitboard* attacks) {
    const v128_t o = simd128::splat(occupied);
    const std::uint8_t* const square = sliders.squares;
    const unsigned size = sliders.size(), diagonal_end = sliders.diagonal_end();
    for (unsigned i = 0; i < diagonal_end; i += 2) {
      const v128_t a = diagonals(masks[square[i]], o), b = diagonals(masks[square[i + 1]], o);
      wasm_v128_store(attacks + i, wasm_v128_or(simd128::lower_lanes(a, b), simd128::upper_lanes(a, b)));
    }
    unsigned i = sliders.orthogonal_begin();
    for (; i < diagonal_end; ++i) attacks[i] |= rook(square[i], occupied);
    for (; i < size; i += 2) {
      const v128_t ranks = simd128::pair(rank_attacks(square[i], occupied), rank_attacks(square[i + 1], occupied));
      wasm_v128_store(attacks + i, wasm_v128_or(ranks, files(masks[square[i]], masks[square[i + 1]], o)));
    }
  }

 private:
  /// The lines of a square, without it, and the bits that are subtracted.
  struct Lines {
    Bitboard diagonal, antidiagonal;  ///< in this order: the lanes of a vector
    Bitboard file;
    Bitboard slider;
    Bitboard flipped_slider;
  };

  static constexpr Table<Lines, 64> masks = [] {
    Table<Lines, 64> table;
    for (Square s = 0; s < 64; ++s)
      table.data[s] = {diagonal_mask(s), antidiagonal_mask(s), file_mask(s), bit(s), bit(63 - s)};
    return table;
  }();

  /// The attacks along the lines of `lines`, in each lane; no lane has its slider. Precondition: a square a rank.
  static v128_t along(v128_t lines, v128_t sliders, v128_t flipped_sliders, v128_t occupied) {
    const v128_t o = wasm_v128_and(lines, occupied);
    const v128_t up = wasm_i64x2_sub(o, sliders);
    const v128_t down = simd128::swap_bytes(wasm_i64x2_sub(simd128::swap_bytes(o), flipped_sliders));
    return wasm_v128_and(wasm_v128_xor(up, down), lines);
  }

  static v128_t diagonals(const Lines& of, v128_t occupied) {
    return along(wasm_v128_load(&of.diagonal), simd128::splat(of.slider), simd128::splat(of.flipped_slider), occupied);
  }

  /// What needs no swizzle is left to integers, of which one line is a register.
  static Bitboard file(const Lines& of, Bitboard occupied) {
    const Bitboard o = of.file & occupied;
    const v128_t swapped = simd128::swap_bytes(simd128::splat(o));
    const v128_t down = wasm_i64x2_sub(swapped, simd128::splat(of.flipped_slider));
    return ((o - of.slider) ^ simd128::lower(simd128::swap_bytes(down))) & of.file;
  }

  static v128_t files(const Lines& a, const Lines& b, v128_t occupied) {
    return along(simd128::pair(a.file, b.file), simd128::pair(a.slider, b.slider),
                 simd128::pair(a.flipped_slider, b.flipped_slider), occupied);
  }

 public:
  static constexpr std::array tables{table_info("masks", masks), table_info("first_rank", first_rank_by_inner)};
};

}  // namespace slidebench
