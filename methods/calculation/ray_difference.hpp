// SPDX-License-Identifier: MIT
//
// Obstruction difference on all four lines at once: one subtraction finds the first blockers of both directions.
//
// ray_masks_avx512.hpp treats the rays that lead up and those that lead down apart, and then unites them. Obstruction
// difference needs no two ends: U - L, with U the occupied squares above the slider and L the highest one below, flips
// the bits from L up to the lowest of U. The shift that fills the zeros above L with the sign is -L already, and -1
// where there is no L, so that nothing has to be put in for it:
//
//      u = occupied & up                          the squares above
//      t = top bit >> zeros above (occupied & down)          arithmetic: -L, or -1
//      attacks = (u ^ (u + t)) & line
//
// Six instructions for four lines instead of seven, and each mask is read once, by the instruction that needs it: no
// loads of their own (two in ray_masks_avx512). It waits a cycle longer, and reads three masks a line instead of two.
//
// Tables: 64 x 16 words (12 masks, the rest is padding) x 8 bytes = 8,192 bytes. Loads: 3, of 32 bytes (one piece: of
// 16), from two lines.
#pragma once

#if !defined(__AVX512VL__) || !defined(__AVX512CD__)
#error "ray_difference needs AVX-512VL and CD: compile for x86-64-v4 or with -mavx512vl -mavx512cd"
#endif

#include <immintrin.h>

#include "methods/method.hpp"

namespace slidebench {

struct RayDifference {
  static constexpr MethodInfo info{.id = "ray_difference",
                                   .title = "Obstruction difference, four lines at once (AVX-512)",
                                   .family = "calculation",
                                   .inventor = "slidebench, after M. Hoffmann and T. Okuhara",
                                   .year = 2026,
                                   .reference = "methods/calculation/ray_difference.hpp",
                                   .requires_isa = Isa::avx512f | Isa::avx512vl | Isa::avx512cd};

  static Bitboard bishop(Square s, Bitboard occupied) {
    return union_of_lanes(lines(up(s)[0], down(s)[0], line(s)[0], occupied));
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    return union_of_lanes(lines(up(s)[1], down(s)[1], line(s)[1], occupied));
  }

  static Bitboard queen(Square s, Bitboard occupied) {
    const __m256i attacks = lines(s, occupied);
    return union_of_lanes(_mm_or_si128(lower(attacks), upper(attacks)));
  }

  static BishopRook both(Square s, Bitboard occupied) {
    const __m256i attacks = lines(s, occupied);
    const __m256i unions = _mm256_or_si256(attacks, _mm256_unpackhi_epi64(attacks, attacks));
    return {lowest_lane(lower(unions)), lowest_lane(upper(unions))};
  }

 private:
  /// The two lines of one piece, in neighbouring lanes.
  struct alignas(16) Pair {
    Bitboard lower;
    Bitboard upper;
  };

  /// The bishop's pair and the rook's.
  using Pairs = Pair[2];

  struct alignas(64) Record {
    Pairs up;    ///< the rays that lead up
    Pairs down;  ///< those that lead down
    Pairs line;  ///< both
  };

  static constexpr Table<Record, 64> records = [] {
    Table<Record, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {{{ray(Direction::northeast, s), ray(Direction::northwest, s)},
                        {ray(Direction::east, s), ray(Direction::north, s)}},
                       {{ray(Direction::southwest, s), ray(Direction::southeast, s)},
                        {ray(Direction::west, s), ray(Direction::south, s)}},
                       {{diagonal_mask(s), antidiagonal_mask(s)}, {rank_mask(s), file_mask(s)}}};
    }
    return table;
  }();

  static const Pairs& up(Square s) { return records.member(s, &Record::up); }
  static const Pairs& down(Square s) { return records.member(s, &Record::down); }
  static const Pairs& line(Square s) { return records.member(s, &Record::line); }

  /// Truth table of VPTERNLOGQ, bit 4a + 2b + c being the result for the bits a, b and c: (a ^ b) & c.
  static constexpr int xor_and = 0b00101000;

  static __m128i lines(const Pair& up, const Pair& down, const Pair& line, Bitboard occupied) {
    const __m128i o = _mm_set1_epi64x(word(occupied));
    const __m128i u = _mm_and_si128(o, load(up));
    const __m128i zeros = _mm_lzcnt_epi64(_mm_and_si128(o, load(down)));
    const __m128i difference = _mm_add_epi64(u, _mm_srav_epi64(_mm_set1_epi64x(top), zeros));
    return _mm_ternarylogic_epi64(difference, u, load(line), xor_and);
  }

  static __m256i lines(Square s, Bitboard occupied) {
    const __m256i o = _mm256_set1_epi64x(word(occupied));
    const __m256i u = _mm256_and_si256(o, load(up(s)));
    const __m256i zeros = _mm256_lzcnt_epi64(_mm256_and_si256(o, load(down(s))));
    const __m256i difference = _mm256_add_epi64(u, _mm256_srav_epi64(_mm256_set1_epi64x(top), zeros));
    return _mm256_ternarylogic_epi64(difference, u, load(line(s)), xor_and);
  }

  static __m128i load(const Pair& pair) { return _mm_load_si128(reinterpret_cast<const __m128i*>(&pair)); }
  static __m256i load(const Pairs& pairs) { return _mm256_load_si256(reinterpret_cast<const __m256i*>(&pairs)); }

  static constexpr long long word(Bitboard b) { return static_cast<long long>(b); }
  static constexpr long long top = static_cast<long long>(bit(63));

  static __m128i lower(__m256i lanes) { return _mm256_castsi256_si128(lanes); }
  static __m128i upper(__m256i lanes) { return _mm256_extracti128_si256(lanes, 1); }
  static Bitboard lowest_lane(__m128i lanes) { return static_cast<Bitboard>(_mm_cvtsi128_si64(lanes)); }
  static Bitboard union_of_lanes(__m128i lanes) {
    return lowest_lane(_mm_or_si128(lanes, _mm_unpackhi_epi64(lanes, lanes)));
  }

 public:
  static constexpr std::array tables{table_info("records", records)};
};

}  // namespace slidebench
