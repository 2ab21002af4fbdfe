// SPDX-License-Identifier: MIT
//
// Ray masks in WebAssembly's SIMD128: two rays in a vector, and the downward ones on the board upside down.
//
// On a ray that leads up, subtracting 1 finds the first blocker, the lowest occupied square: (u ^ (u - 1)) & up holds
// the squares up to and including it. A ray that leads down leads up on the board upside down (`ray_masks_avx2`). Ranks
// lie within a byte and are not turned by that; SIMD128 shifts both lanes by one count, so that the shadow, which
// serves them in AVX2, would be done for the other lane in vain. So a rook's downward rays are found by integers:
// i64.clz is the highest blocker, and what is not below it is attacked.
//
//      lane        1          0                            integers
//      up          northwest  northeast      north  east
//      down        southeast  southwest      (i64.clz)      south, west
//
// Inventor: Toshihiko Okuhara (Cfish, May 2020), for the vectors; the scan from the top is that of classical ray
// attacks. This arrangement is this project's.
// Source: https://github.com/syzygy1/Cfish/pull/115.
// Tables: 64 x 8 masks x 8 bytes = 4,096 bytes. Loads: bishop 2 of 16 bytes, rook 1 of 16 and 2 of 8. Relies on:
// SIMD128, and a fast scan from the top (LZCNT on x86).
#pragma once

#include "methods/method.hpp"
#include "methods/simd128.hpp"

namespace slidebench {

struct RayMasksSimd128 {
  static constexpr MethodInfo info{.id = "ray_masks_simd128",
                                   .title = "Ray masks, two rays at once (SIMD128)",
                                   .family = "calculation",
                                   .inventor = "slidebench, after T. Okuhara",
                                   .year = 2026,
                                   .reference = "methods/calculation/ray_masks_simd128.hpp",
                                   .requires_isa = Isa::simd128};

  static Bitboard bishop(Square s, Bitboard occupied) {
    return simd128::union_of_lanes(diagonals(masks[s], simd128::splat(occupied)));
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    return simd128::union_of_lanes(orthogonals_up(masks[s], simd128::splat(occupied))) | downward(masks[s], occupied);
  }

  static Bitboard queen(Square s, Bitboard occupied) {
    const v128_t o = simd128::splat(occupied);
    const v128_t vectors = wasm_v128_or(diagonals(masks[s], o), orthogonals_up(masks[s], o));
    return simd128::union_of_lanes(vectors) | downward(masks[s], occupied);
  }

 private:
  /// The rays of a square; those of a pair are the lanes of a vector.
  struct Pair {
    Bitboard lower, upper;
  };
  struct Rays {
    Pair diagonals_up, diagonals_down, orthogonals_up;
    Bitboard south, west;
  };

  static constexpr Table<Rays, 64> masks = [] {
    Table<Rays, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {{ray(Direction::northeast, s), ray(Direction::northwest, s)},
                       {ray(Direction::southwest, s), ray(Direction::southeast, s)},
                       {ray(Direction::east, s), ray(Direction::north, s)},
                       ray(Direction::south, s),
                       ray(Direction::west, s)};
    }
    return table;
  }();

  static v128_t diagonals(const Rays& of, v128_t occupied) {
    const v128_t down = wasm_v128_load(&of.diagonals_down);
    const v128_t turned = simd128::swap_bytes(wasm_v128_and(down, occupied));
    const v128_t open = simd128::swap_bytes(up_to_lowest(turned));
    return wasm_v128_or(upward(wasm_v128_load(&of.diagonals_up), occupied), wasm_v128_and(open, down));
  }

  static v128_t orthogonals_up(const Rays& of, v128_t occupied) {
    return upward(wasm_v128_load(&of.orthogonals_up), occupied);
  }

  /// The squares of two rays that lead up, to the first blocker.
  static v128_t upward(v128_t up, v128_t occupied) {
    return wasm_v128_and(up_to_lowest(wasm_v128_and(up, occupied)), up);
  }

  /// All squares up to and including the lowest of each lane's set; all of them for an empty set.
  static v128_t up_to_lowest(v128_t set) {
    return wasm_v128_xor(set, wasm_i64x2_add(set, simd128::splat(~Bitboard{0})));
  }

  static Bitboard downward(const Rays& of, Bitboard occupied) {
    return from_highest(of.south, occupied) | from_highest(of.west, occupied);
  }

  /// The squares of a ray that leads down, to the first blocker: those that are not below the highest occupied one. Bit
  /// 0 stops what nothing else stops.
  static Bitboard from_highest(Bitboard down, Bitboard occupied) {
    constexpr auto top = static_cast<std::int64_t>(bit(63));
    return down & static_cast<Bitboard>(top >> __builtin_clzll((down & occupied) | bit(0)));
  }

 public:
  static constexpr std::array tables{table_info("masks", masks)};
};

}  // namespace slidebench
