// SPDX-License-Identifier: MIT
//
// Exploding bitboards: waves that spread from the slider, each made from the one before by one multiplication.
//
// A factor with four bits moves every square of a set in four directions at once, and adds the four results:
//
//      bishop   (wave >> 9) * (1 + 2^2 + 2^16 + 2^18)     moves by -9, -7, +7 and +9
//      rook     (wave >> 8) * (1 + 2^7 + 2^9  + 2^16)     moves by -8, -1, +1 and +8
//
// A wave begins on the neighbours of the slider. Those that are occupied or on the edge stop; the others explode, and
// what is on the lines of the piece and was not seen before is the next wave, one square farther out. All waves
// together are the attacks.
//
// A sum is not a union: two squares that arrive on the same place carry into the next one. Beyond the first wave no two
// do. Of the first, a bishop's meet off its lines only, and so do their carries: on the slider, beside it, and two
// ranks from it. A rook's upper and lower neighbours take a multiplication each, and then the same holds, or the carry
// falls on a square that has been seen. On the a-file the factor lacks -1, on the h-file +1, or squares would wrap to
// the other side; and what a shift to the right loses of the first rank, the first-rank table has.
//
// Inventor: Harald Luessen (Winboard forum, 13 September 2006; engine Elephant), who runs a number of waves that
// depends on the square; here they end when nothing spreads any more.
// Source: Chessprogramming wiki, Exploding Bitboards.
// Tables: 64 records x 64 bytes = 4,096, and first rank 512; 4,608 bytes. Loads: bishop 3, rook 4, of one line; on the
// first rank a set more. Relies on: a fast 64-bit multiplication, of which each wave waits for the one before.
#pragma once

#include "methods/calculation/first_rank.hpp"
#include "methods/method.hpp"

namespace slidebench {

struct Exploding {
  static constexpr MethodInfo info{.id = "exploding",
                                   .title = "Exploding bitboards",
                                   .family = "calculation",
                                   .inventor = "H. Luessen",
                                   .year = 2006,
                                   .reference = "https://www.chessprogramming.org/Exploding_Bitboards",
                                   .requires_isa = Isa::none};

  static constexpr Bitboard bishop(Square s, Bitboard occupied) {
    const Record& r = records[s];
    Bitboard attacks = r.diagonal_neighbours;
    for (Bitboard wave = attacks; (wave &= r.diagonal_inner & ~occupied) != 0; attacks |= wave) {
      wave = ((wave >> 9) * 0x50005) & r.diagonals & ~attacks;
    }
    return attacks;
  }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    const Record& r = records[s];
    Bitboard attacks = r.orthogonal_neighbours;
    Bitboard wave = attacks & r.orthogonal_inner & ~occupied;
    const Bitboard upper = wave & ~(bit(s) - 1);
    const Bitboard lower = wave ^ upper;
    wave = ((upper >> 8) * r.rook_factor | (lower >> 8) * r.rook_factor) & r.orthogonals & ~attacks;
    for (attacks |= wave; (wave &= r.orthogonal_inner & ~occupied) != 0; attacks |= wave) {
      wave = ((wave >> 8) * r.rook_factor) & r.orthogonals & ~attacks;
    }
    return s < 8 ? attacks | rank_attacks(s, occupied) : attacks;
  }

 private:
  struct alignas(64) Record {
    Bitboard diagonals;
    Bitboard diagonal_inner;  ///< without the last square of each ray
    Bitboard diagonal_neighbours;
    Bitboard orthogonals;
    Bitboard orthogonal_inner;  ///< without the last square of each ray, and without the first rank
    Bitboard orthogonal_neighbours;
    std::uint64_t rook_factor;
  };

  static constexpr Table<Record, 64> records = [] {
    Table<Record, 64> table;
    for (Square s = 0; s < 64; ++s) {
      Record& r = table.data[s];
      r.diagonals = diagonal_mask(s) | antidiagonal_mask(s);
      r.diagonal_inner = bishop_relevant(s);
      for (const Direction d : diagonal_directions) r.diagonal_neighbours |= step(bit(s), d);
      r.orthogonals = file_mask(s) | rank_mask(s);
      r.orthogonal_inner = rook_relevant(s) & ~first_rank;
      for (const Direction d : orthogonal_directions) r.orthogonal_neighbours |= step(bit(s), d);
      r.rook_factor = file_of(s) == 0 ? 0x10201 : file_of(s) == 7 ? 0x10081 : 0x10281;
    }
    return table;
  }();

 public:
  static constexpr std::array tables{table_info("records", records), table_info("first_rank", first_rank_by_inner)};
};

}  // namespace slidebench
