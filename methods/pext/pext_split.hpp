// SPDX-License-Identifier: MIT
//
// Split PEXT: one look-up for each line, where pext.hpp has one for the pair of lines.
//
// The inner squares of one line are six at most, so a line has at most 64 occupancies and its attack sets are a row of
// 64. Every square gets four rows, one behind the other, so that one address serves all lines of a query:
//
//      2,048 bytes per square     | rank, 64 sets | file, 64 sets | diagonal, 64 sets | antidiagonal, 64 sets |
//      index                      shift and mask  PEXT            PEXT                PEXT
//
// Two indices and two loads instead of one each, but they do not wait for one another; and a sixth of the table, since
// 2^6 + 2^6 is far less than 2^(6 + 6). A rank is consecutive already: a shift brings it down, no PEXT is needed.
//
// Inventors: Daniel Infuehr's Chess_Movegen has it as the "group idea" (2020, with M. Jahn and M. Sherwin, 2022).
// Source: github.com/Gigantua/Chess_Movegen, SplitPext. AMD processors before Zen 3 run PEXT as microcode.
// Tables: 64 x 256 sets x 8 bytes = 131,072, and 64 x 32 bytes of masks = 2,048; together 133,120 bytes, of which short
// lines leave much unread (pext_split_dense.hpp drops that).
// Loads: bishop 2 masks + 2 sets, rook 1 mask + 2 sets. Relies on: BMI2 or SVE2.
#pragma once

#include "methods/method.hpp"
#include "methods/pext/bit_permute.hpp"
#include "methods/reference.hpp"

namespace slidebench {

struct PextSplit {
  static constexpr MethodInfo info{.id = "pext_split",
                                   .title = "PEXT, line by line",
                                   .family = "pext",
                                   .inventor = "D. Infuehr, M. Jahn, M. Sherwin",
                                   .year = 2020,
                                   .reference = "https://github.com/Gigantua/Chess_Movegen",
                                   .requires_isa = bit_permute_isa};

  static Bitboard bishop(Square s, Bitboard occupied) {
    const auto row = sets.row(256 * std::size_t{s});
    const Masks& m = masks[s];
    const DiagonalExtracts inner(occupied, m);
    return row[diagonal + inner.diagonal()] | row[antidiagonal + inner.antidiagonal()];
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    const auto row = sets.row(256 * std::size_t{s});
    const Bitboard inner_rank = (occupied >> ((s & 56) | 1)) & 63;
    return row[rank + inner_rank] | row[file + extract_bits(occupied, masks.member(s, &Masks::file))];
  }

  /// Fills the attack sets of every inner occupancy of every line.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      fill<Direction::east, Direction::west>(s, rank);
      fill<Direction::north, Direction::south>(s, file);
      fill<Direction::northeast, Direction::southwest>(s, diagonal);
      fill<Direction::northwest, Direction::southeast>(s, antidiagonal);
    }
  }

 private:
  /// Where the sets of a line begin in those of the square.
  enum FirstSet : std::size_t { rank = 0, file = 64, diagonal = 128, antidiagonal = 192 };

  static inline Table<Bitboard, std::size_t{64} * 256> sets;

  /// The inner squares of the lines that PEXT gathers, those of a square in one cache line.
  struct alignas(32) Masks {
    Bitboard file;
    Bitboard diagonal;
    Bitboard antidiagonal;
  };

  static constexpr auto inner_line = [](Square s, Direction up, Direction down) {
    return relevant_ray(up, s) | relevant_ray(down, s);
  };

  static constexpr Table<Masks, 64> masks = [] {
    Table<Masks, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {inner_line(s, Direction::north, Direction::south),
                       inner_line(s, Direction::northeast, Direction::southwest),
                       inner_line(s, Direction::northwest, Direction::southeast)};
    }
    return table;
  }();

  template <Direction up, Direction down>
  static void fill(Square s, FirstSet line) {
    // The rank is not gathered by PEXT: its index keeps a place for the slider and counts from the b-file.
    const Bitboard inner = line == rank ? Bitboard{126} << (s & 56) : inner_line(s, up, down);
    for (std::uint64_t i = 0; i < std::uint64_t{1} << std::popcount(inner); ++i) {
      const Bitboard occupied = deposit_bits(i, inner);
      sets.data[256 * s + line + i] = reference::walk<up>(s, occupied) | reference::walk<down>(s, occupied);
    }
  }

 public:
  static constexpr std::array tables{table_info("sets", sets), table_info("masks", masks)};
};

}  // namespace slidebench
