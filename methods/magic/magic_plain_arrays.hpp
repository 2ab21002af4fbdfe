// SPDX-License-Identifier: MIT
//
// Plain magic bitboards, with masks and factors in arrays of words.
//
// The tables, factors and index of magic_plain (explained there), but masks and factors stand in four arrays, which x86
// addresses by base + 8 * square in the instruction that reads. In one record per square and piece, as in magic_plain
// and magic_fancy, the address costs a shift more, and the two words share a cache line. On a Zen 4 the arrays take 5 %
// less time in throughput, 12 % less set-wise, and 1 to 3 % more in latency: a trade, so that both stay. magic_fancy,
// which reads four words of a record, loses up to 9 % by them (reports/archive).
//
// Inventor: Lasse Hansen (Winboard forum, 14 June 2006); the arrays as in Chess_Movegen (D. Infuehr, 2022).
// Tables: 64 x 4,096 + 64 x 512 sets x 8 bytes = 2,359,296, and 4 arrays of 64 words = 2,048; 2,361,344 bytes.
// Loads: 2 words + 1 set. Relies on: a fast multiplication, and on caches (and a TLB) that hold the sets.
#pragma once

#include "methods/magic/magic_factors.hpp"
#include "methods/magic/occupancies.hpp"
#include "methods/method.hpp"
#include "methods/square_words.hpp"

namespace slidebench {

struct MagicPlainArrays {
  static constexpr MethodInfo info{.id = "magic_plain_arrays",
                                   .title = "Plain magic, in arrays",
                                   .family = "magic",
                                   .inventor = "L. Hansen",
                                   .year = 2006,
                                   .reference = "https://www.chessprogramming.org/Magic_Bitboards",
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
  static constexpr Table<Bitboard, 64> bishop_masks = a_word_a_square(bishop_relevant);
  static constexpr Table<Bitboard, 64> rook_masks = a_word_a_square(rook_relevant);
  static constexpr Table<std::uint64_t, 64> bishop_magics = a_word_a_square([](Square s) { return bishop_factors[s]; });
  static constexpr Table<std::uint64_t, 64> rook_magics = a_word_a_square([](Square s) { return rook_factors[s]; });
  static inline Table<Bitboard, 64 * 4096> rook_sets;
  static inline Table<Bitboard, 64 * 512> bishop_sets;

  static std::size_t bishop_index(Square s, Bitboard occupied) {
    return ((occupied & bishop_masks[s]) * bishop_magics[s]) >> (64 - 9);
  }

  static std::size_t rook_index(Square s, Bitboard occupied) {
    return ((occupied & rook_masks[s]) * rook_magics[s]) >> (64 - 12);
  }

 public:
  static constexpr std::array tables{
      table_info("rook_sets", rook_sets),         table_info("bishop_sets", bishop_sets),
      table_info("bishop_masks", bishop_masks),   table_info("rook_masks", rook_masks),
      table_info("bishop_magics", bishop_magics), table_info("rook_magics", rook_magics)};
};

}  // namespace slidebench
