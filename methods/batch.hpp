// SPDX-License-Identifier: MIT
//
// The batch: all sliders of a position asked about at once, each with an answer of its own.
//
// Engines list their sliders by piece type, so a batch has three runs, in an order in which those that move diagonally
// lie together, and those that move along files and ranks too:
//
//      squares     b b b b q q r r r r . . .         what follows is not asked about, but is squares (0 to 63) as well
//                  +diagonal-+
//                          +-orthogonal+
//
// So a vector method knows from three numbers which lanes need which lines, and may load and store whole registers.
#pragma once

#include <cstdint>

#include "methods/bitboard.hpp"

namespace slidebench {

/// The sliders that a batch is about: `bishops`, then `queens`, then `rooks`, together at most `capacity`. A legal
/// position has no more than 26 sliders. All entries of `squares` are below 64, those after the last slider too.
struct alignas(16) SliderBatch {
  static constexpr unsigned capacity = 32;
  static constexpr unsigned room = capacity + 8;  ///< entries of `squares`, and of the array that takes the answers

  std::uint8_t squares[room];
  std::uint8_t bishops;
  std::uint8_t queens;
  std::uint8_t rooks;

  /// The pieces of three sets; of more than `capacity` the first.
  static constexpr SliderBatch of(Bitboard bishops, Bitboard queens, Bitboard rooks) {
    SliderBatch batch{};
    batch.bishops = batch.list(bishops);
    batch.queens = batch.list(queens);
    batch.rooks = batch.list(rooks);
    return batch;
  }

  constexpr unsigned size() const { return unsigned{bishops} + queens + rooks; }
  /// Sliders [0, diagonal_end()) move diagonally, sliders [orthogonal_begin(), size()) along files and ranks.
  constexpr unsigned diagonal_end() const { return unsigned{bishops} + queens; }
  constexpr unsigned orthogonal_begin() const { return bishops; }

 private:
  /// Appends a run and returns its length.
  constexpr std::uint8_t list(Bitboard set) {
    const unsigned first = size();
    unsigned end = first;
    for (; set != 0 && end < capacity; ++end) squares[end] = static_cast<std::uint8_t>(pop_lowest(set));
    return static_cast<std::uint8_t>(end - first);
  }
};

/// Answers a batch by a query for each slider, in order: what a method does that has no batch of its own.
template <class Bishop, class Queen, class Rook>
constexpr void batch_by_queries(const SliderBatch& sliders, Bitboard* attacks, Bishop bishop, Queen queen, Rook rook) {
  const std::uint8_t* square = sliders.squares;
  for (unsigned n = sliders.bishops; n != 0; --n) *attacks++ = bishop(Square{*square++});
  for (unsigned n = sliders.queens; n != 0; --n) *attacks++ = queen(Square{*square++});
  for (unsigned n = sliders.rooks; n != 0; --n) *attacks++ = rook(Square{*square++});
}

}  // namespace slidebench
