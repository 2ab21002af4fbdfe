// SPDX-License-Identifier: MIT
//
// Magic with fixed shifts: constant shifts as in magic_plain.hpp, arrays of individual size as in magic_fancy.hpp.
//
// Every rook index has 12 bits, every bishop index 9, and the shift is a constant. But a square with fewer relevant
// squares does not need all the 2^12 (2^9) slots, and with a good factor its indices fill one short range of them:
//
//      slots of a square, plain      |......................................................|   4,096
//      those that it uses            |      xx.xxxxxxxx.xxxx                                |
//      fixed shift, its own array           |xx.xxxxxxxx.xxxx|next square...                    as long as the range
//
// The pointer of the square leads to where index 0 would be; what lies there belongs to other squares and is never read
// by this one. Against magic_fancy a query saves the load of the shift and on some processors a slower variable shift.
// The search asks for more (few indices, and close together), so its factors are rarer, and where none is found an
// array is longer.
//
// Inventor: Onno Garms (Winboard forum, 18 March 2009). Source: Chessprogramming wiki, Magic Bitboards.
// Tables: 8 bytes for each slot (fixed_shift_slots in fixed_shift_factors.hpp), and 64 records x 64 bytes = 4,096.
// Loads: 1 record (3 words) + 1 set. Relies on: a fast multiplication, and on the sets being in cache.
#pragma once

#include "methods/magic/fixed_shift_factors.hpp"
#include "methods/magic/offset_magic.hpp"

namespace slidebench {

struct MagicFixedShift
    : OffsetMagic<MagicHash::white, fixed_shift_bishop_factors, fixed_shift_rook_factors, fixed_shift_slots> {
  static constexpr MethodInfo info{.id = "magic_fixed_shift",
                                   .title = "Magic, fixed shifts",
                                   .family = "magic",
                                   .inventor = "O. Garms",
                                   .year = 2009,
                                   .reference = "https://www.chessprogramming.org/Magic_Bitboards",
                                   .requires_isa = Isa::none};
};

}  // namespace slidebench
