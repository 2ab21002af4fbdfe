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
//      attackers  first & attacking         attacking: the classes that attack the square from a slot
//
// The published form takes one bit a slot, carries all rays through one subtraction in a general register, and needs
// masks; these words stay where the bytes are.
//
// A slot beyond the edge holds the square itself. While one asks for threats that square is empty, and so are those
// slots; in other answers the square is left out at the end. So nothing has to be masked.
//
// A slider on one ray attacks what stands first on the opposite one as long as the square between them is empty: words
// d and d + 4, half a vector apart.
//
// Inventor: 87flowers (2025), after the shogi engine takotto (2016); classes as words are this project's.
// Source: https://87flowers.com. Tables: perm and inv, 64 x 64 bytes each.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "harness/chess/store.hpp"

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

/// The sliders that move along a slot's direction, and all others that attack from it.
constexpr std::uint8_t sliders_from(unsigned slot) {
  return is_jump(slot) ? 0 : is_diagonal(slot / 8) ? bishop | queen : rook | queen;
}
constexpr std::uint8_t leapers_from(unsigned slot) {
  const unsigned d = slot / 8;
  if (is_jump(slot)) return knight;
  if (slot % 8 != 1) return 0;
  // A white pawn attacks upward, so it stands below.
  if (d == southeast || d == southwest) return king | white_pawn;
  if (d == northeast || d == northwest) return king | black_pawn;
  return king;
}

template <class Value>
constexpr Slots slots_of(Value value) {
  Slots slots{};
  for (unsigned slot = 0; slot < 64; ++slot) slots.at[slot] = static_cast<std::uint8_t>(value(slot));
  return slots;
}

// By slot, what a class there has to be.
inline constexpr unsigned attacking = 0;    ///< attacks the square
inline constexpr unsigned threatening = 1;  ///< the same without kings
inline constexpr unsigned sliding = 2;      ///< attacks the square, and through it
inline constexpr unsigned other_end = 3;    ///< stands at the other end of such an attack, and is no king
inline constexpr Table<Slots, 4> classes = [] {
  Table<Slots, 4> table;
  table.data[attacking] = slots_of([](unsigned slot) { return sliders_from(slot) | leapers_from(slot); });
  table.data[threatening] = slots_of([](unsigned slot) { return (sliders_from(slot) | leapers_from(slot)) & ~king; });
  table.data[sliding] = slots_of([](unsigned slot) { return sliders_from(slot); });
  table.data[other_end] = slots_of([](unsigned slot) { return is_jump(slot) ? 0 : 127 & ~king; });
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

/// The same as bytes, for vectors without masks.
inline constexpr Table<Slots, 12> attacked_bytes = [] {
  Table<Slots, 12> table;
  for (Piece p = 0; p < 12; ++p)
    table.data[p] = slots_of([p](unsigned slot) { return (attacked_slots.data[p] & bit(slot)) != 0 ? 255 : 0; });
  return table;
}();

/// By piece: the slots that it threatens, and those from which it is threatened: none for kings.
struct alignas(16) ThreatSlots {
  std::uint64_t to;
  std::uint64_t from;
};
inline constexpr Table<ThreatSlots, 12> threat_slots = [] {
  Table<ThreatSlots, 12> table;
  for (Piece p = 0; p < 12; ++p) {
    const bool is_king = static_cast<PieceType>(type_of(p)) == PieceType::king;
    table.data[p] = is_king ? ThreatSlots{0, 0} : ThreatSlots{attacked_slots.data[p], ~std::uint64_t{0}};
  }
  return table;
}();

/// Of at most one slot in each ray: 0x7F in the byte of each ray that has one. A seventh square is not told apart, and
/// need not be: its opposite ray is empty.
constexpr std::uint64_t filled(std::uint64_t slots) {
  const std::uint64_t tops = (slots + 0x7E7E7E7E7E7E7E7E) & 0x8080808080808080;
  return tops - (tops >> 7);
}

// What each form reads.
inline constexpr std::array tables_of_words{table_info("perm", perm), table_info("class_of_piece", class_of_piece),
                                            table_info("classes", classes), table_info("threat_slots", threat_slots)};
template <class... More>
constexpr auto tables_and(const More&... more) {
  return std::array{tables_of_words[0], tables_of_words[1], tables_of_words[2], tables_of_words[3], more...};
}

}  // namespace ray_layout

/// A threat as the word that it is in memory.
constexpr std::uint32_t half_threat(Piece piece, Square s) { return piece | s << 8; }
constexpr Threat threat_of(std::uint32_t attacker, std::uint32_t attacked) {
  static_assert(std::endian::native == std::endian::little);
  return std::bit_cast<Threat>(attacker | attacked << 16);
}

/// The threats that meet in one empty square, slot by slot, for forms that cannot compress vectors.
template <class Pieces>
struct SlotThreats {
  Pieces pieces;                ///< by slot: Slots, or a reference to them
  const std::uint8_t* squares;  ///< by slot
  Square square;
  std::uint64_t targets;      ///< who is first in a ray or a knight's jump away, without kings
  std::uint64_t threatening;  ///< who threatens the square
  std::uint64_t sliding;      ///< who of them slides

  /// The threats of a piece on the square, and those on it.
  void of_piece(Piece piece, ThreatList& list) const {
    const ray_layout::ThreatSlots& slots = ray_layout::threat_slots[piece];
    const std::uint32_t self = half_threat(piece, square);
    Threat* end = list.items.data() + list.count;
    for (std::uint64_t left = targets & slots.to; left != 0;) *end++ = threat_of(self, half(pop_lowest(left)));
    for (std::uint64_t left = threatening & slots.from; left != 0;) *end++ = threat_of(half(pop_lowest(left)), self);
    list.count = static_cast<unsigned>(end - list.items.data());
  }

  /// The threats through the square.
  void through(ThreatList& list) const {
    const std::uint64_t opposite = std::rotl(targets & ~ray_layout::jumps, 32);
    std::uint64_t from = sliding & ray_layout::filled(opposite);
    std::uint64_t to = opposite & ray_layout::filled(sliding);
    Threat* end = list.items.data() + list.count;
    while (from != 0) *end++ = threat_of(half(pop_lowest(from)), half(pop_lowest(to) ^ 32));
    list.count = static_cast<unsigned>(end - list.items.data());
  }

 private:
  std::uint32_t half(unsigned slot) const { return half_threat(pieces.at[slot], squares[slot]); }
};

}  // namespace slidebench
