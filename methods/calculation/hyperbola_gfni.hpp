// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence for all four lines in one vector: with GFNI, the rank needs no table either.
//
// The subtraction of `hyperbola` finds the first blocker in one direction; the other direction is the same with the
// line reversed. A byte swap cannot reverse a rank, which lies within one byte. But GF2P8AFFINEQB multiplies each byte,
// as eight bits, by an 8 x 8 matrix of bits, and the matrix with ones on the other diagonal turns the byte round:
//
//      . . . . . . . 1
//      . . . . . . 1 .         8 rows, one byte each: 0x8040201008040201
//      ...
//      1 . . . . . . .         bytes shuffled and each byte reversed: square s goes to 63 - s, on every line
//
// So file, rank and both diagonals take the same steps, each in its lane, and 63 - s is the slider in all of them:
//
//      lane          3        2        1             0
//      masks         rank     file     antidiagonal  diagonal
//      attacks     = ((o - bit s) ^ reverse(reverse(o) - bit(63 - s))) & masks          o = masks & occupied
//                    +--- rook ---+    +-- bishop --+
//
// Either piece alone is half a vector. The bishop alone needs no GFNI: on a diagonal a byte swap is enough, as square
// 63 - s is as good there as the slider (see `hyperbola`).
//
// Inventors: the matrix in this place is D. Infuehr's (Chess_Movegen, 2023: eight lines in AVX-512, but with the
// instruction emulated); one vector of four lines, with the subtrahends shifted into place, is this project's.
// Source: https://github.com/Gigantua/Chess_Movegen (Galois); Intel's manual, GF2P8AFFINEQB.
// Tables: 64 x 4 masks x 8 bytes = 2,048 bytes. Loads: 1, of 32 bytes (one piece: 16).
// Relies on: AVX2 and GFNI (Ice Lake and later, Gracemont, Zen 4); the reversal takes 4 cycles, twice.
#pragma once

#if !defined(__AVX2__) || !defined(__GFNI__)
#error "hyperbola_gfni needs AVX2 and GFNI: compile for x86-64-v3 with -mgfni"
#endif

#include <immintrin.h>

#include "methods/method.hpp"

namespace slidebench {

struct HyperbolaGfni {
  static constexpr MethodInfo info{.id = "hyperbola_gfni",
                                   .title = "Hyperbola quintessence, four lanes (GFNI)",
                                   .family = "calculation",
                                   .inventor = "slidebench, after D. Infuehr and G. Isenberg",
                                   .year = 2026,
                                   .reference = "methods/calculation/hyperbola_gfni.hpp",
                                   .requires_isa = Isa::avx2 | Isa::gfni};

  static Bitboard bishop(Square s, Bitboard occupied) {
    const __m128i lines = masks.load128(std::size_t{4} * s);
    const __m128i o = _mm_and_si128(lines, _mm_set1_epi64x(word(occupied)));
    const __m128i up = _mm_sub_epi64(o, lower(slider(s)));
    const __m128i down = swap(_mm_sub_epi64(swap(o), lower(mirrored_slider(s))));
    return union_of_lanes(_mm_and_si128(_mm_xor_si128(up, down), lines));
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    const __m128i lines = masks.load128(std::size_t{4} * s + 2);
    const __m128i o = _mm_and_si128(lines, _mm_set1_epi64x(word(occupied)));
    const __m128i up = _mm_sub_epi64(o, lower(slider(s)));
    const __m128i down = reverse(_mm_sub_epi64(reverse(o), lower(mirrored_slider(s))));
    return union_of_lanes(_mm_and_si128(_mm_xor_si128(up, down), lines));
  }

  static Bitboard queen(Square s, Bitboard occupied) {
    const __m256i attacks = line_attacks(s, occupied);
    return union_of_lanes(_mm_or_si128(lower(attacks), upper(attacks)));
  }

  static BishopRook both(Square s, Bitboard occupied) {
    const __m256i attacks = line_attacks(s, occupied);
    const __m256i unions = _mm256_or_si256(attacks, _mm256_unpackhi_epi64(attacks, attacks));
    return {lowest_lane(lower(unions)), lowest_lane(upper(unions))};
  }

  static void batch(const SliderBatch& sliders, Bitboard occupied, Bitboard* attacks) {
    __m256i lane = _mm256_set_epi64x(3, 2, 1, 0);
    for (unsigned first = 0; first < sliders.size(); first += 4) {
      const std::uint8_t* square = sliders.squares + first;
      const __m256i low = pairs(line_attacks(square[0], occupied), line_attacks(square[1], occupied));
      const __m256i high = pairs(line_attacks(square[2], occupied), line_attacks(square[3], occupied));
      const __m256i is_diagonal = _mm256_cmpgt_epi64(_mm256_set1_epi64x(sliders.diagonal_end()), lane);
      const __m256i only_diagonal = _mm256_cmpgt_epi64(_mm256_set1_epi64x(sliders.orthogonal_begin()), lane);
      const __m256i bishops = _mm256_and_si256(is_diagonal, _mm256_permute2x128_si256(low, high, 0x20));
      const __m256i rooks = _mm256_andnot_si256(only_diagonal, _mm256_permute2x128_si256(low, high, 0x31));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(attacks + first), _mm256_or_si256(bishops, rooks));
      lane = _mm256_add_epi64(lane, _mm256_set1_epi64x(4));
    }
  }

 private:
  /// Element 4 * square: diagonal, antidiagonal, file and rank through the square, without it.
  static constexpr Table<Bitboard, 64 * 4> masks = [] {
    Table<Bitboard, 64 * 4> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[4 * s] = diagonal_mask(s);
      table.data[4 * s + 1] = antidiagonal_mask(s);
      table.data[4 * s + 2] = file_mask(s);
      table.data[4 * s + 3] = rank_mask(s);
    }
    return table;
  }();

  /// The attacks along the four lines through s, each in its lane.
  static __m256i line_attacks(Square s, Bitboard occupied) {
    const __m256i lines = masks.load256(std::size_t{4} * s);
    const __m256i o = _mm256_and_si256(lines, _mm256_set1_epi64x(word(occupied)));
    const __m256i up = _mm256_sub_epi64(o, slider(s));
    const __m256i down = reverse(_mm256_sub_epi64(reverse(o), mirrored_slider(s)));
    return _mm256_and_si256(_mm256_xor_si256(up, down), lines);
  }

  /// Of the lines of two sliders: both bishop sets in the lower half, both rook sets in the upper one.
  static __m256i pairs(__m256i first, __m256i second) {
    return _mm256_or_si256(_mm256_unpacklo_epi64(first, second), _mm256_unpackhi_epi64(first, second));
  }

  static long long word(Bitboard b) { return static_cast<long long>(b); }

  static constexpr long long byte_reversal = static_cast<long long>(0x8040201008040201);

  /// Reverses the bytes of each lane.
  static __m128i swap(__m128i lanes) {
    return _mm_shuffle_epi8(lanes, _mm_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607));
  }
  static __m256i swap(__m256i lanes) {
    return _mm256_shuffle_epi8(
        lanes, _mm256_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607, 0x08090A0B0C0D0E0F, 0x0001020304050607));
  }

  /// Reverses the bits of each lane: square s goes to 63 - s.
  static __m128i reverse(__m128i lanes) {
    return _mm_gf2p8affine_epi64_epi8(swap(lanes), _mm_set1_epi64x(byte_reversal), 0);
  }
  static __m256i reverse(__m256i lanes) {
    return _mm256_gf2p8affine_epi64_epi8(swap(lanes), _mm256_set1_epi64x(byte_reversal), 0);
  }

  /// Bits s and 63 - s in every lane. The same count shifts all lanes, so it needs no copies.
  static __m256i slider(Square s) { return _mm256_sll_epi64(_mm256_set1_epi64x(1), count(s)); }
  static __m256i mirrored_slider(Square s) { return _mm256_srl_epi64(_mm256_set1_epi64x(word(bit(63))), count(s)); }
  static __m128i count(Square s) { return _mm_cvtsi32_si128(static_cast<int>(s)); }

  static __m128i lower(__m256i lanes) { return _mm256_castsi256_si128(lanes); }
  static __m128i upper(__m256i lanes) { return _mm256_extracti128_si256(lanes, 1); }
  static Bitboard lowest_lane(__m128i lanes) { return static_cast<Bitboard>(_mm_cvtsi128_si64(lanes)); }
  static Bitboard union_of_lanes(__m128i lanes) {
    return lowest_lane(_mm_or_si128(lanes, _mm_unpackhi_epi64(lanes, lanes)));
  }

 public:
  static constexpr std::array tables{table_info("masks", masks)};
};

}  // namespace slidebench
