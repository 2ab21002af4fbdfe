// SPDX-License-Identifier: MIT
//
// The four-lane hyperbola as an engine asks it, `both` at once, with its last steps in several forms.
//
// Up to the four lines of a square, each in its lane, the forms are one (hyperbola_avx2 explains these steps). Then the
// bishop's two lines are united, the file is joined by the rank, and both answers leave the vector:
//
//      lane        3             2             1         0
//      lines       antidiagonal  -             diagonal  file          bishop high: the order of Stockfish
//                  -             antidiagonal  file      diagonal      bishop low: it leaves by VMOVQ
//
//      halves      upper half to the lower one, OR                     extract: VEXTRACTI128, then 128 bits wide
//                                                                      permute: VPERMQ, still 256 bits wide
//      answers     lane 0 by VMOVQ, lane 1 by VPEXTRQ                  one micro-operation and two
//
// The rank waits for none of this: shift or BEXTR, a load of one byte, a shift. reports/archive compares the
// forms.
//
// A bishop or a rook alone is a part of `both`, as in Stockfish: the compiler leaves out what is not asked for, and a
// caller that asks for both by two queries shares the steps.
#pragma once

#ifndef __AVX2__
#error "the forms of hyperbola_both.hpp need AVX2: compile for x86-64-v3 or with -mavx2"
#endif

#include <immintrin.h>

#include "methods/calculation/first_rank.hpp"
#include "methods/method.hpp"

namespace slidebench {

/// How the upper half of the vector comes to the lower one.
enum class Halves { extract, permute };

/// Whether the bishop's lines are the higher of each two lanes (it leaves by VPEXTRQ), or the lower (by VMOVQ).
enum class BishopLanes { high, low };

/// How the squares of the rank become an index: SHRX, AND and a scale of four, or BEXTR.
enum class RankIndex { shift, bextr };

template <Halves halves, BishopLanes bishop_lanes, RankIndex rank_index>
struct HyperbolaBoth {
  static Bitboard bishop(Square s, Bitboard occupied) { return bishop_of(unite_halves(line_attacks(s, occupied))); }
  static Bitboard rook(Square s, Bitboard occupied) { return both(s, occupied).rook; }
  static Bitboard queen(Square s, Bitboard occupied) {
    const BishopRook sets = both(s, occupied);
    return sets.bishop | sets.rook;
  }

  static BishopRook both(Square s, Bitboard occupied) {
    const __m256i lines = line_attacks(s, occupied);
    const Bitboard rank = rank_attacks(s, occupied);
    const __m128i united = unite_halves(lines);
    if constexpr (bishop_lanes == BishopLanes::high) {
      return {bishop_of(united), lane_0(united) | rank};
    } else {
      // The file needs no union, so that its VPEXTRQ does not wait for the halves.
      return {bishop_of(united), lane_1(_mm256_castsi256_si128(lines)) | rank};
    }
  }

 private:
  struct alignas(64) Record {
    Bitboard lines[4];
    Bitboard slider;
    Bitboard flipped_slider;
    const std::uint8_t* rank_sets;  ///< of the square's file
    std::uint64_t rank_field;       ///< the first square of the rank; for BEXTR also 256 times the length, 7
  };

  /// Element 128 * file + (occupancy of files a to g): the attacks along the first rank. With the a-file in it, the
  /// first square of BEXTR's field is the count of the shift back. Of use to BEXTR alone.
  static constexpr Table<std::uint8_t, std::size_t{8}* 128> seven_square_sets = [] {
    Table<std::uint8_t, std::size_t{8} * 128> table;
    for (unsigned i = 0; i < 8 * 128; ++i) table.data[i] = first_rank_attacks.data[64 * (i / 128) + i % 128 / 2];
    return table;
  }();

  static constexpr Table<Record, 64> records = [] {
    constexpr bool high = bishop_lanes == BishopLanes::high;
    constexpr bool shift = rank_index == RankIndex::shift;
    Table<Record, 64> table;
    for (Square s = 0; s < 64; ++s) {
      const std::size_t file = file_of(s);
      table.data[s] = {{high ? file_mask(s) : diagonal_mask(s), high ? diagonal_mask(s) : file_mask(s),
                        high ? 0 : antidiagonal_mask(s), high ? antidiagonal_mask(s) : 0},
                       bit(s),
                       bit(63 - s),
                       shift ? first_rank_by_inner.data + file : seven_square_sets.data + 128 * file,
                       (s & 56) + (shift ? 0 : 7 * 256)};
    }
    return table;
  }();

  /// The attacks along the four lines of the record, each in its lane.
  static __m256i line_attacks(Square s, Bitboard occupied) {
    const __m256i masks = records.load256(s);
    const __m256i o = _mm256_and_si256(masks, everywhere(occupied));
    const __m256i up = _mm256_sub_epi64(o, everywhere(records.member(s, &Record::slider)));
    const __m256i down = swap(_mm256_sub_epi64(swap(o), everywhere(records.member(s, &Record::flipped_slider))));
    return _mm256_and_si256(_mm256_xor_si256(up, down), masks);
  }

  static __m128i unite_halves(__m256i lines) {
    if constexpr (halves == Halves::extract) {
      return _mm_or_si128(_mm256_castsi256_si128(lines), _mm256_extracti128_si256(lines, 1));
    } else {
      return _mm256_castsi256_si128(_mm256_or_si256(lines, _mm256_permute4x64_epi64(lines, 0b01'00'11'10)));
    }
  }

  static Bitboard bishop_of(__m128i united) {
    return bishop_lanes == BishopLanes::high ? lane_1(united) : lane_0(united);
  }

  static Bitboard rank_attacks(Square s, Bitboard occupied) {
    const std::uint64_t field = records.member(s, &Record::rank_field);
    if constexpr (rank_index == RankIndex::shift) {
      const auto sets = first_rank_by_inner.from(records.member(s, &Record::rank_sets));
      const Bitboard twice_inner = (occupied >> field) & 126;
      return Bitboard{sets[4 * twice_inner]} << field;
    } else {
      const auto sets = seven_square_sets.from(records.member(s, &Record::rank_sets));
      return Bitboard{sets[__builtin_ia32_bextr_u64(occupied, field)]} << (field & 63);
    }
  }

  static __m256i everywhere(Bitboard b) { return _mm256_set1_epi64x(static_cast<long long>(b)); }

  /// Reverses the bytes of each lane.
  static __m256i swap(__m256i lanes) {
    return _mm256_shuffle_epi8(
        lanes, _mm256_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607, 0x08090A0B0C0D0E0F, 0x0001020304050607));
  }

  static Bitboard lane_0(__m128i lanes) { return static_cast<Bitboard>(_mm_cvtsi128_si64(lanes)); }
  static Bitboard lane_1(__m128i lanes) { return static_cast<Bitboard>(_mm_extract_epi64(lanes, 1)); }

 public:
  static constexpr std::array tables{table_info("records", records), rank_index == RankIndex::shift
                                                                         ? table_info("first_rank", first_rank_by_inner)
                                                                         : table_info("first_rank", seven_square_sets)};
};

}  // namespace slidebench
