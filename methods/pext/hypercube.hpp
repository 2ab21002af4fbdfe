// SPDX-License-Identifier: MIT
//
// Hypercube: the index of PEXT, kept up to date for every square instead of computed for one.
//
// pext.hpp gathers the relevant occupancy of a square into an index when it is asked. Here the board holds that index
// for a rook and for a bishop on each of the 64 squares, all the time. The n bits of an index are a corner of a cube of
// n dimensions, and a piece that appears or disappears takes every square that sees it one edge along its cube:
//
//      a query     sets[start of the square + index of the square]         one addition, one load
//      a toggle    for every square that sees t:  index ^= bit of t        16 squares on average, 27 at most
//
// So the work has moved from the queries into the moves. It pays where a position is asked more than it is changed; and
// the answer waits for the board in memory, not for an instruction.
//
// Inventor: Daniel Infuehr (2021; Chess_Movegen, "Hyperchess"), who unrolls the toggles of each square into code.
// Source: https://github.com/Gigantua/Chess_Movegen.
// Tables: 107,648 sets x 8 bytes = 861,184, starts 64 x 8 = 512, and to toggle 1,036 entries x 4 = 4,144 and 65 x 2 =
// 130; 865,970 bytes. The board has 264 bytes.
// Loads: 1 start, 1 index (of the board) and 1 set. Relies on: few toggles, and on the sets being in cache.
#pragma once

#include <array>

#include "methods/method.hpp"
#include "methods/reference.hpp"

namespace slidebench {

/// Element 2 * square: the squares that matter to a bishop; the one after it: to a rook.
inline constexpr std::array<Bitboard, 128> relevant_by_place = [] {
  std::array<Bitboard, 128> masks{};
  for (Square s = 0; s < 64; ++s) {
    masks[2 * s] = bishop_relevant(s);
    masks[2 * s + 1] = rook_relevant(s);
  }
  return masks;
}();

struct Hypercube {
  static constexpr MethodInfo info{.id = "hypercube",
                                   .title = "Hypercube (PEXT kept by the board)",
                                   .family = "pext",
                                   .inventor = "D. Infuehr",
                                   .year = 2021,
                                   .reference = "https://github.com/Gigantua/Chess_Movegen",
                                   .requires_isa = Isa::none};

  /// The occupancy, and two indices of every square: element 2 * square is the bishop's, the one after it the rook's.
  struct Board {
    Bitboard occupied = 0;
    std::uint16_t index[128] = {};

    explicit constexpr Board(Bitboard o) { toggle(o); }

    /// Puts a piece on, or takes it off, every square of `changed`.
    constexpr void toggle(Bitboard changed) {
      occupied ^= changed;
      while (changed != 0) {
        const Square t = pop_lowest(changed);
        const unsigned end = first_views[t + 1];
        for (unsigned i = first_views[t]; i < end; ++i) {
          const View& view = views[i];
          index[view.place] = static_cast<std::uint16_t>(index[view.place] ^ view.edge);
        }
      }
    }
  };

  static Bitboard bishop(Square s, const Board& board) {
    return sets.row(starts.member(s, &Starts::bishop))[board.index[2 * s]];
  }
  static Bitboard rook(Square s, const Board& board) {
    return sets.row(starts.member(s, &Starts::rook))[board.index[2 * s + 1]];
  }

  /// Fills the attack sets: 107,648 ray walks.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      std::size_t next = starts.data[s].bishop;
      for_each_subset(bishop_relevant(s), [&](Bitboard o) { sets.data[next++] = reference::bishop(s, o); });
      next = starts.data[s].rook;
      for_each_subset(rook_relevant(s), [&](Bitboard o) { sets.data[next++] = reference::rook(s, o); });
    }
  }

 private:
  static inline Table<Bitboard, 102'400 + 5'248> sets;

  /// Where the sets of a square begin. The subsets of a mask in rising order are the indices in rising order.
  struct Starts {
    std::uint32_t bishop;
    std::uint32_t rook;
  };

  static constexpr Table<Starts, 64> starts = [] {
    Table<Starts, 64> table;
    std::uint32_t next = 0;
    for (Square s = 0; s < 64; ++s) {
      table.data[s].rook = next;
      next += std::uint32_t{1} << std::popcount(rook_relevant(s));
      table.data[s].bishop = next;
      next += std::uint32_t{1} << std::popcount(bishop_relevant(s));
    }
    return table;
  }();

  template <class Visit>
  static void for_each_subset(Bitboard mask, Visit visit) {
    Bitboard subset = 0;
    do {
      visit(subset);
      subset = next_subset(subset, mask);
    } while (subset != 0);
  }

  /// Of a square that sees another one, as a bishop or as a rook: the place of its index, and the other's bit in it.
  struct View {
    std::uint16_t place;
    std::uint16_t edge;
  };

  static constexpr std::size_t view_count = 364 + 672;

  /// The views of a1, then those of b1, and so on.
  static constexpr Table<View, view_count> views = [] {
    Table<View, view_count> table;
    std::size_t next = 0;
    for (Square t = 0; t < 64; ++t) {
      for (unsigned place = 0; place < 128; ++place) {
        const Bitboard relevant = relevant_by_place[place];
        if ((relevant & bit(t)) == 0) continue;
        table.data[next++] = {static_cast<std::uint16_t>(place),
                              static_cast<std::uint16_t>(1u << std::popcount(relevant & (bit(t) - 1)))};
      }
    }
    return table;
  }();

  /// Element t: where the views of square t begin; element 64: where all end.
  static constexpr Table<std::uint16_t, 65> first_views = [] {
    Table<std::uint16_t, 65> table;
    unsigned next = 0;
    for (Square t = 0; t < 64; ++t) {
      table.data[t] = static_cast<std::uint16_t>(next);
      for (const Bitboard relevant : relevant_by_place) next += static_cast<unsigned>(relevant >> t & 1);
    }
    table.data[64] = static_cast<std::uint16_t>(next);
    return table;
  }();

 public:
  static constexpr std::array tables{table_info("sets", sets), table_info("starts", starts), table_info("views", views),
                                     table_info("first_views", first_views)};
};

}  // namespace slidebench
