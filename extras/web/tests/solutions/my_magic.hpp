// SPDX-License-Identifier: MIT
//
// The exercise of station 9: factors found by trial when the module is loaded.
#pragma once

#include <algorithm>
#include <array>
#include <random>

#include "methods/method.hpp"
#include "methods/reference.hpp"

namespace slidebench {

struct MyMagicEntry {
  Bitboard mask = 0, factor = 0;
  Bitboard sets[4096]{};  // 12 bits index them for every square
};
inline constinit Table<MyMagicEntry, 128> my_magic_entries;  // of bishops, then of rooks

struct MyMagic {
  static constexpr MethodInfo info{.id = "my_magic",
                                   .title = "my_magic",
                                   .family = "magic",
                                   .inventor = "me",
                                   .year = 2026,
                                   .reference = "the lecture",
                                   .requires_isa = Isa::none};

  /// Tries one factor: false where two occupancies with different attacks meet.
  static bool fill(MyMagicEntry& entry, Square s, Bitboard (*attacks)(Square, Bitboard)) {
    std::fill_n(entry.sets, 4096, 0);  // no attack set is empty
    Bitboard subset = 0;
    do {
      Bitboard& slot = entry.sets[(subset * entry.factor) >> 52];
      const Bitboard set = attacks(s, subset);
      if (slot != 0 && slot != set) return false;
      slot = set;
      subset = (subset - entry.mask) & entry.mask;
    } while (subset != 0);
    return true;
  }
  static void init() {
    std::mt19937_64 random(1);
    for (Square s = 0; s < 64; ++s) {
      MyMagicEntry &bishop = my_magic_entries.data[s], &rook = my_magic_entries.data[64 + s];
      bishop.mask = bishop_relevant(s);
      rook.mask = rook_relevant(s);
      do bishop.factor = random() & random() & random();
      while (!fill(bishop, s, reference::bishop));
      do rook.factor = random() & random() & random();
      while (!fill(rook, s, reference::rook));
    }
  }

  static Bitboard look_up(const MyMagicEntry& entry, Bitboard occupied) {
    return entry.sets[((occupied & entry.mask) * entry.factor) >> 52];
  }
  static Bitboard bishop(Square s, Bitboard occupied) { return look_up(my_magic_entries[s], occupied); }
  static Bitboard rook(Square s, Bitboard occupied) { return look_up(my_magic_entries[64 + s], occupied); }

  static constexpr std::array tables{table_info("entries", my_magic_entries)};
};

}  // namespace slidebench
