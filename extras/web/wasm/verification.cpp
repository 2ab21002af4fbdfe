// SPDX-License-Identifier: MIT
#include "extras/web/wasm/verification.hpp"

#include <random>

#include "methods/reference.hpp"

namespace slidebench::wasm {
namespace {

constexpr unsigned boards = 20'000;

using Query = Bitboard (*)(Square, Bitboard);

std::uint32_t wrong_on_all_subsets(Query query, Query oracle, Bitboard (*relevant)(Square), std::mt19937_64& random) {
  std::uint32_t wrong = 0;
  for (Square s = 0; s < square_count; ++s) {
    const Bitboard mask = relevant(s);
    Bitboard subset = 0;
    do {
      const Bitboard expected = oracle(s, subset);
      const Bitboard occupied = subset | (random() & ~mask & ~bit(s));
      wrong += query(s, occupied) != expected;
      wrong += query(s, occupied | bit(s)) != expected;
      subset = next_subset(subset, mask);
    } while (subset != 0);
  }
  return wrong;
}

/// A board with few, some or many pieces.
Bitboard random_board(std::mt19937_64& random) {
  Bitboard board = random();
  for (auto thinned = random() % 3; thinned != 0; --thinned) board &= random();
  return board;
}

std::uint32_t wrong_on_a_square(const OccupancyQueries& queries, Square s, Bitboard occupied) {
  const Bitboard bishop = reference::bishop(s, occupied), rook = reference::rook(s, occupied);
  const BishopRook both = queries.both(s, occupied);
  const bool wrong = queries.queen(s, occupied) != (bishop | rook) || both.bishop != bishop || both.rook != rook;
  return wrong;
}

/// Some of the occupied squares as bishops, queens and rooks: their union, and each apart.
std::uint32_t wrong_of_many(const OccupancyQueries& queries, Bitboard occupied, std::mt19937_64& random) {
  const Bitboard sliders = occupied & random() & random();
  const Bitboard diagonal = sliders & random();
  const Bitboard orthogonal = (sliders & ~diagonal) | (sliders & random() & random());
  const SliderBatch batch = SliderBatch::of(diagonal & ~orthogonal, diagonal & orthogonal, orthogonal & ~diagonal);
  Bitboard each[SliderBatch::room];
  queries.batch(batch, occupied, each);
  std::uint32_t wrong = 0;
  Bitboard all = 0;
  for (unsigned i = 0; i < batch.size(); ++i) {
    const Square s = batch.squares[i];
    const Bitboard bishop = i < batch.diagonal_end() ? reference::bishop(s, occupied) : 0;
    const Bitboard rook = i >= batch.orthogonal_begin() ? reference::rook(s, occupied) : 0;
    wrong += each[i] != (bishop | rook);
    all |= bishop | rook;
  }
  const bool capped = batch.size() == SliderBatch::capacity;  // then sliders may have been left out of the batch
  return wrong + (!capped && queries.set_attacks(diagonal, orthogonal, occupied) != all);
}

}  // namespace

std::uint32_t wrong_answers(const OccupancyQueries& queries) {
  std::mt19937_64 random(1);
  std::uint32_t wrong = wrong_on_all_subsets(queries.bishop, reference::bishop, bishop_relevant, random) +
                        wrong_on_all_subsets(queries.rook, reference::rook, rook_relevant, random);
  for (unsigned n = 0; n < boards; ++n)
    wrong += wrong_on_a_square(queries, static_cast<Square>(random() % square_count), random_board(random));
  for (unsigned n = 0; n < boards / 10; ++n) wrong += wrong_of_many(queries, random_board(random), random);
  return wrong;
}

}  // namespace slidebench::wasm
