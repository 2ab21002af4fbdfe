// SPDX-License-Identifier: MIT
//
// Overlapped magic: the arrays of all 128 sliders and squares interleave in one table, each in the gaps of the others.
//
// With fixed shifts (magic_fixed_shift.hpp) a square uses some of its slots and leaves others empty: at both ends, and
// in between. Another square's array may lie across it, if what it uses falls into these gaps (or onto equal sets):
//
//      a rook on c4        xx.x..xx....x.xx
//      a rook on e6          x.xx..xxx..x....x         shifted against each other until no two x meet
//      a bishop on f5                 x....xx          the small ones fill what is left
//      the table           xxxxxxxxxxxxxxxxxxx
//
// It is a puzzle of 128 combs whose teeth can be chosen too, by choosing other factors; it is solved once, by a long
// search, and the factors and first slots are constants. A query does not notice: it is that of magic_fixed_shift.
//
// Inventor: Volker Annuss (Winboard forum, 5 September 2010; CCC, 6 May 2016), after an idea of Onno Garms (2009).
// Source: Chessprogramming wiki, Magic Bitboards. The factors here come from this project's own search.
// Tables: 8 bytes for each slot (overlapped_slots in overlapped_factors.hpp), and 64 records x 64 bytes = 4,096.
// Loads: 1 record (3 words) + 1 set. Relies on: a fast multiplication, and on the sets being in cache.
#pragma once

#include "methods/magic/offset_magic.hpp"
#include "methods/magic/overlapped_factors.hpp"

namespace slidebench {

struct MagicOverlapped
    : OffsetMagic<MagicHash::white, overlapped_bishop_factors, overlapped_rook_factors, overlapped_slots> {
  static constexpr MethodInfo info{.id = "magic_overlapped",
                                   .title = "Magic, fixed shifts, overlapped",
                                   .family = "magic",
                                   .inventor = "V. Annuss",
                                   .year = 2010,
                                   .reference = "https://www.chessprogramming.org/Magic_Bitboards",
                                   .requires_isa = Isa::none};
};

}  // namespace slidebench
