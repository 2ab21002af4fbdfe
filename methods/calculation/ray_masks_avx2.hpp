// SPDX-License-Identifier: MIT
//
// Ray masks in AVX2: the eight rays of a square in two registers, without a table beside the masks.
//
// On a ray that leads up, subtracting 1 finds the first blocker, the lowest occupied square: (u ^ (u - 1)) & up holds
// the squares up to and including it. On a ray that leads down it is the highest one, which AVX2 has no instruction to
// find; two ways round that:
//
//      all lines   Shadow: move the blockers on along their ray, by 1 to 6 steps. What they reach is hidden:
//                      t = d >> step | d >> 2 step      t |= t >> 2 step, twice      attacks = down & ~t
//      diagonals   Turn the board upside down, and down is up: a byte shuffle before the subtraction and one after it.
//
// The second takes two instructions instead of eight, but a rank lies within one byte and stays as it is: a bishop
// turns the board, and what has a rank takes the shadow. The masks of a square are one cache line, neighbouring lanes
// one piece:
//
//      lane       3      2      1          0
//      up         north  east   northwest  northeast
//      down       south  west   southeast  southwest
//                 +-- rook ---+ +----- bishop -----+
//
// Inventor: Toshihiko Okuhara (Cfish, May 2020), who took the shadow for queens and the turned board for bishops, and
// for rooks the latter with a first-rank table. Here one record serves all pieces.
// Source: https://github.com/syzygy1/Cfish/pull/115.
// Tables: 64 x 8 masks x 8 bytes = 4,096 bytes. Loads: 2, of 32 bytes (one piece: of 16), from one line.
// Relies on: AVX2 (variable shifts), and a short way between the register files.
#pragma once

#ifndef __AVX2__
#error "ray_masks_avx2 needs AVX2: compile for x86-64-v3 or with -mavx2"
#endif

#include <immintrin.h>

#include "methods/method.hpp"

namespace slidebench {

struct RayMasksAvx2 {
  static constexpr MethodInfo info{.id = "ray_masks_avx2",
                                   .title = "Ray masks, eight rays at once (AVX2)",
                                   .family = "calculation",
                                   .inventor = "T. Okuhara",
                                   .year = 2020,
                                   .reference = "https://github.com/syzygy1/Cfish/pull/115",
                                   .requires_isa = Isa::avx2};

  static Bitboard bishop(Square s, Bitboard occupied) {
    const __m128i up = masks.load128(std::uint64_t{4} * s);
    const __m128i down = masks.load128(std::uint64_t{4} * s + 2);
    const __m128i o = _mm_set1_epi64x(static_cast<long long>(occupied));
    const __m128i open_up = up_to_lowest(_mm_and_si128(up, o));
    const __m128i open_down = flip(up_to_lowest(flip(_mm_and_si128(down, o))));
    return union_of_lanes(_mm_or_si128(_mm_and_si128(open_up, up), _mm_and_si128(open_down, down)));
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    const __m128i up = masks.load128(std::uint64_t{4} * s + 1);
    const __m128i down = masks.load128(std::uint64_t{4} * s + 3);
    const __m128i o = _mm_set1_epi64x(static_cast<long long>(occupied));
    const __m128i one = _mm_set_epi64x(8, 1);
    const __m128i open_up = _mm_and_si128(up_to_lowest(_mm_and_si128(up, o)), up);
    const __m128i d = _mm_and_si128(down, o);
    const __m128i two = _mm_set_epi64x(16, 2);
    const __m128i t = _mm_or_si128(_mm_srlv_epi64(d, one), _mm_srlv_epi64(d, two));
    return union_of_lanes(_mm_or_si128(open_up, _mm_andnot_si128(moved_on(moved_on(t, two), two), down)));
  }

  static Bitboard queen(Square s, Bitboard occupied) {
    const __m256i attacks = rays_of(s, occupied);
    return union_of_lanes(_mm_or_si128(_mm256_castsi256_si128(attacks), _mm256_extracti128_si256(attacks, 1)));
  }

  static BishopRook both(Square s, Bitboard occupied) {
    const __m256i attacks = rays_of(s, occupied);
    const __m256i unions = _mm256_or_si256(attacks, _mm256_unpackhi_epi64(attacks, attacks));
    return {lowest_lane(_mm256_castsi256_si128(unions)), lowest_lane(_mm256_extracti128_si256(unions, 1))};
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

  /// In each lane, the squares up to the first blocker of a ray that leads up and of one that leads down.
  static __m256i rays_of(Square s, Bitboard occupied) {
    const __m256i up = masks.load256(std::uint64_t{4} * s);
    const __m256i down = masks.load256(std::uint64_t{4} * s + 2);
    const __m256i o = _mm256_set1_epi64x(static_cast<long long>(occupied));
    const __m256i one = _mm256_set_epi64x(8, 1, 7, 9);
    const __m256i open_up = _mm256_and_si256(up_to_lowest(_mm256_and_si256(up, o)), up);
    const __m256i d = _mm256_and_si256(down, o);
    const __m256i two = _mm256_set_epi64x(16, 2, 14, 18);
    const __m256i t = _mm256_or_si256(_mm256_srlv_epi64(d, one), _mm256_srlv_epi64(d, two));
    return _mm256_or_si256(open_up, _mm256_andnot_si256(moved_on(moved_on(t, two), two), down));
  }

  /// All squares up to and including the lowest of each lane's set; all of them for an empty set.
  static __m128i up_to_lowest(__m128i v) { return _mm_xor_si128(v, _mm_add_epi64(v, _mm_set1_epi64x(-1))); }
  static __m256i up_to_lowest(__m256i v) { return _mm256_xor_si256(v, _mm256_add_epi64(v, _mm256_set1_epi64x(-1))); }

  static __m128i moved_on(__m128i set, __m128i steps) { return _mm_or_si128(set, _mm_srlv_epi64(set, steps)); }
  static __m256i moved_on(__m256i set, __m256i steps) { return _mm256_or_si256(set, _mm256_srlv_epi64(set, steps)); }

  static __m128i flip(__m128i v) { return _mm_shuffle_epi8(v, _mm_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607)); }

  static Bitboard lowest_lane(__m128i v) { return static_cast<Bitboard>(_mm_cvtsi128_si64(v)); }
  static Bitboard union_of_lanes(__m128i v) { return lowest_lane(_mm_or_si128(v, _mm_unpackhi_epi64(v, v))); }

 public:
  static constexpr std::array tables{table_info("masks", masks)};
};

}  // namespace slidebench
