// SPDX-License-Identifier: MIT
//
// Rows by rank: the attack sets of rows.hpp, cut into ranks, so that a column lies in one place.
//
// A row of rows.hpp lies together, and a column, the pieces that attack a square, is spread over all 256 bytes. Here it
// is the other way round: the eight ranks of all rows are kept apart,
//
//      byte      0    1   ...  31
//      rank 1    id 0      ... id 31      which squares of rank 1 the pieces attack
//      rank 2    id 0      ... id 31      ...
//      ...
//      rank 8    id 0      ... id 31
//
// so that the pieces that attack a square are one bit in each of 32 bytes that lie together: one comparison, and the
// bits of its bytes are the ids. Searches are what a move does most (twice a move, four or eight vectors each in other
// forms; here one), but a row is read and written as eight bytes in eight places, some two dozen and sixteen
// instructions.
//
// What a side attacks is the union of sixteen bytes of each rank. Interleaving the ranks pairwise unites half of them
// at each step, and the order of the pairs (0 4, 2 6, 1 5, 3 7) leaves the ranks in order.
//
// Inventor: this project, after the rows of Soul (2026) and the bytes that petrel shuffles.
// Source: extras/stores/rows_by_rank.hpp.
// State: as rows.hpp, 384 bytes. Loads: attacks 9, attackers 2, attacked 8; make and unmake 1 for each changed square.
// Slow: rows are written as bytes and read as vectors, so that a question right after a move waits until these bytes
// have left the store buffer, and there are eight times as many of them. Relies on: AVX2.
#pragma once

#ifndef __AVX2__
#error "rows_by_rank needs AVX2: compile for x86-64-v3 or with -mavx2"
#endif

#include <immintrin.h>

#include "extras/stores/rows_avx2.hpp"

namespace slidebench {

struct RowsOfRanks {
  static constexpr MethodInfo info{.id = "rows_by_rank",
                                   .title = "Rows, kept rank by rank (AVX2)",
                                   .family = "store",
                                   .inventor = "slidebench, after Aethdv (Soul)",
                                   .year = 2026,
                                   .reference = "extras/stores/rows_by_rank.hpp",
                                   .requires_isa = Isa::avx2};
  using Lister = ThreatLoop;

  Bitboard get(unsigned id) const {
    Bitboard row = 0;
    for (unsigned r = 0; r < 8; ++r) {
      record_state(this, 32 * r + id, 1);
      row |= Bitboard{ranks[r][id]} << (8 * r);
    }
    return row;
  }
  void set(unsigned id, Bitboard row) {
    for (unsigned r = 0; r < 8; ++r) ranks[r][id] = static_cast<std::uint8_t>(row >> (8 * r));
  }

  Ids meeting(Bitboard set, const Roster& roster) const {
    Ids ids = 0;
    while (set != 0) ids |= column(pop_lowest(set));
    return ids & roster.sliders;
  }

  Ids column(Square s, const PieceBoard&, const Roster&) const { return column(s); }

  Bitboard attackers(Square s, const PieceBoard&, const Roster& roster) const {
    const __m256i squares = _mm256_load_si256(reinterpret_cast<const __m256i*>(roster.squares.data()));
    // Too far to shift, of those that do not attack.
    const __m256i shifts = _mm256_or_si256(squares, misses(s));
    const __m256i union_of_sides = _mm256_or_si256(squares_of_sixteen(_mm256_castsi256_si128(shifts)),
                                                   squares_of_sixteen(_mm256_extracti128_si256(shifts, 1)));
    return union_of_lanes(union_of_sides);
  }

  Bitboard of(Color color) const {
    const auto rank = [&](unsigned r) {
      const std::uint8_t* bytes = &ranks[r][16 * static_cast<unsigned>(color)];
      record_state(this, 32 * r + 16 * static_cast<unsigned>(color), 16);
      return _mm_load_si128(reinterpret_cast<const __m128i*>(bytes));
    };
    const __m128i even = interleaved(interleaved(rank(0), rank(4)), interleaved(rank(2), rank(6)));
    const __m128i odd = interleaved(interleaved(rank(1), rank(5)), interleaved(rank(3), rank(7)));
    const __m128i all = interleaved(even, odd);
    return static_cast<Bitboard>(_mm_cvtsi128_si64(_mm_or_si128(all, _mm_unpackhi_epi64(all, all))));
  }

  alignas(64) std::array<std::array<std::uint8_t, 32>, 8> ranks{};

 private:
  Ids column(Square s) const { return ~static_cast<Ids>(_mm256_movemask_epi8(misses(s))); }

  /// Ones in the bytes of the ids that do not attack a square.
  __m256i misses(Square s) const {
    record_state(this, 32 * rank_of(s), 32);
    const __m256i rank = _mm256_load_si256(reinterpret_cast<const __m256i*>(&ranks[rank_of(s)]));
    const __m256i file = _mm256_set1_epi8(static_cast<char>(1u << file_of(s)));
    return _mm256_cmpeq_epi8(_mm256_and_si256(rank, file), _mm256_setzero_si256());
  }

  static __m256i squares_of_sixteen(__m128i shifts) {
    return _mm256_or_si256(
        _mm256_or_si256(squares_of_four(shifts), squares_of_four(_mm_srli_si128(shifts, 4))),
        _mm256_or_si256(squares_of_four(_mm_srli_si128(shifts, 8)), squares_of_four(_mm_srli_si128(shifts, 12))));
  }

  /// Bytes of a and b in turn, two neighbours of each united.
  static __m128i interleaved(__m128i a, __m128i b) {
    return _mm_or_si128(_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b));
  }
};

template <AttackMethod M>
using RowsByRank = RowStore<M, RowsOfRanks>;

}  // namespace slidebench
