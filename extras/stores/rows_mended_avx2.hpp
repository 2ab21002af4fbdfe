// SPDX-License-Identifier: MIT
//
// Mended rows in AVX2: moved as in rows_mended.hpp, asked as in rows_avx2.hpp.
//
// Inventor: this project. Source: extras/stores/rows_mended_avx2.hpp.
// State: as rows.hpp, 384 bytes. Loads: attacks 2, attackers 16, attacked 4; make and unmake read the mended rows
// alone. Relies on: AVX2.
#pragma once

#include "extras/stores/rows_avx2.hpp"
#include "extras/stores/rows_mended.hpp"

namespace slidebench {

struct RowArrayMendedAvx2 : RowArrayAvx2 {
  static constexpr MethodInfo info{.id = "rows_mended_avx2",
                                   .title = "Mended rows: cut and lengthened by what a square sees (AVX2)",
                                   .family = "store",
                                   .inventor = "slidebench, after Rose and Clockwork",
                                   .year = 2026,
                                   .reference = "extras/stores/rows_mended_avx2.hpp",
                                   .requires_isa = Isa::avx2};
};

template <AttackMethod M>
using RowsMendedAvx2 = MendedRowStore<M, RowArrayMendedAvx2>;

}  // namespace slidebench
