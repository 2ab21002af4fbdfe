// SPDX-License-Identifier: MIT
//
// Dense split PEXT: the look-up of one line at a time (pext_split.hpp), with every table cut to what it must hold, so
// that all of it lives in a first-level cache.
//
//      rank           the bytes of the first rank, shifted up                               512 bytes for all squares
//      file           the attacks on the a-file by rank and inner squares, shifted east   4,096 bytes for all squares
//      diagonals      2^(L-2) sets for a square on a line of L squares                   20,512 bytes
//
// Ranks and files look alike wherever they stand: the set of one serves all eight after a shift. Diagonals do not
// (their lengths differ), but most of them are short: 1,282 sets for the diagonals of all squares, and as many for the
// antidiagonals, instead of 4,096 each. A square's diagonal sets stand in front of its antidiagonal ones.
//
// Source: this project, from the parts of pext_split (D. Infuehr and others, 2020) and of compressed rotated bitboards
// (R. Hyatt, 1999). AMD processors before Zen 3 run PEXT as microcode.
// Tables: 2,564 diagonal sets x 8 = 20,512, 64 records x 32 = 2,048, files 4,096, first rank 512; 27,168 bytes.
// Loads: bishop 1 record (4 words) + 2 sets, rook 1 set + 1 byte. Relies on: BMI2 or SVE2.
#pragma once

#include "methods/calculation/first_rank.hpp"
#include "methods/lookup/first_file.hpp"
#include "methods/method.hpp"
#include "methods/pext/bit_permute.hpp"

namespace slidebench {

struct PextSplitDense {
  static constexpr MethodInfo info{.id = "pext_split_dense",
                                   .title = "PEXT, line by line, dense",
                                   .family = "pext",
                                   .inventor = "slidebench",
                                   .year = 2026,
                                   .reference = "methods/pext/pext_split_dense.hpp",
                                   .requires_isa = bit_permute_isa};

  static Bitboard bishop(Square s, Bitboard occupied) {
    const Diagonals& d = diagonals[s];
    const DiagonalExtracts inner(occupied, d);
    return sets.from(d.diagonal_sets)[inner.diagonal()] | sets.from(d.antidiagonal_sets)[inner.antidiagonal()];
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    const std::size_t file = file_of(s);
    const std::size_t rank_start = s & 56;
    const Bitboard inner = extract_bits(occupied, a2_to_a7 << file);
    return rank_attacks(s, occupied) | (first_file_attacks[8 * rank_start + inner] << file);
  }

 private:
  static constexpr Bitboard a2_to_a7 = a_file & ~(first_rank | eighth_rank);

  /// The inner squares of a square's two diagonals, and their sets, in the order of PEXT's indices.
  struct Diagonals {
    Bitboard diagonal;
    Bitboard antidiagonal;
    const Bitboard* diagonal_sets;
    const Bitboard* antidiagonal_sets;
  };

  static constexpr auto inner_line = [](Square s, Direction up, Direction down) {
    return relevant_ray(up, s) | relevant_ray(down, s);
  };

  static constexpr Table<Bitboard, 2 * 1'282> sets = [] {
    Table<Bitboard, 2 * 1'282> table;
    std::size_t next = 0;
    for (Square s = 0; s < 64; ++s) {
      Bitboard occupied = 0;
      do {
        table.data[next++] =
            reference::walk<Direction::northeast>(s, occupied) | reference::walk<Direction::southwest>(s, occupied);
        occupied = next_subset(occupied, inner_line(s, Direction::northeast, Direction::southwest));
      } while (occupied != 0);
      do {
        table.data[next++] =
            reference::walk<Direction::northwest>(s, occupied) | reference::walk<Direction::southeast>(s, occupied);
        occupied = next_subset(occupied, inner_line(s, Direction::northwest, Direction::southeast));
      } while (occupied != 0);
    }
    return table;
  }();

  static constexpr Table<Diagonals, 64> diagonals = [] {
    Table<Diagonals, 64> table;
    const Bitboard* next = sets.data;
    for (Square s = 0; s < 64; ++s) {
      Diagonals& d = table.data[s];
      d.diagonal = inner_line(s, Direction::northeast, Direction::southwest);
      d.antidiagonal = inner_line(s, Direction::northwest, Direction::southeast);
      d.diagonal_sets = next;
      d.antidiagonal_sets = d.diagonal_sets + (1u << std::popcount(d.diagonal));
      next = d.antidiagonal_sets + (1u << std::popcount(d.antidiagonal));
    }
    return table;
  }();

 public:
  static constexpr std::array tables{table_info("diagonal_sets", sets), table_info("diagonals", diagonals),
                                     table_info("file", first_file_attacks),
                                     table_info("first_rank", first_rank_by_inner)};
};

}  // namespace slidebench
