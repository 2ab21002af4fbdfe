// SPDX-License-Identifier: MIT
//
// Two boards in one 128-bit vector: a board in the low half, and the same board upside down in the high half.
//
// Upside down, south is north: a step in one of the six directions that change the rank is the same left shift in the
// mirror as its mirror image is outside. Files stay where they are, and so do the guards of the a- and h-file:
//
//      low half: the board    high half: its mirror image    both halves    guard
//      north                  south                          << 8           none
//      northeast              southeast                      << 9           not the a-file
//      northwest              southwest                      << 7           not the h-file
//
// East and west have no such partner. PSHUFB (SSSE3) copies a board into both halves and turns one over in a single
// instruction; plain SSE2 would need a scalar byte swap, two moves and an unpack.
#pragma once

#ifndef __SSSE3__
#error "mirrored boards need SSSE3: compile for x86-64-v2 or with -mssse3"
#endif

#include <immintrin.h>

#include "methods/bitboard.hpp"

namespace slidebench {

/// The board in the low half, its mirror image in the high half.
inline __m128i with_mirror_image(Bitboard board) {
  const __m128i bytes = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1, 0);
  return _mm_shuffle_epi8(_mm_cvtsi64_si128(static_cast<long long>(board)), bytes);
}

/// The union of the low half and of the high half turned back.
inline Bitboard unite_mirrored(__m128i boards) {
  const __m128i bytes = _mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 15, 14, 13, 12, 11, 10, 9, 8);
  return static_cast<Bitboard>(_mm_cvtsi128_si64(boards | _mm_shuffle_epi8(boards, bytes)));
}

}  // namespace slidebench
