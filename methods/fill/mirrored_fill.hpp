// SPDX-License-Identifier: MIT
//
// What the 128-bit fills have in common. An SSE2 shift moves both halves of a vector by one count, so the halves have
// to hold directions of the same count and sign: a board and its mirror image (mirror.hpp). Three vectors fill the six
// directions that change the rank. The ranks are filled by the scalar method: alone in a vector, east or west would
// leave half of it empty, and the integer units have nothing else to do meanwhile.
#pragma once

#include <immintrin.h>

#include "methods/fill/mirror.hpp"
#include "methods/method.hpp"

namespace slidebench {

/// A direction and its mirror image: the left shift of one step, and the guard (the squares on which a step can rightly
/// arrive), the same in both halves.
template <int count, Bitboard targets>
struct MirroredPair {
  template <int steps = 1>
  static __m128i shift(__m128i boards) {
    return _mm_slli_epi64(boards, count * steps);
  }

  static __m128i guard() { return _mm_set1_epi64x(static_cast<long long>(targets)); }
};

/// The queries of a method that fills two mirrored directions at a time, given Method::fill<Pair>(sliders, empty
/// squares); Scalar is the same algorithm for one direction, Scalar::fill<d>(sliders, empty squares).
template <class Method, class Scalar>
struct MirroredFill {
  static Bitboard bishop(Square s, Bitboard occupied) {
    return unite_mirrored(diagonals(with_mirror_image(bit(s)), ~with_mirror_image(occupied)));
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    return unite_mirrored(files(with_mirror_image(bit(s)), ~with_mirror_image(occupied))) | ranks(bit(s), ~occupied);
  }

  static Bitboard queen(Square s, Bitboard occupied) { return set_attacks(bit(s), bit(s), occupied); }

  static BishopRook both(Square s, Bitboard occupied) { return {bishop(s, occupied), rook(s, occupied)}; }

  static Bitboard set_attacks(Bitboard diagonal_sliders, Bitboard orthogonal_sliders, Bitboard occupied) {
    const __m128i empty = ~with_mirror_image(occupied);
    const __m128i attacks =
        diagonals(with_mirror_image(diagonal_sliders), empty) | files(with_mirror_image(orthogonal_sliders), empty);
    return unite_mirrored(attacks) | ranks(orthogonal_sliders, ~occupied);
  }

 private:
  using NorthSouth = MirroredPair<8, ~Bitboard{0}>;
  using NortheastSoutheast = MirroredPair<9, ~a_file>;
  using NorthwestSouthwest = MirroredPair<7, ~h_file>;

  static __m128i diagonals(__m128i sliders, __m128i empty) {
    return Method::template fill<NortheastSoutheast>(sliders, empty) |
           Method::template fill<NorthwestSouthwest>(sliders, empty);
  }

  static __m128i files(__m128i sliders, __m128i empty) { return Method::template fill<NorthSouth>(sliders, empty); }

  static Bitboard ranks(Bitboard sliders, Bitboard empty) {
    return Scalar::template fill<Direction::east>(sliders, empty) |
           Scalar::template fill<Direction::west>(sliders, empty);
  }
};

}  // namespace slidebench
