// SPDX-License-Identifier: MIT
//
// Folding hash: one line of the board folded into 32 bits, multiplied once, and 256 small tables laid into each other.
//
// A line has at most 64 occupancies that matter, so that six bits tell them apart. A multiplication of 32 bits gathers
// them, if both halves of the board are first folded into one word. Folding by XOR alone would lay the ranks r and r +
// 4 of a file on the same bit; three times the lower half keeps them apart:
//
//      x = occupied | (all squares but the line's inner ones)      what does not matter is always 1
//      folded = upper half of x ^ 3 * lower half of x              32 bits
//      attacks = sets[first of the line + (folded * factor >> 26)]
//
// Each line of each square has a factor, found by search, for which two occupancies meet in a slot only if their
// attacks are the same. Of its 64 slots a line uses 17.5 on average, so that the tables of all 256 lines overlap in
// one, as the squares do in magic_overlapped.hpp: 64 x 256 slots find room in 5,059.
//
// Inventor: Daniel Infuehr (Chess_Movegen, 2022), whose table has 5,956 sets. The factors here are this project's own.
// Source: https://github.com/Gigantua/Chess_Movegen (FoldingHash).
// Tables: 5,059 sets x 8 bytes = 40,472, and 64 x 4 records x 16 = 4,096; 44,568 bytes.
// Loads: 2 records and 2 sets. Relies on: a fast multiplication (one of 32 bits will do).
#pragma once

#include "methods/lookup/fold_factors.hpp"
#include "methods/method.hpp"
#include "methods/reference.hpp"

namespace slidebench {

struct FoldHash {
  static constexpr MethodInfo info{.id = "fold_hash",
                                   .title = "Folding hash",
                                   .family = "lookup",
                                   .inventor = "D. Infuehr",
                                   .year = 2022,
                                   .reference = "https://github.com/Gigantua/Chess_Movegen",
                                   .requires_isa = Isa::none};

  static Bitboard bishop(Square s, Bitboard occupied) {
    const Lines& l = lines[s];
    return look_up(l.diagonal, occupied) | look_up(l.antidiagonal, occupied);
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    const Lines& l = lines[s];
    return look_up(l.file, occupied) | look_up(l.rank, occupied);
  }

  /// Fills the sets, by walking from every square for each occupancy of the inner squares of each line.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      const Lines& l = lines.data[s];
      fill<Direction::northeast, Direction::southwest>(s, l.diagonal);
      fill<Direction::northwest, Direction::southeast>(s, l.antidiagonal);
      fill<Direction::north, Direction::south>(s, l.file);
      fill<Direction::east, Direction::west>(s, l.rank);
    }
  }

 private:
  static inline Table<Bitboard, fold_slots> sets;

  struct Line {
    Bitboard outside;  ///< all squares but the inner ones of the line, the slider's own among them
    FoldFactor hash;
  };

  struct alignas(64) Lines {
    Line diagonal;
    Line antidiagonal;
    Line file;
    Line rank;
  };

  static constexpr Table<Lines, 64> lines = [] {
    Table<Lines, 64> table;
    for (Square s = 0; s < 64; ++s) {
      const auto line = [s](unsigned number, Direction up, Direction down) {
        return Line{~(relevant_ray(up, s) | relevant_ray(down, s)), fold_factors[4 * s + number]};
      };
      table.data[s] = {line(0, Direction::northeast, Direction::southwest),
                       line(1, Direction::northwest, Direction::southeast), line(2, Direction::north, Direction::south),
                       line(3, Direction::east, Direction::west)};
    }
    return table;
  }();

  static constexpr std::uint32_t slot(const Line& line, Bitboard occupied) {
    const Bitboard x = occupied | line.outside;
    const std::uint32_t folded = static_cast<std::uint32_t>(x >> 32) ^ (3 * static_cast<std::uint32_t>(x));
    return (folded * line.hash.factor) >> (32 - 6);
  }

  static Bitboard look_up(const Line& line, Bitboard occupied) {
    return sets.row(line.hash.first)[slot(line, occupied)];
  }

  template <Direction up, Direction down>
  static void fill(Square s, const Line& line) {
    Bitboard occupied = 0;
    do {
      sets.data[line.hash.first + slot(line, occupied)] =
          reference::walk<up>(s, occupied) | reference::walk<down>(s, occupied);
      occupied = next_subset(occupied, ~line.outside);
    } while (occupied != 0);
  }

 public:
  static constexpr std::array tables{table_info("sets", sets), table_info("lines", lines)};
};

}  // namespace slidebench
