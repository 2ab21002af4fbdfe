// SPDX-License-Identifier: MIT
//
// Titboards: a line is a number of base three, a digit a square, and its table knows whose piece is where.
//
// Where other methods ask which squares of a line are occupied, titboards ask by whom: 0 is empty, 1 the opponent's, 2
// one's own. The seven other squares of a line make at most 3^7 = 2,187 numbers, and the table tells for each where a
// slider may *move*: up to the first piece, which is taken if it is the opponent's.
//
//      line         . o . r . . m .       o: other's, m: mine, r: the slider, whose square has no digit
//      digits       0 1 0   0 0 2 0       number = ternary[other] + 2 * ternary[own]
//      moves        . X X   X X . .
//
// PEXT gathers the pieces of one side on the line, a table of 128 numbers reads these bits as digits of base three, and
// the two sides are added. The inventor wanted lists of moves in the table, so that no bit scans are left; with
// bitboards in it, what is left of the idea is that one's own pieces need not be removed from the attacks.
//
// The contract of this suite is the occupancy alone. So a query here takes all pieces for the opponent's: then the
// moves are the attacks, and the own side, one PEXT and one look-up a line more, is left out. The table is the whole
// one, of which such queries read 128 entries in 2,187 (3^7 places, 2^7 numbers). What is measured is a lower bound: in
// an engine the own pieces spread over the rest of the table, too.
//
// Inventors: Zach Wegner (Winboard forum, 22 September 2006: "Yet another new bitboard move generation method"); first
// written by Malik Tremain (engine TDFA, 2024), whose attack table of [64][4][2187] words and PEXT this follows.
// Source: Chessprogramming wiki, Titboards (there on a Zen 3 slower than magic); github.com/TiltedDFA/TDFA.
// Tables: 64 x 4 x 2,187 sets x 8 bytes = 4,478,976, ternary numbers 128 x 2 = 256, masks 64 x 32 = 2,048; together
// 4,481,280 bytes. Loads: per piece 2 masks + 2 numbers + 2 sets. Relies on: BMI2 or SVE2.
#pragma once

#include "methods/method.hpp"
#include "methods/pext/bit_permute.hpp"
#include "methods/reference.hpp"

namespace slidebench {

struct Titboards {
  static constexpr MethodInfo info{.id = "titboards",
                                   .title = "Titboards (ternary index), attacks",
                                   .family = "lookup",
                                   .inventor = "Z. Wegner, M. Tremain",
                                   .year = 2006,
                                   .reference = "https://www.chessprogramming.org/Titboards",
                                   .requires_isa = bit_permute_isa};

  static Bitboard bishop(Square s, Bitboard occupied) {
    const auto row = sets.row(of_square * s);
    const Masks& m = masks[s];
    const DiagonalExtracts others(occupied, m);
    return row[diagonal + ternary[others.diagonal()]] | row[antidiagonal + ternary[others.antidiagonal()]];
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    const auto row = sets.row(of_square * s);
    return row[rank + ternary[extract_bits(occupied, masks.member(s, &Masks::rank))]] |
           row[file + ternary[extract_bits(occupied, masks.member(s, &Masks::file))]];
  }

  /// Fills the moves for every number of every line.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      fill<Direction::east, Direction::west>(s, rank);
      fill<Direction::north, Direction::south>(s, file);
      fill<Direction::northeast, Direction::southwest>(s, diagonal);
      fill<Direction::northwest, Direction::southeast>(s, antidiagonal);
    }
  }

 private:
  static constexpr std::size_t numbers = 2'187;
  static constexpr std::size_t of_square = 4 * numbers;

  /// Where the sets of a line begin in those of the square.
  enum FirstSet : std::size_t { rank = 0, file = numbers, diagonal = 2 * numbers, antidiagonal = 3 * numbers };

  static inline Table<Bitboard, 64 * of_square> sets;

  /// Element i: the bits of i, read as digits of base three.
  static constexpr Table<std::uint16_t, 128> ternary = [] {
    Table<std::uint16_t, 128> table;
    for (unsigned i = 1; i < 128; ++i) table.data[i] = static_cast<std::uint16_t>(3 * table.data[i / 2] + i % 2);
    return table;
  }();

  /// The lines through a square, without it.
  struct alignas(32) Masks {
    Bitboard rank;
    Bitboard file;
    Bitboard diagonal;
    Bitboard antidiagonal;
  };

  static constexpr Table<Masks, 64> masks = [] {
    Table<Masks, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {rank_mask(s), file_mask(s), diagonal_mask(s), antidiagonal_mask(s)};
    }
    return table;
  }();

  template <Direction up, Direction down>
  static void fill(Square s, FirstSet line) {
    const Bitboard squares = reference::walk<up>(s, 0) | reference::walk<down>(s, 0);
    const std::uint64_t sides = std::uint64_t{1} << std::popcount(squares);
    for (std::uint64_t own = 0; own < sides; ++own) {
      for (std::uint64_t other = 0; other < sides; ++other) {
        if ((own & other) != 0) continue;
        const Bitboard occupied = deposit_bits(own | other, squares);
        const Bitboard attacks = reference::walk<up>(s, occupied) | reference::walk<down>(s, occupied);
        sets.data[of_square * s + line + 2u * ternary.data[own] + ternary.data[other]] =
            attacks & ~deposit_bits(own, squares);
      }
    }
  }

 public:
  static constexpr std::array tables{table_info("sets", sets), table_info("ternary", ternary),
                                     table_info("masks", masks)};
};

}  // namespace slidebench
