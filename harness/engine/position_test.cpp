// SPDX-License-Identifier: MIT
#include "harness/engine/position.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/chess/leapers.hpp"
#include "harness/engine/fen.hpp"
#include "harness/engine/legal_moves.hpp"
#include "harness/engine/test_perft_counts.hpp"
#include "methods/calculation/hyperbola.hpp"
#include "methods/calculation/ray_walk.hpp"
#include "methods/fill/kogge_stone.hpp"
#include "methods/magic/magic_fancy.hpp"
#include "methods/reference.hpp"
#include "methods/rotated/rotated_heinz.hpp"
#include "methods/rotated/rotated_hyatt.hpp"

namespace slidebench::engine {
namespace {

template <class Position>
MoveList moves_of(const Position& position) {
  MoveList moves;
  generate<GenKind::all>(position, moves);
  return moves;
}

template <class Position>
bool has_move(const Position& position, std::string_view name) {
  return find_uci(name, moves_of(position)).has_value();
}

/// A position to play on by the names of moves.
class Game {
 public:
  explicit Game(std::string_view fen) : position_(parse_fen(fen)) {}

  void play(std::string_view names) {
    while (!names.empty()) {
      const auto end = std::min(names.find(' '), names.size());
      const auto move = find_uci(names.substr(0, end), moves_of(position_));
      ASSERT_TRUE(move) << names << " in " << fen();
      position_.make(*move);
      names.remove_prefix(std::min(end + 1, names.size()));
    }
  }
  std::string fen() const { return to_fen(position_.state()); }
  Position<RayWalk>& operator*() { return position_; }
  Position<RayWalk>* operator->() { return &position_; }

 private:
  Position<RayWalk> position_;
};

// Leapers and lines

/// Pawns, and whatever else a game meets, perft counts.
TEST(Leapers, KnownSetsAndTotals) {
  EXPECT_EQ(knight_attacks[0], bit(17) | bit(10));       // a1: b3 c2
  EXPECT_EQ(knight_attacks[28], 0x0000284400442800U);    // e4
  EXPECT_EQ(king_attacks[0], bit(1) | bit(8) | bit(9));  // a1
  EXPECT_EQ(king_attacks[28], 0x0000003828380000U);      // e4
  const auto total = [](const auto& sets) {
    return std::accumulate(sets.begin(), sets.end(), 0, [](int sum, Bitboard set) { return sum + std::popcount(set); });
  };
  EXPECT_EQ(total(knight_attacks), 336);
  EXPECT_EQ(total(king_attacks), 420);
}

constexpr std::array<std::pair<Direction, Direction>, 8> opposite_directions{{
    {Direction::north, Direction::south},
    {Direction::south, Direction::north},
    {Direction::east, Direction::west},
    {Direction::west, Direction::east},
    {Direction::northeast, Direction::southwest},
    {Direction::southwest, Direction::northeast},
    {Direction::northwest, Direction::southeast},
    {Direction::southeast, Direction::northwest},
}};

/// Against the definition, for all pairs of squares.
TEST(Leapers, LinesAndWhatIsBetween) {
  for (Square a = 0; a < 64; ++a) {
    for (Square b = 0; b < 64; ++b) {
      Bitboard whole = 0;
      Bitboard inner = 0;
      for (const auto& [there, back] : opposite_directions) {
        if ((ray(there, a) & bit(b)) == 0) continue;
        inner = ray(there, a) & ray(back, b);
        whole = ray(there, a) | ray(back, b);
      }
      EXPECT_EQ(line(a, b), whole) << a << ' ' << b;
      EXPECT_EQ(between(a, b), inner) << a << ' ' << b;
    }
  }
}

TEST(Zobrist, KeysDiffer) {
  std::set<std::uint64_t> keys;
  for (const auto& types : zobrist.pieces) {
    for (const auto& squares : types) keys.insert(squares.begin(), squares.end());
  }
  keys.insert(zobrist.castling.begin(), zobrist.castling.end());
  keys.insert(zobrist.en_passant.begin(), zobrist.en_passant.end());
  keys.insert(zobrist.black_to_move);
  EXPECT_EQ(keys.size(), 768U + 15 + 8 + 1 + 1);  // and the 0 of no rights and no square
}

// Make and unmake, whatever the method

template <class M>
void expect_consistent(const Position<M>& position) {
  const PositionState state = position.state();
  const Position<M> fresh(state);
  ASSERT_EQ(fresh.state(), state);
  ASSERT_EQ(position.key(), fresh.key()) << to_fen(state);
  ASSERT_EQ(position.checkers(), fresh.checkers()) << to_fen(state);
  ASSERT_EQ(position.king_lines(), fresh.king_lines()) << to_fen(state);
  ASSERT_EQ(position.occupied(), state.colors[0] ^ state.colors[1]);
  for (Square s = 0; s < 64; ++s) {
    ASSERT_EQ(position.piece_on(s), fresh.piece_on(s)) << to_fen(state);
    ASSERT_EQ(position.queen_attacks(s), reference::queen(s, position.occupied())) << to_fen(state);
  }
}

/// The generator's list against plain definitions: the counter, the captures, the king's safety.
template <class M>
void expect_sound_moves(Position<M>& position, const MoveList& moves) {
  ASSERT_EQ(moves.size(), count_moves(position));
  ASSERT_EQ(has_legal_move(position), moves.size() != 0);
  std::set<std::uint16_t> captures;
  for (const Move move : moves) {
    const bool takes = position.piece_on(move.to()) != PieceType::none || move.is_en_passant();
    if (move.is_promotion() ? move.promotion() == PieceType::queen : takes) captures.insert(move.bits());
  }
  MoveList found;
  generate<GenKind::captures>(position, found);
  std::set<std::uint16_t> found_captures;
  for (const Move move : found) found_captures.insert(move.bits());
  ASSERT_EQ(found_captures, captures) << to_fen(position.state());
  ASSERT_EQ(found.size(), captures.size());

  const Color mover = position.side();
  for (const Move move : moves) {
    position.make(move);
    ASSERT_FALSE(position.attacked_by(~mover, position.king(mover), position.occupied()));
    ASSERT_EQ(position.checkers(),
              position.attackers_to(position.king(~mover), position.occupied()) & position.pieces(mover));
    position.unmake(move);
  }
}

template <class M>
class PositionOf : public testing::Test {};

using Methods = testing::Types<MagicFancy, Hyperbola, KoggeStone, RotatedHyatt, RotatedHeinz, RayWalk>;
TYPED_TEST_SUITE(PositionOf, Methods);

/// Random games from positions that hold every kind of move, forward and all the way back.
TYPED_TEST(PositionOf, RandomGamesThereAndBack) {
  initialise<TypeParam>();
  constexpr std::array fens{start_position, kiwipete, rook_endgame, in_check, promotions};
  std::mt19937_64 random(7);
  for (unsigned round = 0; round < 40; ++round) {
    Position<TypeParam> position(parse_fen(fens[round % fens.size()]));
    struct Step {
      PositionState state;
      std::uint64_t key;
      Move move;
    };
    std::vector<Step> game;
    while (game.size() < 200) {
      const MoveList moves = moves_of(position);
      expect_sound_moves(position, moves);
      if (this->HasFatalFailure() || moves.size() == 0) break;
      if (position.checkers() == 0) {
        const PositionState before = position.state();
        position.make_null();
        expect_consistent(position);
        position.unmake_null();
        ASSERT_EQ(position.state(), before);
      }
      const Move move = moves[static_cast<unsigned>(random() % moves.size())];
      game.push_back({position.state(), position.key(), move});
      position.make(move);
      ASSERT_EQ(position.ply(), game.size());
      expect_consistent(position);
      if (this->HasFatalFailure()) return;
    }
    for (; !game.empty(); game.pop_back()) {
      position.unmake(game.back().move);
      ASSERT_EQ(position.state(), game.back().state);
      ASSERT_EQ(position.key(), game.back().key);
      expect_consistent(position);
    }
    ASSERT_EQ(position.ply(), 0U);
  }
}

/// Queries on another occupancy, for methods with and without a board of their own; the position stays as it is.
TYPED_TEST(PositionOf, QueriesOnAnotherOccupancy) {
  initialise<TypeParam>();
  std::mt19937_64 random(11);
  const Position<TypeParam> position(parse_fen(kiwipete));
  for (unsigned round = 0; round < 50; ++round) {
    Bitboard changed = random();
    for (int sparser = 0; sparser < 2; ++sparser) changed &= random();
    const Bitboard other = position.occupied() ^ changed;
    for (Square s = 0; s < 64; ++s) {
      const BishopRook both = position.both_attacks(s, other);
      ASSERT_EQ(both.bishop, reference::bishop(s, other));
      ASSERT_EQ(both.rook, reference::rook(s, other));
      ASSERT_EQ(position.bishop_attacks(s, other), both.bishop);
      ASSERT_EQ(position.rook_attacks(s, other), both.rook);
    }
  }
  expect_consistent(position);
}

/// One seldom used path at a time: a game of 500 plies fits, and its keys stay for repetition.
TYPED_TEST(PositionOf, LongGamesFit) {
  initialise<TypeParam>();
  auto position = std::make_unique<Position<TypeParam>>(parse_fen(start_position));
  std::vector<Move> game;
  const std::array<const char*, 4> dance{"g1f3", "g8f6", "f3g1", "f6g8"};
  for (unsigned ply = 0; ply < Position<TypeParam>::max_ply; ++ply) {
    game.push_back(find_uci(dance[ply % 4], moves_of(*position)).value());
    position->make(game.back());
  }
  EXPECT_EQ(position->repetitions(), Position<TypeParam>::max_ply / 4);
  for (; !game.empty(); game.pop_back()) position->unmake(game.back());
  EXPECT_EQ(to_fen(position->state()), start_position);
}

// Attackers

TEST(Position, AttackersOfASquare) {
  const Position<RayWalk> position(parse_fen("4k3/8/2n2b2/1p1P4/8/1N3r2/3R4/3QK3 w - - 0 1"));
  const Square d4 = 27;
  EXPECT_EQ(position.attackers_to(d4, position.occupied()), bit(42) | bit(45) | bit(17) | bit(11));
  // A piece that is taken off attacks no more, and opens the line behind it.
  EXPECT_EQ(position.attackers_to(d4, position.occupied() ^ bit(11)), bit(42) | bit(45) | bit(17) | bit(3));
  EXPECT_TRUE(position.attacked_by(Color::black, d4, position.occupied()));
  EXPECT_TRUE(position.attacked_by(Color::white, d4, position.occupied()));
  EXPECT_FALSE(position.attacked_by(Color::white, 63, position.occupied()));
  EXPECT_TRUE(position.attacked_by(Color::white, 42, position.occupied()));  // the pawn on d5 attacks c6
}

// Rules: what perft's published counts (test_perft_counts.hpp) do not reach.

TEST(Rules, EnPassantNotIfItUncoversTheKingsFile) {
  EXPECT_FALSE(has_move(Position<RayWalk>(parse_fen("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1")), "e5d6"));
}

TEST(Rules, EnPassantAnswersTheCheckOfThePawn) {
  const Position<RayWalk> position(parse_fen("7k/8/8/3pP3/2K5/8/8/8 w - d6 0 1"));
  EXPECT_NE(position.checkers(), 0U);
  EXPECT_TRUE(has_move(position, "e5d6"));
}

TEST(Rules, EnPassantSquareOnlyIfAPawnAttacksIt) {
  Game game(start_position);
  game.play("e2e4");
  EXPECT_EQ(game->en_passant(), no_square);
  EXPECT_EQ(game.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
  const Position<RayWalk> given(parse_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"));
  EXPECT_EQ(given.en_passant(), no_square);
  EXPECT_EQ(given.key(), game->key());

  Game own_neighbour("4k3/8/8/8/3P4/8/4P3/4K3 w - - 0 1");
  own_neighbour.play("e2e4");
  EXPECT_EQ(own_neighbour->en_passant(), no_square);
}

TEST(Rules, FiftyMoves) {
  Game game("4k3/8/8/8/8/8/4P3/R3K3 w Q - 98 80");
  EXPECT_FALSE(game->is_draw());
  game.play("a1a2");
  EXPECT_FALSE(game->is_draw());
  game.play("e8d8");
  EXPECT_EQ(game->halfmove_clock(), 100U);
  EXPECT_TRUE(game->is_draw());
  game.play("e2e3");
  EXPECT_EQ(game.fen(), "3k4/8/8/8/8/4P3/R7/4K3 b - - 0 81");
}

TEST(Rules, MateOnTheHundredthPlyWins) {
  Game mate("7k/8/6K1/8/8/8/8/R7 w - - 99 80");
  mate.play("a1a8");
  EXPECT_EQ(mate->halfmove_clock(), 100U);
  EXPECT_FALSE(has_legal_move(*mate));
  EXPECT_FALSE(mate->is_draw());
  Game check("7k/8/5K2/8/8/8/8/R7 w - - 99 80");
  check.play("a1a8");
  EXPECT_NE(check->checkers(), 0U);
  EXPECT_TRUE(check->is_draw());
}

TEST(Rules, Repetition) {
  Game game(start_position);
  game.play("g1f3 g8f6 f3g1");
  EXPECT_FALSE(game->is_draw());
  game.play("f6g8");
  EXPECT_EQ(game->repetitions(), 1U);
  EXPECT_TRUE(game->is_draw());
  game.play("g1f3 g8f6 f3g1 f6g8");
  EXPECT_EQ(game->repetitions(), 2U);
  game.play("e2e4");
  EXPECT_EQ(game->repetitions(), 0U);
}

TEST(Rules, TooLittleMaterialToMate) {
  const auto is_draw = [](const char* fen) { return Position<RayWalk>(parse_fen(fen)).is_draw(); };
  EXPECT_TRUE(is_draw("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
  EXPECT_TRUE(is_draw("4k3/8/8/8/8/8/8/4KN2 w - - 0 1"));
  EXPECT_TRUE(is_draw("4kb2/8/8/8/8/8/8/4K3 w - - 0 1"));
  EXPECT_FALSE(is_draw("4kb2/8/8/8/8/8/8/4KN2 w - - 0 1"));
  EXPECT_FALSE(is_draw("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1"));
  EXPECT_FALSE(is_draw("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"));
  EXPECT_FALSE(is_draw("4k3/8/8/8/8/8/8/4K2R w - - 0 1"));
  EXPECT_FALSE(is_draw("4k2q/8/8/8/8/8/8/4K3 w - - 0 1"));
}

TEST(Rules, OtherRightsAreNoRepetition) {
  Game castling("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  castling.play("h1g1 h8g8 g1h1 g8h8");
  EXPECT_FALSE(castling->is_draw());
  castling.play("h1g1 h8g8 g1h1 g8h8");
  EXPECT_TRUE(castling->is_draw());

  Game en_passant("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
  en_passant.play("d7d5 e1e2 e8e7 e2e1 e7e8");
  EXPECT_FALSE(en_passant->is_draw());
  en_passant.play("e1e2 e8e7 e2e1 e7e8");
  EXPECT_TRUE(en_passant->is_draw());
}

TEST(Rules, NothingIsRepeatedAcrossAPass) {
  Game game(start_position);
  game.play("b1c3 b8c6");
  const std::uint64_t key = game->key();
  game.play("g1f3");
  game->make_null();
  game.play("f3g1");
  game->make_null();
  EXPECT_EQ(game->key(), key);
  EXPECT_EQ(game->repetitions(), 0U);
  game->unmake_null();
  EXPECT_EQ(game->side(), Color::black);
  EXPECT_EQ(game->ply(), 5U);
}

TEST(Rules, APassTakesTheEnPassantSquareAway) {
  Game game("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
  const PositionState before = game->state();
  const std::uint64_t key = game->key();
  game->make_null();
  EXPECT_EQ(game.fen(), "4k3/8/8/3pP3/8/8/8/4K3 b - - 1 1");
  expect_consistent(*game);
  game->unmake_null();
  EXPECT_EQ(game->state(), before);
  EXPECT_EQ(game->key(), key);
}

TEST(Rules, TheMostMovesThereCanBe) {
  const Position<RayWalk> position(parse_fen("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"));
  EXPECT_EQ(moves_of(position).size(), 218U);
}

}  // namespace
}  // namespace slidebench::engine
