// SPDX-License-Identifier: MIT
//
// Ray masks in vectors: the eight rays of a square in two registers, and the first blocker of each by one instruction.
//
// On a ray that leads up (to higher squares) the first blocker is the lowest occupied square, and subtracting 1 finds
// it: x ^ (x - 1) has ones up to and including the lowest bit of x. On a ray that leads down it is the highest one, and
// the number of zeros above it, filled with ones by an arithmetic shift, covers it and all above:
//
//      lane       3      2      1          0                 (128 bits: one piece)
//      up         north  east   northwest  northeast         u = up & occupied      (u ^ (u - 1)) & up
//      down       south  west   southeast  southwest         d = down & occupied    (top bit >> zeros above d) & down
//                 +-- rook ---+ +----- bishop -----+
//
// A ray without a blocker needs no case of its own: 0 - 1 is all ones, and a shift by 64 leaves 64 copies of the sign.
// VPLZCNTQ counts the zeros, VPSRAVQ shifts each lane by its own count, VPTERNLOGQ does two logical steps at once, so
// that all eight rays take seven instructions, two of them loads:
//
//      AND, AND, add -1, TERNLOG (u ^ (u - 1)) & up, LZCNT, SRAV, TERNLOG up part | (shifted & down)
//
// The masks of a square are one cache line. Neighbouring lanes are one piece, so that a bishop or a rook alone takes
// the same steps on half of each register, and `both` is one OR away from the eight rays. A batch takes four sliders at
// a time, and unites and transposes their lanes in six instructions: four bishop sets, and four rook sets.
//
// Inventor: Toshihiko Okuhara (Cfish, May 2020), queens in this form, bishops and rooks in others; all pieces from the
// one record, and both at once, are this project's.
// Source: https://github.com/syzygy1/Cfish/pull/115.
// Tables: 64 x 8 masks x 8 bytes = 4,096 bytes. Loads: 2, of 32 bytes (one piece: of 16), from one line.
// Relies on: AVX-512VL and CD, and a short way between the register files.
#pragma once

#if !defined(__AVX512VL__) || !defined(__AVX512CD__)
#error "ray_masks_avx512 needs AVX-512VL and CD: compile for x86-64-v4 or with -mavx512vl -mavx512cd"
#endif

#include <immintrin.h>

#include "methods/method.hpp"

namespace slidebench {

struct RayMasksAvx512 {
  static constexpr MethodInfo info{.id = "ray_masks_avx512",
                                   .title = "Ray masks, eight rays at once (AVX-512)",
                                   .family = "calculation",
                                   .inventor = "T. Okuhara",
                                   .year = 2020,
                                   .reference = "https://github.com/syzygy1/Cfish/pull/115",
                                   .requires_isa = Isa::avx512f | Isa::avx512vl | Isa::avx512cd};

  static Bitboard bishop(Square s, Bitboard occupied) { return union_of_lanes(rays(pair(s, 0), pair(s, 2), occupied)); }

  static Bitboard rook(Square s, Bitboard occupied) { return union_of_lanes(rays(pair(s, 1), pair(s, 3), occupied)); }

  static Bitboard queen(Square s, Bitboard occupied) {
    const __m256i attacks = rays_of(s, occupied);
    return union_of_lanes(_mm_or_si128(_mm256_castsi256_si128(attacks), _mm256_extracti128_si256(attacks, 1)));
  }

  static BishopRook both(Square s, Bitboard occupied) {
    const __m256i attacks = rays_of(s, occupied);
    const __m256i unions = _mm256_or_si256(attacks, _mm256_unpackhi_epi64(attacks, attacks));
    return {lowest_lane(_mm256_castsi256_si128(unions)), lowest_lane(_mm256_extracti128_si256(unions, 1))};
  }

  static void batch(const SliderBatch& sliders, Bitboard occupied, Bitboard* attacks) {
    std::uint64_t diagonal = bit(sliders.diagonal_end()) - 1;
    std::uint64_t orthogonal = ~Bitboard{0} << sliders.orthogonal_begin();
    for (unsigned first = 0; first < sliders.size(); first += 4, diagonal >>= 4, orthogonal >>= 4) {
      const std::uint8_t* square = sliders.squares + first;
      const __m256i low = pairs(rays_of(square[0], occupied), rays_of(square[1], occupied));
      const __m256i high = pairs(rays_of(square[2], occupied), rays_of(square[3], occupied));
      const auto diagonal_lanes = static_cast<__mmask8>(diagonal);
      const auto orthogonal_lanes = static_cast<__mmask8>(orthogonal);
      const __m256i bishops = _mm256_maskz_mov_epi64(diagonal_lanes, _mm256_permute2x128_si256(low, high, 0x20));
      const __m256i rooks = _mm256_permute2x128_si256(low, high, 0x31);
      const __m256i sets = _mm256_mask_or_epi64(bishops, orthogonal_lanes, bishops, rooks);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(attacks + first), sets);
    }
  }

 private:
  /// Two lanes; single words would need more addresses.
  struct alignas(16) Pair {
    Bitboard lower;
    Bitboard upper;
  };

  /// Element 4 * square: the bishop's rays that lead up, the rook's, the bishop's that lead down, the rook's.
  static constexpr Table<Pair, 64 * 4> masks = [] {
    Table<Pair, 64 * 4> table;
    constexpr Direction lanes[] = {Direction::northeast, Direction::northwest, Direction::east, Direction::north,
                                   Direction::southwest, Direction::southeast, Direction::west, Direction::south};
    for (unsigned i = 0; i < 64 * 4; ++i)
      table.data[i] = {ray(lanes[2 * i % 8], i / 4), ray(lanes[2 * i % 8 + 1], i / 4)};
    return table;
  }();

  static __m128i pair(Square s, unsigned i) { return masks.load128(std::uint64_t{4} * s + i); }
  static __m256i two_pairs(Square s, unsigned i) { return masks.load256(std::uint64_t{4} * s + i); }

  // Truth tables of VPTERNLOGQ: bit 4a + 2b + c is the result for the bits a, b and c.
  static constexpr int xor_and = 0b00101000;  ///< (a ^ b) & c
  static constexpr int or_and = 0b11111000;   ///< a | (b & c)

  /// In each lane, the squares up to the first blocker of a ray that leads up and of one that leads down.
  static __m128i rays(__m128i up, __m128i down, Bitboard occupied) {
    const __m128i o = _mm_set1_epi64x(word(occupied));
    const __m128i u = _mm_and_si128(up, o);
    const __m128i open_up = _mm_ternarylogic_epi64(u, _mm_add_epi64(u, _mm_set1_epi64x(-1)), up, xor_and);
    const __m128i zeros = _mm_lzcnt_epi64(_mm_and_si128(down, o));
    return _mm_ternarylogic_epi64(open_up, _mm_srav_epi64(_mm_set1_epi64x(word(bit(63))), zeros), down, or_and);
  }
  static __m256i rays(__m256i up, __m256i down, Bitboard occupied) {
    const __m256i o = _mm256_set1_epi64x(word(occupied));
    const __m256i u = _mm256_and_si256(up, o);
    const __m256i open_up = _mm256_ternarylogic_epi64(u, _mm256_add_epi64(u, _mm256_set1_epi64x(-1)), up, xor_and);
    const __m256i zeros = _mm256_lzcnt_epi64(_mm256_and_si256(down, o));
    return _mm256_ternarylogic_epi64(open_up, _mm256_srav_epi64(_mm256_set1_epi64x(word(bit(63))), zeros), down,
                                     or_and);
  }

  static __m256i rays_of(Square s, Bitboard occupied) { return rays(two_pairs(s, 0), two_pairs(s, 2), occupied); }

  /// Of the rays of two sliders: both bishop sets in the lower half, both rook sets in the upper one.
  static __m256i pairs(__m256i first, __m256i second) {
    return _mm256_or_si256(_mm256_unpacklo_epi64(first, second), _mm256_unpackhi_epi64(first, second));
  }

  static constexpr long long word(Bitboard b) { return static_cast<long long>(b); }

  static Bitboard lowest_lane(__m128i v) { return static_cast<Bitboard>(_mm_cvtsi128_si64(v)); }
  static Bitboard union_of_lanes(__m128i v) { return lowest_lane(_mm_or_si128(v, _mm_unpackhi_epi64(v, v))); }

 public:
  static constexpr std::array tables{table_info("masks", masks)};
};

}  // namespace slidebench
