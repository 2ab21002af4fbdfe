// SPDX-License-Identifier: MIT
//
// Switch: no data, only code. Every square has a routine of its own, with all that is known about it written in.
//
// A target on a ray is attacked if nothing stands between it and the slider; the nearest one always is. For a rook on
// b4, northwards:
//
//      attacks = b5
//      if ((occupied & b5) == 0)          attacks |= b6
//      if ((occupied & (b5 | b6)) == 0)   attacks |= b7
//      if ((occupied & (b5 | b6 | b7)) == 0)   attacks |= b8        and so for the other rays
//
// Masks and targets are constants in the instructions, and no condition waits for another. What looks like a method
// without memory reads its code instead of tables: 94 to 313 bytes a routine, 24 KiB in all (GCC 12, x86-64-v3),
// through the instruction cache. The routines are found by a table of their addresses, where others would write a
// switch and let the compiler make it.
//
// Inventor: Daniel Infuehr (2019), with routines from a minimiser of two-level logic; here the compiler makes them from
// one template. His name for it is the statement that chose them.
// Source: https://github.com/Gigantua/Chess_Movegen (Switch).
// Tables: 2 x 64 addresses x 8 bytes = 1,024 bytes. Loads: 1, and the routine. Relies on: the instruction cache, and on
// the processor's guess where an indirect call leads.
#pragma once

#include <utility>

#include "methods/method.hpp"

namespace slidebench {
namespace switch_rays {

using Routine = Bitboard (*)(Bitboard occupied);

/// What is attacked on a ray beyond `last`, if the squares `between` the slider and the next one are empty.
template <Direction d, Bitboard last, Bitboard between>
constexpr Bitboard ray_beyond(Bitboard occupied) {
  constexpr Bitboard next = step(last, d);
  if constexpr (next == 0) {
    return 0;
  } else {
    return ((occupied & between) == 0 ? next : 0) | ray_beyond<d, next, between | next>(occupied);
  }
}

template <Square s, Direction... directions>
Bitboard routine(Bitboard occupied) {
  return (ray_beyond<directions, bit(s), 0>(occupied) | ...);
}

template <std::size_t... squares>
constexpr Table<Routine, 64> bishop_routines(std::index_sequence<squares...>) {
  return {
      {&routine<squares, Direction::northeast, Direction::northwest, Direction::southwest, Direction::southeast>...}};
}

template <std::size_t... squares>
constexpr Table<Routine, 64> rook_routines(std::index_sequence<squares...>) {
  return {{&routine<squares, Direction::north, Direction::east, Direction::south, Direction::west>...}};
}

}  // namespace switch_rays

struct SwitchRays {
  static constexpr MethodInfo info{.id = "switch_rays",
                                   .title = "Switch (a routine for each square)",
                                   .family = "calculation",
                                   .inventor = "D. Infuehr",
                                   .year = 2019,
                                   .reference = "https://github.com/Gigantua/Chess_Movegen",
                                   .requires_isa = Isa::none};

  static Bitboard bishop(Square s, Bitboard occupied) { return bishops[s](occupied); }
  static Bitboard rook(Square s, Bitboard occupied) { return rooks[s](occupied); }

 private:
  static constexpr Table<switch_rays::Routine, 64> bishops =
      switch_rays::bishop_routines(std::make_index_sequence<64>());
  static constexpr Table<switch_rays::Routine, 64> rooks = switch_rays::rook_routines(std::make_index_sequence<64>());

 public:
  static constexpr std::array tables{table_info("bishops", bishops), table_info("rooks", rooks)};
};

}  // namespace slidebench
