// SPDX-License-Identifier: MIT
//
// Pre-school bitboards: the six-bit indices of both lines of a piece side by side, and one table for the twelve bits.
//
// kindergarten.hpp hashes one line at a time, and looks up two sets per piece. Two indices of six bits make one of
// twelve, which is as many as a magic rook has, but nothing had to be searched for it:
//
//      rook     file's index * 64 + rank's index              bishop   antidiagonal's index * 64 + diagonal's index
//      attacks = sets of the piece [4,096 * square + index]
//
// One load in place of two and an OR, for 64 times the sets: every square has 4,096 for a bishop as for a rook, most of
// which are never read.
//
// Inventor: Tsoj (Chess_Movegen, 24 October 2023), on the indices of G. Isenberg and others (2006).
// Source: https://github.com/Gigantua/Chess_Movegen (PreSchool).
// Tables: 2 x 64 x 4,096 sets x 8 bytes = 4,194,304, and 64 records x 16 = 1,024; 4,195,328 bytes.
// Loads: bishop 2 masks + 1 set, rook 1 set. Relies on: caches and a TLB that hold what is used of 4 MiB.
#pragma once

#include "methods/method.hpp"
#include "methods/reference.hpp"

namespace slidebench {

struct PreSchool {
  static constexpr MethodInfo info{.id = "pre_school",
                                   .title = "Pre-school bitboards",
                                   .family = "lookup",
                                   .inventor = "Tsoj, after G. Isenberg",
                                   .year = 2023,
                                   .reference = "https://github.com/Gigantua/Chess_Movegen",
                                   .requires_isa = Isa::none};

  static Bitboard bishop(Square s, Bitboard occupied) {
    return bishop_sets.row(std::size_t{4096} * s)[bishop_index(diagonals[s], occupied)];
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    return rook_sets.row(std::size_t{4096} * s)[rook_index(s, occupied)];
  }

  /// Fills the sets that an occupancy leads to; the index of a rook has the slider's own square in it.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      for_each_subset(diagonals.data[s].diagonal | diagonals.data[s].antidiagonal, [s](Bitboard occupied) {
        bishop_sets.data[std::size_t{4096} * s + bishop_index(diagonals.data[s], occupied)] =
            reference::bishop(s, occupied);
      });
      for_each_subset((inner_first_rank << (s & 56)) | (inner_a_file << file_of(s)), [s](Bitboard occupied) {
        rook_sets.data[std::size_t{4096} * s + rook_index(s, occupied)] = reference::rook(s, occupied);
      });
    }
  }

 private:
  static inline Table<Bitboard, std::size_t{64} * 4096> bishop_sets;
  static inline Table<Bitboard, std::size_t{64} * 4096> rook_sets;

  struct Diagonals {
    Bitboard diagonal;
    Bitboard antidiagonal;
  };

  /// The inner squares of both, without the slider's own.
  static constexpr Table<Diagonals, 64> diagonals = [] {
    Table<Diagonals, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {relevant_ray(Direction::northeast, s) | relevant_ray(Direction::southwest, s),
                       relevant_ray(Direction::northwest, s) | relevant_ray(Direction::southeast, s)};
    }
    return table;
  }();

  static constexpr Bitboard inner_first_rank = 0x7E;
  static constexpr Bitboard inner_a_file = 0x0001010101010100;
  /// Sums the ranks in the top byte: one square a file, its bit one place higher than the file.
  static constexpr Bitboard b_file_factor = 0x0202020202020202;
  /// Brings ranks 7 to 2 of the a-file to the top six bits.
  static constexpr Bitboard file_factor = 0x0080402010080400;

  static std::uint64_t bishop_index(const Diagonals& lines, Bitboard occupied) {
    return six_bits(occupied & lines.diagonal, b_file_factor) | six_bits(occupied & lines.antidiagonal, b_file_factor)
                                                                    << 6;
  }

  static std::uint64_t rook_index(Square s, Bitboard occupied) {
    return ((occupied >> ((s & 56) | 1)) & 63) | six_bits((occupied >> file_of(s)) & inner_a_file, file_factor) << 6;
  }

  static constexpr std::uint64_t six_bits(Bitboard on_line, Bitboard factor) { return (on_line * factor) >> 58; }

  template <class Visit>
  static void for_each_subset(Bitboard mask, Visit visit) {
    Bitboard subset = 0;
    do {
      visit(subset);
      subset = next_subset(subset, mask);
    } while (subset != 0);
  }

 public:
  static constexpr std::array tables{table_info("bishop_sets", bishop_sets), table_info("rook_sets", rook_sets),
                                     table_info("diagonals", diagonals)};
};

}  // namespace slidebench
