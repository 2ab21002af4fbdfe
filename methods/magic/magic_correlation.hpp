// SPDX-License-Identifier: MIT
//
// Correlation magic: neighbouring squares share a factor, because halving it makes up for moving the board by a file.
//
// Move a slider and all pieces one file to the right: the occupancy, as a number, doubles. Halve the factor, and the
// product stays what it was. So if a factor is magic for a square, half of it is nearly magic for the next one: all but
// for the squares that came over the edge or went, the indices are the same. A factor that serves two squares, or
// eight, is therefore far more frequent than chance has it, and a plain search finds one in seconds:
//
//      bishop   index = ((occupied & mask) * (factor[rank]       >> file))     >> 55        8 factors
//      rook     index = ((occupied & mask) * (factor[square / 2] >> file % 2)) >> 52       32 factors
//
// The arrays are those of plain magic, 512 and 4,096 slots per square. Its 128 factors take 16 cache lines, these 40
// take five. Their shift is an instruction more, but one that the occupancy need not wait for.
//
// Inventor: Daniel Infuehr (Chess_Movegen, 2023), in the black form (magic_black.hpp). The factors here are this
// project's own.
// Source: https://github.com/Gigantua/Chess_Movegen (Correlationmagic).
// Tables: 64 x 4,096 + 64 x 512 sets x 8 bytes = 2,359,296, masks 64 x 16 = 1,024, factors 40 x 8 = 320; 2,360,640
// bytes. Loads: 1 mask, 1 factor and 1 set. Relies on: a fast multiplication, and on caches and a TLB that hold the
// sets.
#pragma once

#include "methods/magic/correlated_factors.hpp"
#include "methods/magic/occupancies.hpp"
#include "methods/method.hpp"

namespace slidebench {

struct MagicCorrelation {
  static constexpr MethodInfo info{.id = "magic_correlation",
                                   .title = "Correlation magic, 40 factors",
                                   .family = "magic",
                                   .inventor = "D. Infuehr",
                                   .year = 2023,
                                   .reference = "https://github.com/Gigantua/Chess_Movegen",
                                   .requires_isa = Isa::none};

  static Bitboard bishop(Square s, Bitboard occupied) {
    return bishop_sets.row(std::size_t{512} * s)[bishop_index(s, occupied)];
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    return rook_sets.row(std::size_t{4096} * s)[rook_index(s, occupied)];
  }

  /// Fills the attack sets: 107,648 ray walks.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      magic::for_each_occupancy(magic::Piece::bishop, s, [s](Bitboard occupied, Bitboard attacks) {
        bishop_sets.data[512 * s + bishop_index(s, occupied)] = attacks;
      });
      magic::for_each_occupancy(magic::Piece::rook, s, [s](Bitboard occupied, Bitboard attacks) {
        rook_sets.data[4096 * s + rook_index(s, occupied)] = attacks;
      });
    }
  }

 private:
  struct Masks {
    Bitboard bishop;
    Bitboard rook;
  };

  static constexpr Table<Masks, 64> masks = [] {
    Table<Masks, 64> table;
    for (Square s = 0; s < 64; ++s) table.data[s] = {bishop_relevant(s), rook_relevant(s)};
    return table;
  }();

  /// Element: the rank.
  static constexpr Table<std::uint64_t, 8> bishop_factors = [] {
    Table<std::uint64_t, 8> table;
    for (unsigned i = 0; i < 8; ++i) table.data[i] = correlated_bishop_factors[i];
    return table;
  }();

  /// Element: the square / 2.
  static constexpr Table<std::uint64_t, 32> rook_factors = [] {
    Table<std::uint64_t, 32> table;
    for (unsigned i = 0; i < 32; ++i) table.data[i] = correlated_rook_factors[i];
    return table;
  }();

  static inline Table<Bitboard, 64 * 4096> rook_sets;
  static inline Table<Bitboard, 64 * 512> bishop_sets;

  static std::uint64_t bishop_index(Square s, Bitboard occupied) {
    return ((occupied & masks.member(s, &Masks::bishop)) * (bishop_factors[rank_of(s)] >> file_of(s))) >> 55;
  }

  static std::uint64_t rook_index(Square s, Bitboard occupied) {
    return ((occupied & masks.member(s, &Masks::rook)) * (rook_factors[s / 2] >> (s % 2))) >> 52;
  }

 public:
  static constexpr std::array tables{table_info("rook_sets", rook_sets), table_info("bishop_sets", bishop_sets),
                                     table_info("masks", masks), table_info("bishop_factors", bishop_factors),
                                     table_info("rook_factors", rook_factors)};
};

}  // namespace slidebench
