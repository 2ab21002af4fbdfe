// SPDX-License-Identifier: MIT
//
// Rows by rank in AVX-512: the ranks of rows_by_rank.hpp, with the squares and lists of rows_avx512.hpp.
//
// One VPTESTMB takes the place of four VPTESTMQ, and its result is the set of ids.
//
// Inventor: this project. Source: extras/stores/rows_by_rank_avx512.hpp.
// State: as rows.hpp, 384 bytes. Loads: attacks 9, attackers 5, attacked 8; make and unmake 1 for each changed square.
// Relies on: AVX-512 F, BW and VL, VBMI and BITALG.
#pragma once

#include "extras/stores/rows_avx512.hpp"
#include "extras/stores/rows_by_rank.hpp"

namespace slidebench {

struct RowsOfRanksAvx512 : RowsOfRanks {
  static constexpr MethodInfo info{.id = "rows_by_rank_avx512",
                                   .title = "Rows, kept rank by rank (AVX-512)",
                                   .family = "store",
                                   .inventor = "slidebench, after Aethdv (Soul)",
                                   .year = 2026,
                                   .reference = "extras/stores/rows_by_rank_avx512.hpp",
                                   .requires_isa = RowArrayAvx512::info.requires_isa | Isa::avx2};
  using Lister = ThreatCompressor;

  Ids meeting(Bitboard set, const Roster& roster) const {
    Ids ids = 0;
    while (set != 0) ids |= column(pop_lowest(set));
    return ids & roster.sliders;
  }

  Ids column(Square s, const PieceBoard&, const Roster&) const { return column(s); }

  Bitboard attackers(Square s, const PieceBoard&, const Roster& roster) const {
    return squares_of(column(s), roster.squares.data());
  }

 private:
  __mmask32 column(Square s) const {
    record_state(this, 32 * rank_of(s), 32);
    const __m256i rank = _mm256_load_si256(reinterpret_cast<const __m256i*>(&ranks[rank_of(s)]));
    return _mm256_test_epi8_mask(rank, _mm256_set1_epi8(static_cast<char>(1u << file_of(s))));
  }
};

template <AttackMethod M>
using RowsByRankAvx512 = RowStore<M, RowsOfRanksAvx512>;

}  // namespace slidebench
