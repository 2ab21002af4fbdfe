// SPDX-License-Identifier: MIT
//
// Black magic: multiply the occupancy with everything that does not matter switched on, instead of off.
//
//      white:   (occupied &  mask) * factor >> 52      magic_overlapped.hpp
//      black:   (occupied | ~mask) * factor >> 52      the record holds ~mask; one OR instead of one AND
//
// What is or-ed in is a constant of the square, and it reaches the product as a constant c that is added:
//
//      (occupied | ~mask) * factor  =  (occupied & mask) * factor + c,      c = ~mask * factor
//
// So a black factor is a white one whose indices are moved around the circle of 2^12 (2^9) slots by a distance of its
// own, not always a whole number of slots. That gives the search another freedom: the used indices of a square can be
// pushed together in one range that does not wrap around the end, and the arrays then overlap more tightly.
//
// Inventors: Volker Annuss and Niklas Fiekas (CCC, 2016 and 2017). Source: github.com/niklasf/magics. The factors here
// come from this project's own search.
// Tables: 8 bytes for each slot (black_slots in black_factors.hpp), and 64 records x 64 bytes = 4,096.
// Loads: 1 record (3 words) + 1 set. Relies on: a fast multiplication, and on the sets being in cache.
#pragma once

#include "methods/magic/black_factors.hpp"
#include "methods/magic/offset_magic.hpp"

namespace slidebench {

struct MagicBlack : OffsetMagic<MagicHash::black, black_bishop_factors, black_rook_factors, black_slots> {
  static constexpr MethodInfo info{.id = "magic_black",
                                   .title = "Black magic, overlapped",
                                   .family = "magic",
                                   .inventor = "V. Annuss, N. Fiekas",
                                   .year = 2017,
                                   .reference = "https://github.com/niklasf/magics",
                                   .requires_isa = Isa::none};
};

}  // namespace slidebench
