// SPDX-License-Identifier: MIT
//
// What the AVX2 fills have in common. VPSLLVQ and VPSRLVQ shift each 64-bit lane by a count of its own, but all lanes
// the same way. Directions toward higher squares are left shifts, their opposites right shifts by the same counts:
//
//      count       8       9           1       7
//      left        north   northeast   east    northwest         (orthogonal and diagonal lanes alternate, so that
//      right       south   southwest   west    southeast          halving a vector twice leaves one word of each)
//
// A queen takes two vectors of four lanes, a rook two of two lanes. A bishop takes one vector of four: with the mirror
// image of the board in two lanes (mirror.hpp), all its directions are left shifts. The price is a byte shuffle at
// either end; a rook cannot do the same, for a mirror image does not reverse its ranks.
#pragma once

#ifndef __AVX2__
#error "the left-right fills need AVX2: compile for x86-64-v3 or with -mavx2"
#endif

#include <immintrin.h>

#include "methods/fill/mirror.hpp"
#include "methods/method.hpp"

namespace slidebench {

/// The lanes of a vector: of() makes one from what belongs to the lane of each line.
struct RookLanes {
  using Vector = __m128i;
  static Vector of(Bitboard file, Bitboard, Bitboard rank, Bitboard) {
    return _mm_set_epi64x(static_cast<long long>(rank), static_cast<long long>(file));
  }
};

struct QueenLanes {
  using Vector = __m256i;
  static Vector of(Bitboard file, Bitboard diagonal, Bitboard rank, Bitboard antidiagonal) {
    return _mm256_setr_epi64x(static_cast<long long>(file), static_cast<long long>(diagonal),
                              static_cast<long long>(rank), static_cast<long long>(antidiagonal));
  }
};

/// North, northeast, east and northwest: their shifts, and their guards (the squares on which a step can rightly
/// arrive).
template <class Lanes>
struct LeftShifts {
  using Vector = typename Lanes::Vector;

  template <unsigned steps = 1>
  static Vector shift(Vector boards) {
    return shift_by(boards, Lanes::of(8 * steps, 9 * steps, 1 * steps, 7 * steps));
  }

  static Vector guard() { return Lanes::of(~Bitboard{0}, ~a_file, ~a_file, ~h_file); }

 private:
  static __m128i shift_by(__m128i boards, __m128i counts) { return _mm_sllv_epi64(boards, counts); }
  static __m256i shift_by(__m256i boards, __m256i counts) { return _mm256_sllv_epi64(boards, counts); }
};

/// South, southwest, west and southeast.
template <class Lanes>
struct RightShifts {
  using Vector = typename Lanes::Vector;

  template <unsigned steps = 1>
  static Vector shift(Vector boards) {
    return shift_by(boards, Lanes::of(8 * steps, 9 * steps, 1 * steps, 7 * steps));
  }

  static Vector guard() { return Lanes::of(~Bitboard{0}, ~h_file, ~h_file, ~a_file); }

 private:
  static __m128i shift_by(__m128i boards, __m128i counts) { return _mm_srlv_epi64(boards, counts); }
  static __m256i shift_by(__m256i boards, __m256i counts) { return _mm256_srlv_epi64(boards, counts); }
};

/// A bishop's directions on two boards with their mirror images: northeast, southeast, northwest, southwest.
struct MirroredDiagonals {
  using Vector = __m256i;

  template <unsigned steps = 1>
  static Vector shift(Vector boards) {
    return _mm256_sllv_epi64(boards, _mm256_setr_epi64x(9 * steps, 9 * steps, 7 * steps, 7 * steps));
  }

  static Vector guard() { return QueenLanes::of(~a_file, ~a_file, ~h_file, ~h_file); }
};

/// The queries of a method that fills all lanes of a vector, given Method::fill<Shifts>(sliders, empty squares).
template <class Method>
struct LeftRightFill {
  static Bitboard bishop(Square s, Bitboard occupied) {
    const __m256i sliders = _mm256_broadcastsi128_si256(with_mirror_image(bit(s)));
    const __m256i empty = ~_mm256_broadcastsi128_si256(with_mirror_image(occupied));
    return unite_mirrored(halve(Method::template fill<MirroredDiagonals>(sliders, empty)));
  }

  static Bitboard rook(Square s, Bitboard occupied) { return unite(left_right<RookLanes>(bit(s), bit(s), occupied)); }

  static Bitboard queen(Square s, Bitboard occupied) { return set_attacks(bit(s), bit(s), occupied); }

  static BishopRook both(Square s, Bitboard occupied) {
    const __m128i attacks = halve(left_right<QueenLanes>(bit(s), bit(s), occupied));
    return {static_cast<Bitboard>(_mm_extract_epi64(attacks, 1)), static_cast<Bitboard>(_mm_cvtsi128_si64(attacks))};
  }

  static Bitboard set_attacks(Bitboard diagonal_sliders, Bitboard orthogonal_sliders, Bitboard occupied) {
    return unite(halve(left_right<QueenLanes>(diagonal_sliders, orthogonal_sliders, occupied)));
  }

 private:
  /// In each lane, the attacks both ways along its line.
  template <class Lanes>
  static typename Lanes::Vector left_right(Bitboard diagonal_sliders, Bitboard orthogonal_sliders, Bitboard occupied) {
    const auto sliders = Lanes::of(orthogonal_sliders, diagonal_sliders, orthogonal_sliders, diagonal_sliders);
    const auto empty = ~Lanes::of(occupied, occupied, occupied, occupied);
    return Method::template fill<LeftShifts<Lanes>>(sliders, empty) |
           Method::template fill<RightShifts<Lanes>>(sliders, empty);
  }

  /// The union of both halves.
  static __m128i halve(__m256i lanes) { return _mm256_extracti128_si256(lanes, 1) | _mm256_castsi256_si128(lanes); }

  static Bitboard unite(__m128i lanes) {
    return static_cast<Bitboard>(_mm_cvtsi128_si64(lanes | _mm_unpackhi_epi64(lanes, lanes)));
  }
};

}  // namespace slidebench
