// SPDX-License-Identifier: MIT
//
// The ray layout: the squares around a square in 64 slots, eight directions of eight slots, and what follows from the
// pieces in them.
//
//      slot    8d    8d + 1  8d + 2  ...  8d + 7        d = 0 north, 1 northeast, 2 east, ... 7 northwest
//              a     1 step  2 steps      7 steps       (clockwise: d + 4 is the opposite direction)
//              knight's
//              target
//
// So a ray is seven bytes of a 64-bit word, the nearest square lowest, and the knight's target is the byte below them.
// Pieces are turned into classes, one bit each and 0 for nobody: then the first piece of a ray is the lowest bit of the
// word, and plain arithmetic on words finds it for all rays alike, its class included:
//
//      rays       classes & ~255            without the knights' slots
//      first      classes & (255 - rays)    who is first on each ray, and who stands a knight's jump away
//      open       rays ^ (rays - 1)         not 0 in each slot up to the first piece, and in the knight's
//      sliders    first & sliding           sliding: the classes that attack the square along a slot's ray
//
// The published form takes one bit a slot, carries all rays through one subtraction in a general register, and needs
// masks; these words stay where the bytes are.
//
// A slot beyond the edge holds the square itself, which is left out at the end. So nothing has to be masked.
//
// A slider on one ray attacks the squares of the opposite one as long as the square between them is empty: words d and
// d + 4, half a vector apart.
//
// Inventor: 87flowers (2025), after the shogi engine takotto (2016); classes as words are this project's.
// Source: https://87flowers.com. Tables: perm and inv, 64 x 64 bytes each.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "extras/stores/store.hpp"

namespace slidebench {

/// One byte for each slot, or for each square.
struct alignas(64) Slots {
  std::uint8_t at[64];
};

namespace ray_layout {

inline constexpr std::array<Direction, 8> clockwise{Direction::north,     Direction::northeast, Direction::east,
                                                    Direction::southeast, Direction::south,     Direction::southwest,
                                                    Direction::west,      Direction::northwest};
inline constexpr unsigned north = 0, northeast = 1, southeast = 3, southwest = 5, northwest = 7;
constexpr bool is_diagonal(unsigned d) { return d % 2 == 1; }

/// Whether a slot is a knight's target.
constexpr bool is_jump(unsigned slot) { return slot % 8 == 0; }

/// The set of the square in a slot, empty beyond the edge.
constexpr Bitboard target(Square s, unsigned slot) {
  const unsigned d = slot / 8;
  Bitboard b = bit(s);
  if (is_jump(slot)) {
    // One step straight, one oblique: north and northeast, northeast and east, east and southeast, ...
    return step(step(b, clockwise[d]), clockwise[(d + 1) % 8]);
  }
  for (unsigned k = 0; k < slot % 8; ++k) b = step(b, clockwise[d]);
  return b;
}

// The classes.
inline constexpr std::uint8_t white_pawn = 1, black_pawn = 2, knight = 4, bishop = 8, rook = 16, queen = 32, king = 64;

/// By piece; 0 for no_piece, and up to the 16 bytes that a vector lookup takes.
inline constexpr Table<std::uint8_t, 16> class_of_piece = [] {
  Table<std::uint8_t, 16> table;
  constexpr std::uint8_t of_type[6] = {white_pawn, knight, bishop, rook, queen, king};
  for (Piece p = 0; p < 12; ++p) table.data[p] = p == 6 ? black_pawn : of_type[type_of(p)];
  return table;
}();

/// By slot, the sliders that attack the square from there, and through it.
inline constexpr Table<Slots, 1> sliding = [] {
  Table<Slots, 1> table;
  for (unsigned slot = 0; slot < 64; ++slot) {
    const unsigned along = is_diagonal(slot / 8) ? bishop | queen : rook | queen;
    table.data[0].at[slot] = static_cast<std::uint8_t>(is_jump(slot) ? 0 : along);
  }
  return table;
}();

/// By square and slot the square there, itself beyond the edge.
inline constexpr Table<Slots, 64> perm = [] {
  Table<Slots, 64> table;
  for (Square s = 0; s < 64; ++s) {
    for (unsigned slot = 0; slot < 64; ++slot) {
      const Bitboard there = target(s, slot);
      table.data[s].at[slot] = static_cast<std::uint8_t>(there == 0 ? s : lowest_square(there));
    }
  }
  return table;
}();

/// By square s and square the slot in which it lies around s; `nowhere` if in none, which every permutation of bytes
/// takes for 0 or for slot 0.
inline constexpr std::uint8_t nowhere = 0x80;
inline constexpr Table<Slots, 64> inv = [] {
  Table<Slots, 64> table;
  for (Square s = 0; s < 64; ++s) {
    for (std::uint8_t& slot : table.data[s].at) slot = nowhere;
    for (unsigned slot = 0; slot < 64; ++slot) {
      const std::uint8_t there = perm.data[s].at[slot];
      if (there != s) table.data[s].at[there] = static_cast<std::uint8_t>(slot);
    }
  }
  return table;
}();

// Sets of slots.
inline constexpr std::uint64_t jumps = 0x0101010101010101;
inline constexpr std::uint64_t neighbours = 0x0202020202020202;
inline constexpr std::uint64_t rook_rays = 0x00FE00FE00FE00FE;
inline constexpr std::uint64_t bishop_rays = 0xFE00FE00FE00FE00;
inline constexpr std::uint64_t above = bit(8 * northeast + 1) | bit(8 * northwest + 1);
inline constexpr std::uint64_t below = bit(8 * southeast + 1) | bit(8 * southwest + 1);

/// By piece: the slots that it attacks if they are open.
inline constexpr Table<std::uint64_t, 12> attacked_slots = [] {
  Table<std::uint64_t, 12> table;
  constexpr std::uint64_t of_type[6] = {above, jumps, bishop_rays, rook_rays, bishop_rays | rook_rays, neighbours};
  for (Piece p = 0; p < 12; ++p) table.data[p] = p == 6 ? below : of_type[type_of(p)];
  return table;
}();

}  // namespace ray_layout

}  // namespace slidebench
