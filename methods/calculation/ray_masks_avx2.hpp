// SPDX-License-Identifier: MIT
//
// Ray masks in AVX2: the eight rays of a square in two registers, without a table beside the masks.
//
// On a ray that leads up, subtracting 1 finds the first blocker, the lowest occupied square: (u ^ (u - 1)) & up holds
// the squares up to and including it. On a ray that leads down it is the highest one, which AVX2 has no instruction to
// find; two ways round that:
//
//      all lines   Shadow: move the blockers on along their ray, by 1 to 6 steps, each lane by a count of its own. What
//                  they reach is hidden, the rest of the ray is attacked.
//                      t = d >> step | d >> 2 step      t |= t >> 2 step, twice      attacks = down & ~t
//      diagonals   Turn the board upside down, and down is up: a byte shuffle before the subtraction and one after it.
//                  Two instructions instead of eight, but a rank lies within one byte and stays as it is.
//
// A bishop turns the board; what has a rank takes the shadow. The masks of a square are one cache line, neighbouring
// lanes one piece:
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
    const __m128i up = masks.load128(std::size_t{4} * s);
    const __m128i down = masks.load128(std::size_t{4} * s + 2);
    const __m128i o = _mm_set1_epi64x(word(occupied));
    const __m128i open_up = up_to_lowest(_mm_and_si128(up, o));
    const __m128i open_down = swap(up_to_lowest(swap(_mm_and_si128(down, o))));
    return union_of_lanes(_mm_or_si128(_mm_and_si128(open_up, up), _mm_and_si128(open_down, down)));
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    const __m128i up = masks.load128(std::size_t{4} * s + 1);
    const __m128i down = masks.load128(std::size_t{4} * s + 3);
    const __m128i o = _mm_set1_epi64x(word(occupied));
    const __m128i open_up = _mm_and_si128(up_to_lowest(_mm_and_si128(up, o)), up);
    const __m128i d = _mm_and_si128(down, o);
    const __m128i step = _mm_set_epi64x(8, 1);
    const __m128i two_steps = _mm_set_epi64x(16, 2);
    __m128i hidden = _mm_or_si128(_mm_srlv_epi64(d, step), _mm_srlv_epi64(d, two_steps));
    hidden = _mm_or_si128(hidden, _mm_srlv_epi64(hidden, two_steps));
    hidden = _mm_or_si128(hidden, _mm_srlv_epi64(hidden, two_steps));
    return union_of_lanes(_mm_or_si128(open_up, _mm_andnot_si128(hidden, down)));
  }

  static Bitboard queen(Square s, Bitboard occupied) {
    const __m256i attacks = rays_of(s, occupied);
    return union_of_lanes(_mm_or_si128(lower(attacks), upper(attacks)));
  }

  static BishopRook both(Square s, Bitboard occupied) {
    const __m256i attacks = rays_of(s, occupied);
    const __m256i unions = _mm256_or_si256(attacks, _mm256_unpackhi_epi64(attacks, attacks));
    return {lowest_lane(lower(unions)), lowest_lane(upper(unions))};
  }

 private:
  /// Two neighbouring lanes. In elements of this size the four addresses of a square are one register and constants; in
  /// elements of one word compilers compute each of them.
  struct alignas(16) Pair {
    Bitboard lower;
    Bitboard upper;
  };

  /// Element 4 * square: the bishop's rays that lead up, the rook's, the bishop's that lead down, the rook's.
  static constexpr Table<Pair, 64 * 4> masks = [] {
    Table<Pair, 64 * 4> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[4 * s] = {ray(Direction::northeast, s), ray(Direction::northwest, s)};
      table.data[4 * s + 1] = {ray(Direction::east, s), ray(Direction::north, s)};
      table.data[4 * s + 2] = {ray(Direction::southwest, s), ray(Direction::southeast, s)};
      table.data[4 * s + 3] = {ray(Direction::west, s), ray(Direction::south, s)};
    }
    return table;
  }();

  /// In each lane, the squares up to the first blocker of a ray that leads up and of one that leads down.
  static __m256i rays_of(Square s, Bitboard occupied) {
    const __m256i up = masks.load256(std::size_t{4} * s);
    const __m256i down = masks.load256(std::size_t{4} * s + 2);
    const __m256i o = _mm256_set1_epi64x(word(occupied));
    const __m256i u = _mm256_and_si256(up, o);
    const __m256i open_up = _mm256_and_si256(_mm256_xor_si256(u, _mm256_add_epi64(u, _mm256_set1_epi64x(-1))), up);
    const __m256i d = _mm256_and_si256(down, o);
    const __m256i step = _mm256_set_epi64x(8, 1, 7, 9);
    const __m256i two_steps = _mm256_set_epi64x(16, 2, 14, 18);
    __m256i hidden = _mm256_or_si256(_mm256_srlv_epi64(d, step), _mm256_srlv_epi64(d, two_steps));
    hidden = _mm256_or_si256(hidden, _mm256_srlv_epi64(hidden, two_steps));
    hidden = _mm256_or_si256(hidden, _mm256_srlv_epi64(hidden, two_steps));
    return _mm256_or_si256(open_up, _mm256_andnot_si256(hidden, down));
  }

  /// All squares up to and including the lowest of each lane's set; all of them for an empty set.
  static __m128i up_to_lowest(__m128i set) { return _mm_xor_si128(set, _mm_add_epi64(set, _mm_set1_epi64x(-1))); }

  static constexpr long long word(Bitboard b) { return static_cast<long long>(b); }

  /// Reverses the bytes of each lane: the board upside down.
  static __m128i swap(__m128i lanes) {
    return _mm_shuffle_epi8(lanes, _mm_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607));
  }

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
