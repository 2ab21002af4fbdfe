// SPDX-License-Identifier: MIT
//
// Rows in AVX2: the attack sets of rows.hpp, all 32 searched at once.
//
// A search compares four rows at a time with the squares looked for, eight times. The eight results, four lanes of
// zeros or ones each, are packed to a byte an id, and one instruction takes a bit of each byte:
//
//      8 x 4 lanes of 64 bits -> 4 x 8 of 32 -> 2 x 16 of 16 -> 32 bytes -> 32 bits
//
// Packing works in each half of a register alone, and leaves ids 0, 1, 4, 5 ... in the lower and 2, 3, 6, 7 ... in the
// upper one; two permutations set that right.
//
// Who attacks a square is wanted as squares, not as ids: each lane shifts a 1 to its piece's square and keeps it if its
// row holds the square. No loop over the attackers, whose number no predictor knows.
//
// Inventor: Aethdv (engine Soul). Source: https://github.com/Aethdv/Soul/pull/123 (2026); packing and shifting are this
// project's. State: as rows.hpp, 384 bytes. Loads: attacks 2, attackers 16, attacked 4; make and unmake 8 for each
// search. Slow: rows are written as words and read as vectors, so that a question right after a move waits until these
// words have left the store buffer. Relies on: AVX2.
#pragma once

#ifndef __AVX2__
#error "rows_avx2 needs AVX2: compile for x86-64-v3 or with -mavx2"
#endif

#include <immintrin.h>

#include "extras/stores/rows.hpp"

namespace slidebench {

/// Of four lanes: the union.
inline Bitboard union_of_lanes(__m256i lanes) {
  const __m128i pair = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
  return static_cast<Bitboard>(_mm_cvtsi128_si64(_mm_or_si128(pair, _mm_unpackhi_epi64(pair, pair))));
}

/// In each of four lanes, the square of a piece as a set; nothing of one that was captured.
inline __m256i squares_of_four(__m128i squares) {
  return _mm256_sllv_epi64(_mm256_set1_epi64x(1), _mm256_cvtepu8_epi64(squares));
}

struct RowArrayAvx2 : RowArray {
  static constexpr MethodInfo info{.id = "rows_avx2",
                                   .title = "Rows: an attack set for each piece (AVX2)",
                                   .family = "store",
                                   .inventor = "Aethdv (Soul)",
                                   .year = 2026,
                                   .reference = "https://github.com/Aethdv/Soul/pull/123",
                                   .requires_isa = Isa::avx2};

  /// Of a size that compilers rather call, and spill all around the call.
  [[gnu::always_inline]] Ids meeting(Bitboard set, const Roster& roster) const {
    const __m256i squares = _mm256_set1_epi64x(static_cast<long long>(set));
    const __m256i bytes = _mm256_packs_epi16(misses(0, squares), misses(16, squares));
    const __m256i quarters = _mm256_permute4x64_epi64(bytes, 0b11'01'10'00);
    const __m256i in_order = _mm256_shuffle_epi8(
        quarters, _mm256_broadcastsi128_si256(_mm_set_epi8(15, 14, 7, 6, 13, 12, 5, 4, 11, 10, 3, 2, 9, 8, 1, 0)));
    return ~static_cast<Ids>(_mm256_movemask_epi8(in_order)) & roster.sliders;
  }

  Bitboard attackers(Square s, const PieceBoard&, const Roster& roster) const {
    const __m256i square = _mm256_set1_epi64x(static_cast<long long>(bit(s)));
    __m256i squares = _mm256_setzero_si256();
    for (unsigned id = 0; id < 32; id += 4) {
      const __m256i attacks = _mm256_cmpeq_epi64(_mm256_and_si256(four(id), square), square);
      squares =
          _mm256_or_si256(squares, _mm256_and_si256(attacks, squares_of_four(_mm_loadu_si32(&roster.squares[id]))));
    }
    return union_of_lanes(squares);
  }

  Bitboard of(Color color) const {
    const unsigned first = 16 * static_cast<unsigned>(color);
    return union_of_lanes(_mm256_or_si256(_mm256_or_si256(four(first), four(first + 4)),
                                          _mm256_or_si256(four(first + 8), four(first + 12))));
  }

 private:
  __m256i four(unsigned id) const { return _mm256_load_si256(reinterpret_cast<const __m256i*>(&rows[id])); }

  /// Of sixteen rows, as ones in 16 bits each: those that do not meet a set.
  __m256i misses(unsigned id, __m256i set) const {
    const __m256i none = _mm256_setzero_si256();
    __m256i four_miss[4];
    for (unsigned i = 0; i < 4; ++i) four_miss[i] = _mm256_cmpeq_epi64(_mm256_and_si256(four(id + 4 * i), set), none);
    return _mm256_packs_epi32(_mm256_packs_epi32(four_miss[0], four_miss[1]),
                              _mm256_packs_epi32(four_miss[2], four_miss[3]));
  }
};

template <AttackMethod M>
using RowsAvx2 = RowStore<M, RowArrayAvx2>;

}  // namespace slidebench
