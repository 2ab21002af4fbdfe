// SPDX-License-Identifier: MIT
//
// Fancy magic bitboards with masks, factors, shifts and array starts in arrays of their own: the other form of
// magic_fancy, which has them in one record per square and piece.
#pragma once

#include <utility>

#include "methods/magic/magic_factors.hpp"
#include "methods/magic/occupancies.hpp"
#include "methods/method.hpp"
#include "methods/square_words.hpp"

namespace slidebench {

struct FancyArrays {
  static constexpr MethodInfo info{.id = "fancy_arrays",
                                   .title = "Fancy magic bitboards, in arrays",
                                   .family = "magic",
                                   .inventor = "L. Hansen, P. Kannan",
                                   .year = 2006,
                                   .reference = "P. Kannan, Magic Move-Bitboard Generation in Computer Chess, 2007",
                                   .requires_isa = Isa::none};

  static Bitboard bishop(Square s, Bitboard occupied) {
    return sets.from(bishop_sets[s])[((occupied & bishop_masks[s]) * bishop_magics[s]) >> bishop_shifts[s]];
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    return sets.from(rook_sets[s])[((occupied & rook_masks[s]) * rook_magics[s]) >> rook_shifts[s]];
  }

  static void init() {
    for (Square s = 0; s < 64; ++s) {
      magic::for_each_occupancy(magic::Piece::bishop, s, [s](Bitboard occupied, Bitboard attacks) {
        bishop_sets.data[s][((occupied & bishop_masks[s]) * bishop_magics[s]) >> bishop_shifts[s]] = attacks;
      });
      magic::for_each_occupancy(magic::Piece::rook, s, [s](Bitboard occupied, Bitboard attacks) {
        rook_sets.data[s][((occupied & rook_masks[s]) * rook_magics[s]) >> rook_shifts[s]] = attacks;
      });
    }
  }

 private:
  static constexpr std::size_t rook_slots = 102'400;
  static inline Table<Bitboard, rook_slots + 5'248> sets;

  static constexpr auto bits = [](magic::Piece piece, Square s) { return magic::relevant_bits(piece, s); };
  static constexpr auto shift = [](magic::Piece piece, Square s) {
    return static_cast<std::uint8_t>(64 - bits(piece, s));
  };
  /// The array of a square, and behind it that of the next.
  static constexpr auto starts = [](magic::Piece piece, Bitboard* at) {
    return [piece, at](Square s) mutable { return std::exchange(at, at + (std::size_t{1} << bits(piece, s))); };
  };

  static constexpr auto bishop_masks = a_word_a_square(bishop_relevant);
  static constexpr auto rook_masks = a_word_a_square(rook_relevant);
  static constexpr auto bishop_magics = a_word_a_square([](Square s) { return bishop_factors[s]; });
  static constexpr auto rook_magics = a_word_a_square([](Square s) { return rook_factors[s]; });
  static constexpr auto bishop_shifts = a_word_a_square([](Square s) { return shift(magic::Piece::bishop, s); });
  static constexpr auto rook_shifts = a_word_a_square([](Square s) { return shift(magic::Piece::rook, s); });
  static constexpr auto rook_sets = a_word_a_square(starts(magic::Piece::rook, sets.data));
  static constexpr auto bishop_sets = a_word_a_square(starts(magic::Piece::bishop, sets.data + rook_slots));

 public:
  static constexpr std::array tables{table_info("sets", sets),
                                     table_info("bishop_masks", bishop_masks),
                                     table_info("rook_masks", rook_masks),
                                     table_info("bishop_magics", bishop_magics),
                                     table_info("rook_magics", rook_magics),
                                     table_info("bishop_shifts", bishop_shifts),
                                     table_info("rook_shifts", rook_shifts),
                                     table_info("bishop_starts", bishop_sets),
                                     table_info("rook_starts", rook_sets)};
};

}  // namespace slidebench
