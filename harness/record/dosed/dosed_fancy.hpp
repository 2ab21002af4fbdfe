// SPDX-License-Identifier: MIT
//
// Fancy magic whose queries cost more by the dose that the program is started with: SLIDEBENCH_DOSE=cycles=12 and the
// like. The engine here pays for it what it pays; a replay shows whether it pays the same.
#pragma once

#define SLIDEBENCH_DOSE
#include "harness/record/slidebench_record.h"
#include "methods/magic/magic_fancy.hpp"

namespace slidebench {

struct DosedFancy : MagicFancy {
  static constexpr MethodInfo info = [] {
    MethodInfo dosed = MagicFancy::info;
    dosed.id = "dosed_fancy";
    dosed.title = "Fancy magic, dosed";
    dosed.inventor = "slidebench";
    dosed.year = 2026;
    dosed.reference = "harness/record/dosed";
    return dosed;
  }();

  static Bitboard bishop(Square s, Bitboard occupied) {
    sb_record_bishop(s, occupied);
    return MagicFancy::bishop(s, occupied);
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    sb_record_rook(s, occupied);
    return MagicFancy::rook(s, occupied);
  }

  static Bitboard queen(Square s, Bitboard occupied) {
    sb_record_queen(s, occupied);
    return queen_attacks<MagicFancy>(s, PlainBoard(occupied));
  }

  static BishopRook both(Square s, Bitboard occupied) {
    sb_record_both(s, occupied);
    return both_attacks<MagicFancy>(s, PlainBoard(occupied));
  }
};

}  // namespace slidebench
