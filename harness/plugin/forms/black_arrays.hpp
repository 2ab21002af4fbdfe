// SPDX-License-Identifier: MIT
//
// Black magic, overlapped, with masks, factors and array starts in arrays of words: the other form of magic_black,
// which has them in one record per square and piece.
#pragma once

#include "methods/magic/black_factors.hpp"
#include "methods/magic/occupancies.hpp"
#include "methods/magic/offset_factor.hpp"
#include "methods/method.hpp"
#include "methods/square_words.hpp"

namespace slidebench {

struct BlackArrays {
  static constexpr MethodInfo info{.id = "black_arrays",
                                   .title = "Black magic, overlapped, in arrays",
                                   .family = "magic",
                                   .inventor = "V. Annuss, N. Fiekas",
                                   .year = 2017,
                                   .reference = "https://github.com/niklasf/magics",
                                   .requires_isa = Isa::none};

  static Bitboard bishop(Square s, Bitboard occupied) { return sets.from(bishop_sets[s])[bishop_index(s, occupied)]; }
  static Bitboard rook(Square s, Bitboard occupied) { return sets.from(rook_sets[s])[rook_index(s, occupied)]; }

  static void init() {
    for (Square s = 0; s < 64; ++s) {
      magic::for_each_occupancy(magic::Piece::bishop, s, [s](Bitboard occupied, Bitboard attacks) {
        bishop_sets.data[s][bishop_index(s, occupied)] = attacks;
      });
      magic::for_each_occupancy(magic::Piece::rook, s, [s](Bitboard occupied, Bitboard attacks) {
        rook_sets.data[s][rook_index(s, occupied)] = attacks;
      });
    }
  }

 private:
  static inline Table<Bitboard, black_slots> sets;

  static constexpr auto bishop_masks = a_word_a_square([](Square s) { return ~bishop_relevant(s); });
  static constexpr auto rook_masks = a_word_a_square([](Square s) { return ~rook_relevant(s); });
  static constexpr auto bishop_magics = a_word_a_square([](Square s) { return black_bishop_factors[s].factor; });
  static constexpr auto rook_magics = a_word_a_square([](Square s) { return black_rook_factors[s].factor; });
  static constexpr auto bishop_sets =
      a_word_a_square([](Square s) { return sets.data + black_bishop_factors[s].first; });
  static constexpr auto rook_sets = a_word_a_square([](Square s) { return sets.data + black_rook_factors[s].first; });

  static std::size_t bishop_index(Square s, Bitboard occupied) {
    return ((occupied | bishop_masks[s]) * bishop_magics[s]) >> (64 - 9);
  }

  static std::size_t rook_index(Square s, Bitboard occupied) {
    return ((occupied | rook_masks[s]) * rook_magics[s]) >> (64 - 12);
  }

 public:
  static constexpr std::array tables{table_info("sets", sets),
                                     table_info("bishop_masks", bishop_masks),
                                     table_info("rook_masks", rook_masks),
                                     table_info("bishop_magics", bishop_magics),
                                     table_info("rook_magics", rook_magics),
                                     table_info("bishop_starts", bishop_sets),
                                     table_info("rook_starts", rook_sets)};
};

}  // namespace slidebench
