// SPDX-License-Identifier: MIT
#include "harness/plugin/verification.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <span>
#include <vector>

#include "harness/plugin/board_storage.hpp"
#include "harness/plugin/verification_game.hpp"
#include "methods/reference.hpp"

namespace slidebench {
namespace {

std::string hex(Bitboard b) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%016llX", static_cast<unsigned long long>(b));
  return text;
}

/// Compares answers with the oracle's, and remembers the first difference.
class Comparison {
 public:
  explicit Comparison(const std::string& id) : id_(id) {}

  bool failed() const { return result_.counter_example.has_value(); }
  const VerificationResult& result() const { return result_; }

  /// `what` and `part` name the query, for the counter-example only.
  void expect(Bitboard expected, Bitboard got, const char* what, Square s, Bitboard occupied, const char* part = "") {
    ++result_.answers;
    if (expected == got || failed()) return;
    result_.counter_example = id_ + ": " + what + part + " on " + square_name(s) + ", occupied " + hex(occupied) +
                              ": expected " + hex(expected) + ", got " + hex(got);
  }

  void expect_both(const BishopRook& got, const char* what, Square s, Bitboard occupied) {
    expect(reference::bishop(s, occupied), got.bishop, what, s, occupied, " (bishop set)");
    expect(reference::rook(s, occupied), got.rook, what, s, occupied, " (rook set)");
  }

  void expect_union(Bitboard expected, Bitboard got, Bitboard diagonal, Bitboard orthogonal, Bitboard occupied) {
    ++result_.answers;
    if (expected == got || failed()) return;
    result_.counter_example = id_ + ": set_attacks of diagonal sliders " + hex(diagonal) + ", orthogonal sliders " +
                              hex(orthogonal) + ", occupied " + hex(occupied) + ": expected " + hex(expected) +
                              ", got " + hex(got);
  }

  /// No answer is asked for; but a timed board is checked by its words alone.
  void expect_words(std::span<const Bitboard> built, std::span<const Bitboard> got, const char* what,
                    Bitboard occupied) {
    if (failed() || std::equal(built.begin(), built.end(), got.begin(), got.end())) return;
    result_.counter_example =
        id_ + ": " + what + ", occupied " + hex(occupied) + ": other words than those of a board built for it";
  }

 private:
  std::string id_;
  VerificationResult result_;
};

using Query = Bitboard (*)(Square, Bitboard);

/// Every subset of the relevant occupancy, noise elsewhere, the slider's own bit off and on.
void check_exhaustively(Comparison& check, const char* what, Query query, Query oracle, Bitboard (*relevant)(Square),
                        std::mt19937_64& random) {
  for (Square s = 0; s < square_count && !check.failed(); ++s) {
    const Bitboard mask = relevant(s);
    const Bitboard irrelevant = ~mask & ~bit(s);
    Bitboard subset = 0;
    do {
      const Bitboard expected = oracle(s, subset);
      const Bitboard occupied = subset | (random() & irrelevant);
      check.expect(expected, query(s, occupied), what, s, occupied);
      check.expect(expected, query(s, occupied | bit(s)), what, s, occupied | bit(s));
      subset = next_subset(subset, mask);
    } while (subset != 0);
  }
}

/// A board with few, some or many pieces.
Bitboard random_board(std::mt19937_64& random) {
  const std::uint64_t density = random() % 4;
  const Bitboard word = random();
  if (density == 0) return word & random() & random();
  if (density == 1) return word & random();
  if (density == 2) return word;
  return word | random();
}

void check_random_boards(Comparison& check, const OccupancyQueries& queries, std::uint64_t boards,
                         std::mt19937_64& random) {
  for (std::uint64_t i = 0; i < boards && !check.failed(); ++i) {
    const Bitboard occupied = random_board(random);
    const Square s = static_cast<Square>(random() % 64);
    check.expect(reference::queen(s, occupied), queries.queen(s, occupied), "queen", s, occupied);
    check.expect_both(queries.both(s, occupied), "both", s, occupied);
  }
}

Bitboard union_of_attacks(Bitboard diagonal, Bitboard orthogonal, Bitboard occupied) {
  Bitboard attacks = 0;
  while (diagonal != 0) attacks |= reference::bishop(pop_lowest(diagonal), occupied);
  while (orthogonal != 0) attacks |= reference::rook(pop_lowest(orthogonal), occupied);
  return attacks;
}

void check_slider_sets(Comparison& check, const OccupancyQueries& queries, std::uint64_t boards,
                       std::mt19937_64& random) {
  for (std::uint64_t i = 0; i < boards && !check.failed(); ++i) {
    const Bitboard occupied = random_board(random);
    const Bitboard sliders = occupied & random() & random();
    const Bitboard diagonal = sliders & random();
    const Bitboard orthogonal = (sliders & ~diagonal) | (sliders & random() & random());  // a queen or two in both
    check.expect_union(union_of_attacks(diagonal, orthogonal, occupied),
                       queries.set_attacks(diagonal, orthogonal, occupied), diagonal, orthogonal, occupied);
  }
}

/// Batches of every length, of all kinds of sliders, on any squares: the kinds' numbers are drawn, and what follows the
/// last slider is noise. Beyond its room a method must not write.
void check_batches(Comparison& check, const OccupancyQueries& queries, std::uint64_t batches, std::mt19937_64& random) {
  constexpr Bitboard untouched = 0x5EA1ED5EA1ED5EA1;
  for (std::uint64_t i = 0; i < batches && !check.failed(); ++i) {
    const Bitboard occupied = random_board(random);
    SliderBatch sliders;
    for (std::uint8_t& square : sliders.squares) square = static_cast<std::uint8_t>(random() % 64);
    const unsigned size = static_cast<unsigned>(i % (SliderBatch::capacity + 1));
    sliders.bishops = static_cast<std::uint8_t>(random() % (size + 1));
    sliders.queens = static_cast<std::uint8_t>(random() % (size + 1 - sliders.bishops));
    sliders.rooks = static_cast<std::uint8_t>(size - sliders.bishops - sliders.queens);
    std::array<Bitboard, SliderBatch::room + 8> attacks;
    attacks.fill(untouched);
    queries.batch(sliders, occupied, attacks.data());
    for (unsigned n = 0; n < size; ++n) {
      const Square s = sliders.squares[n];
      const Bitboard bishop = n < sliders.diagonal_end() ? reference::bishop(s, occupied) : 0;
      const Bitboard rook = n >= sliders.orthogonal_begin() ? reference::rook(s, occupied) : 0;
      check.expect(bishop | rook, attacks[n], "batch", s, occupied);
    }
    for (unsigned n = SliderBatch::room; n < attacks.size(); ++n) {
      check.expect(untouched, attacks[n], "batch", sliders.squares[0], occupied, " (a word beyond its room)");
    }
  }
}

void check_position(Comparison& check, const BoardStorage& board, const char* what, Bitboard occupied) {
  for (Square s = 0; s < square_count; ++s) check.expect_both(board.both(s), what, s, occupied);
}

/// The board along a game: built anew at every position, toggled forwards, and toggled back to the start.
void check_board(Comparison& check, const BoardQueries& queries, std::span<const Bitboard> game) {
  if (game.empty()) return;
  BoardStorage toggled(queries);
  BoardStorage rebuilt(queries);
  toggled.build(game[0]);
  for (std::size_t i = 0; i < game.size() && !check.failed(); ++i) {
    if (i > 0) toggled.toggle(game[i - 1] ^ game[i]);
    rebuilt.build(game[i]);
    check_position(check, rebuilt, "board built for the position", game[i]);
    check_position(check, toggled, "board toggled forwards", game[i]);
    check.expect_words(rebuilt.words(), toggled.words(), "board toggled forwards", game[i]);
  }
  for (std::size_t i = game.size() - 1; i > 0 && !check.failed(); --i) {
    toggled.toggle(game[i] ^ game[i - 1]);
    rebuilt.build(game[i - 1]);
    check_position(check, toggled, "board toggled backwards", game[i - 1]);
    check.expect_words(rebuilt.words(), toggled.words(), "board toggled backwards", game[i - 1]);
  }
}

}  // namespace

std::string square_name(Square s) { return {static_cast<char>('a' + file_of(s)), static_cast<char>('1' + rank_of(s))}; }

VerificationResult verify_method(const PluginDescriptor& method, const VerificationOptions& options,
                                 std::span<const Bitboard> game) {
  std::mt19937_64 random(options.seed);
  Comparison check(method.info.id);
  check_exhaustively(check, "bishop", method.queries.bishop, reference::bishop, bishop_relevant, random);
  check_exhaustively(check, "rook", method.queries.rook, reference::rook, rook_relevant, random);
  check_random_boards(check, method.queries, options.random_boards, random);
  check_slider_sets(check, method.queries, options.random_boards / 10, random);
  check_batches(check, method.queries, options.random_boards / 10, random);
  check_board(check, method.board, game);
  return check.result();
}

VerificationResult verify_method(const PluginDescriptor& method, const VerificationOptions& options) {
  return verify_method(method, options, verification_game_occupancies());
}

}  // namespace slidebench
