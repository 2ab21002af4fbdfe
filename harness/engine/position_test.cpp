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
#include "harness/engine/perft.hpp"
#include "harness/trace/test_support.hpp"
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

// Positions and counts of the Chess Programming Wiki ("Perft Results"), but where another source is named.

/// The moves of a depth that every method counts in a second, and of a larger one for one fast method.
struct PerftCount {
  const char* name;
  std::string_view fen;
  unsigned depth;
  std::uint64_t count;
  unsigned deep_depth = 0;
  std::uint64_t deep_count = 0;
};

constexpr std::string_view kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
constexpr std::string_view rook_endgame = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
constexpr std::string_view in_check = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
constexpr std::string_view in_check_mirrored = "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1";
constexpr std::string_view capturing_promotion = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";
constexpr std::string_view middlegame = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
constexpr std::string_view promotions = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1";

constexpr PerftCount published_counts[]{
    {"no move", start_position, 0, 1},
    {"start", start_position, 4, 197'281, 6, 119'060'324},
    {"kiwipete", kiwipete, 4, 4'085'603, 5, 193'690'690},
    {"rook endgame", rook_endgame, 5, 674'624, 6, 11'030'083},
    {"in check", in_check, 4, 422'333, 5, 15'833'292},
    {"in check, mirrored", in_check_mirrored, 4, 422'333, 5, 15'833'292},
    {"capturing promotion", capturing_promotion, 4, 2'103'487, 5, 89'941'194},
    {"middlegame", middlegame, 4, 3'894'594, 5, 164'075'551},
    {"promotions", promotions, 4, 182'838, 6, 71'179'139},
    // One rule each, as collected by M. Sedlak (chessprogramming.net/perfect-perft).
    {"en passant would uncover the king's rank", "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1'134'888},
    {"en passant would uncover the king's diagonal", "8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1", 6, 1'015'133},
    {"en passant gives check", "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1'440'467},
    {"castling kingside gives check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661'072},
    {"castling queenside gives check", "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803'711},
    {"castling rights lost with a rook", "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1'274'206},
    {"castling prevented", "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1'720'476},
    {"promotion out of check", "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3'821'001},
    {"discovered check", "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1'004'658},
    {"promotion gives check", "4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217'342},
    {"underpromotion gives check", "8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92'683},
    {"self stalemate", "K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2'217},
    {"stalemate and mate", "8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567'584},
    {"double check", "8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23'527},
    {"two rooks that can castle or not", "1k6/1b6/8/8/7R/8/8/4K2R b K - 0 1", 5, 1'063'513},
};

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
  Position<RayWalk>* operator->() { return &position_; }

 private:
  Position<RayWalk> position_;
};

// Leapers and lines

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

/// Against the definition, for all pairs of squares.
TEST(Leapers, LinesAndWhatIsBetween) {
  for (Square a = 0; a < 64; ++a) {
    for (Square b = 0; b < 64; ++b) {
      Bitboard whole = 0;
      Bitboard inner = 0;
      for (unsigned direction = 0; direction < 8; ++direction) {
        const auto there = static_cast<Direction>(direction);
        const auto back = static_cast<Direction>((direction + 4) % 8);  // its opposite
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

/// One method of each sort: without tables, with small and large ones, fills, and boards of their own.
using Methods = testing::Types<MagicFancy, Hyperbola, KoggeStone, RotatedHyatt, RotatedHeinz, RayWalk>;
TYPED_TEST_SUITE(PositionOf, Methods);

/// Counts with method M, and finds the position as it was.
template <AttackMethod M>
void expect_count(const PerftCount& expected, unsigned depth, std::uint64_t count) {
  Position<M> position(parse_fen(expected.fen));
  const PositionState before = position.state();
  EXPECT_EQ(perft(position, depth), count) << expected.name << " with " << M::info.id;
  EXPECT_EQ(position.state(), before) << expected.name;
}

TYPED_TEST(PositionOf, PerftIsAsPublished) {
  initialise<TypeParam>();
  for (const PerftCount& expected : published_counts) expect_count<TypeParam>(expected, expected.depth, expected.count);
}

TEST(Position, DeepPerftIsAsPublished) {
  initialise<MagicFancy>();
  for (const PerftCount& expected : published_counts) {
    if (expected.deep_depth != 0) expect_count<MagicFancy>(expected, expected.deep_depth, expected.deep_count);
  }
}

/// Random games from positions that hold every kind of move, forward and all the way back.
TYPED_TEST(PositionOf, RandomGamesThereAndBack) {
  initialise<TypeParam>();
  constexpr std::array fens{start_position, kiwipete, rook_endgame, in_check, promotions};
  std::mt19937_64 random(7);
  for (unsigned round = 0; round < 40; ++round) {
    Position<TypeParam> position(parse_fen(fens[round % fens.size()]));
    std::vector<std::pair<PositionState, Move>> game;
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
        expect_consistent(position);
      }
      const Move move = moves[static_cast<unsigned>(random() % moves.size())];
      game.emplace_back(position.state(), move);
      position.make(move);
      ASSERT_EQ(position.ply(), game.size());
      expect_consistent(position);
      if (this->HasFatalFailure()) return;
    }
    for (; !game.empty(); game.pop_back()) {
      position.unmake(game.back().second);
      ASSERT_EQ(position.state(), game.back().first);
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
}

// Rules: what perft's published counts do not reach.

TEST(Rules, EnPassantAnswersTheCheckOfThePawnAndDoesNotUncoverTheKingsFile) {
  EXPECT_FALSE(legal_move(parse_fen("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), "e5d6"));
  const PositionState check = parse_fen("7k/8/8/3pP3/2K5/8/8/8 w - d6 0 1");
  EXPECT_NE(Position<RayWalk>(check).checkers(), 0U);
  EXPECT_TRUE(legal_move(check, "e5d6"));
}

TEST(Rules, EnPassantSquareOnlyIfAPawnAttacksIt) {
  Game game(start_position);
  game.play("e2e4");
  EXPECT_EQ(game.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
  const Position<RayWalk> given(parse_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"));
  EXPECT_EQ(given.en_passant(), no_square);
  EXPECT_EQ(given.key(), game->key());

  Game own_neighbour("4k3/8/8/8/3P4/8/4P3/4K3 w - - 0 1");
  own_neighbour.play("e2e4");
  EXPECT_EQ(own_neighbour->en_passant(), no_square);
}

TEST(Rules, CountersRightsAndEnPassantFollowMovesAndPasses) {
  Game pass("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
  pass->make_null();
  EXPECT_EQ(pass.fen(), "4k3/8/8/3pP3/8/8/8/4K3 b - - 1 1");
  Game game("4k3/8/8/8/8/8/4P3/R3K3 w Q - 98 80");
  game.play("a1a2 e8d8");
  EXPECT_EQ(game->halfmove_clock(), 100U);
  game.play("e2e3");
  EXPECT_EQ(game.fen(), "3k4/8/8/8/8/4P3/R7/4K3 b - - 0 81");
}

/// A game, whether it is drawn now, and how often this position has been there before.
struct DrawCase {
  const char* title;
  std::string_view fen, moves;
  bool draw;
  unsigned repetitions;
};

TEST(Rules, FiftyMovesRepetitionAndTooLittleMaterialDraw) {
  constexpr std::string_view late = "4k3/8/8/8/8/8/4P3/R3K3 w Q - 98 80";
  constexpr std::string_view castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
  constexpr std::string_view en_passant = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1";
  constexpr DrawCase cases[]{
      {"98 plies", late, "", false, 0},
      {"99 plies", late, "a1a2", false, 0},
      {"100 plies", late, "a1a2 e8d8", true, 0},
      {"mate on the hundredth ply", "7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8", false, 0},
      {"check on the hundredth ply", "7k/8/5K2/8/8/8/8/R7 w - - 99 80", "a1a8", true, 0},
      {"not yet back", start_position, "g1f3 g8f6 f3g1", false, 0},
      {"the second time", start_position, "g1f3 g8f6 f3g1 f6g8", true, 1},
      {"the third time", start_position, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", true, 2},
      {"then a pawn moves", start_position, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 e2e4", false, 0},
      {"other castling rights", castling, "h1g1 h8g8 g1h1 g8h8", false, 0},
      {"the same castling rights", castling, "h1g1 h8g8 g1h1 g8h8 h1g1 h8g8 g1h1 g8h8", true, 1},
      {"en passant no more", en_passant, "d7d5 e1e2 e8e7 e2e1 e7e8", false, 0},
      {"twice without en passant", en_passant, "d7d5 e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1 e7e8", true, 1},
      {"two kings", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", true, 0},
      {"a knight", "4k3/8/8/8/8/8/8/4KN2 w - - 0 1", "", true, 0},
      {"a bishop", "4kb2/8/8/8/8/8/8/4K3 w - - 0 1", "", true, 0},
      {"a bishop and a knight", "4kb2/8/8/8/8/8/8/4KN2 w - - 0 1", "", false, 0},
      {"two knights", "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", "", false, 0},
      {"a pawn", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "", false, 0},
      {"a rook", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "", false, 0},
      {"a queen", "4k2q/8/8/8/8/8/8/4K3 w - - 0 1", "", false, 0},
  };
  for (const DrawCase& expected : cases) {
    SCOPED_TRACE(expected.title);
    Game game(expected.fen);
    game.play(expected.moves);
    EXPECT_EQ(game->is_draw(), expected.draw);
    EXPECT_EQ(game->repetitions(), expected.repetitions);
  }
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
}

// Positions and moves as text

void expect_refused(std::string_view fen, std::string_view reason) {
  const std::string message = test::complaint([fen] { parse_fen(fen); });
  EXPECT_NE(message.find(reason), std::string::npos) << fen << "\n  said: " << message;
  EXPECT_EQ(message.rfind("bad FEN", 0), 0U) << message;
}

TEST(Fen, TellsPiecesSidesRightsSquaresAndCounters) {
  const PositionState state = parse_fen(start_position);
  EXPECT_EQ(state.pieces, (std::array<Bitboard, 6>{0x00FF00000000FF00, 0x4200000000000042, 0x2400000000000024,
                                                   0x8100000000000081, 0x0800000000000008, 0x1000000000000010}));
  EXPECT_EQ(state.colors, (std::array<Bitboard, 2>{0x000000000000FFFF, 0xFFFF000000000000}));
  EXPECT_EQ(state.side, Color::white);
  EXPECT_EQ(state.castling, 15);
  EXPECT_EQ(state.en_passant, no_square);
  EXPECT_EQ(parse_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").en_passant, 20);
  const PositionState late = parse_fen("r3k2r/8/8/8/8/8/8/R3K2R b Qk - 150 9999");
  EXPECT_EQ(late.side, Color::black);
  EXPECT_EQ(late.castling, white_queenside | black_kingside);
  EXPECT_EQ(late.halfmove_clock, 150);
  EXPECT_EQ(late.fullmove_number, 9999);
}

TEST(Fen, WritesWhatItReadWhereCountersMayBeLeftOutAndBlanksDoNotMatter) {
  for (const std::string_view fen : {start_position, kiwipete, rook_endgame, capturing_promotion,
                                     std::string_view("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
                                     std::string_view("QQQQQQQQ/8/8/8/6k1/8/8/KQ6 b - - 12 345")}) {
    EXPECT_EQ(to_fen(parse_fen(fen)), fen);
  }
  for (const char* fen : {"4k3/8/8/8/8/8/8/4K3 w - -", "  4k3/8/8/8/8/8/8/4K3   w  - -  0 1 "})
    EXPECT_EQ(to_fen(parse_fen(fen)), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
}

TEST(Fen, RefusesWrongFieldsLengthsAndBoards) {
  expect_refused("", "0 fields");
  expect_refused("   ", "0 fields");
  expect_refused("4k3/8/8/8/8/8/8/4K3 w -", "3 fields");
  expect_refused("4k3/8/8/8/8/8/8/4K3 w - - 0 1 extra", "7 fields");
  expect_refused("4k3/8/8/8/8/8/8/4K3\tw - - 0 1", "5 fields");
  expect_refused(std::string(1'000'000, '8'), "1000000 characters");
  expect_refused(std::string("4k3/8/8/8/8/8/8/4K3 w - - 0 1") + std::string(200, ' '), "characters");

  expect_refused("4k3/8/8/8/8/8/4K3 w - - 0 1", "7 ranks");
  expect_refused("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "more than eight ranks");
  expect_refused("4k3/8/8/8/8/8/8/4K3/ w - - 0 1", "more than eight ranks");
  expect_refused("4k3/8/8/8/8/8/7/4K3 w - - 0 1", "rank 2 has 7 squares");
  expect_refused("4k3/8/8/8/8/8/8p/4K3 w - - 0 1", "rank 2 has 9 squares");
  expect_refused("4k3/8/8/8//8/8/4K3 w - - 0 1", "rank 4 has 0 squares");
  expect_refused("4k3/8/8/8/44/8/8/4K3 w - - 0 1", "two numbers");
  expect_refused("4k3/8/8/8/9/8/8/4K3 w - - 0 1", "unknown piece '9'");
  expect_refused("4k3/8/8/8/0/8/8/4K3 w - - 0 1", "unknown piece '0'");
  expect_refused("4k3/8/8/8/7x/8/8/4K3 w - - 0 1", "unknown piece 'x'");
  expect_refused("4k3/8/8/8/7\n/8/8/4K3 w - - 0 1", "unknown piece '?'");
  expect_refused("4k3/8/8/8/pppppppppppppppppppppppppppp/8/8/4K3 w - - 0 1", "rank 4 has 28 squares");
}

TEST(Fen, RefusesWrongPiecesAndImpossibleChecks) {
  expect_refused("8/8/8/8/8/8/8/4K3 w - - 0 1", "black has 0 kings");
  expect_refused("4k3/8/8/8/8/8/8/8 w - - 0 1", "white has 0 kings");
  expect_refused("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "white has 2 kings");
  expect_refused("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "pawn stands on a1");
  expect_refused("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "pawn stands on h8");
  expect_refused("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "white has 9 pawns");
  expect_refused("4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1", "white has at least 1 promoted");
  expect_refused("b1b1k3/pppppppp/8/8/8/8/8/4K3 w - - 0 1", "black has at least 1 promoted");
  expect_refused("4k3/8/8/8/RRRRRRRR/RRR5/8/4K3 w - - 0 1", "white has at least 9 promoted");
  expect_refused("4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "black is in check, and it is white's turn");
  expect_refused("4k3/8/8/8/1b6/8/8/4K3 b - - 0 1", "white is in check, and it is black's turn");
  expect_refused("8/8/8/3kK3/8/8/8/8 w - - 0 1", "black is in check");
  expect_refused("4k3/8/8/8/1b2r3/8/6n1/4K3 w - - 0 1", "more than two");
  EXPECT_NO_THROW(parse_fen("4k3/8/8/8/1b2r3/8/8/4K3 w - - 0 1"));
  EXPECT_NO_THROW(parse_fen("4k3/8/8/8/8/8/8/K3R3 b - - 0 1"));
}

TEST(Fen, RefusesWrongSidesRightsAndCounters) {
  for (const std::string side : {"W", "white"})
    expect_refused("4k3/8/8/8/8/8/8/4K3 " + side + " - - 0 1", "neither w nor b");
  for (const std::string rights : {"KK", "kK", "HAha", "KQkq-"})
    expect_refused("r3k2r/8/8/8/8/8/8/R3K2R w " + rights + " - 0 1", "KQkq in this order");
  expect_refused("r3k2r/8/8/8/8/8/8/R3K3 w K - 0 1", "castling right K without a king on e1 and a rook on h1");
  expect_refused("r3k2r/8/8/8/8/8/8/4K2R w Q - 0 1", "a rook on a1");
  expect_refused("r2k3r/8/8/8/8/8/8/R3K2R w k - 0 1", "castling right k without a king on e8");
  expect_refused("4k2r/8/8/8/8/8/8/R3K2R w q - 0 1", "a rook on a8");
  expect_refused("R3k3/8/8/8/8/8/8/4K3 b q - 0 1", "a rook on a8");

  const std::string board = "4k3/8/8/8/8/8/8/4K3 w - - ";
  for (const char* clock : {"-1", "151", "65536", "99999999999999999999", "x", "1x", "+1", "01", "-"})
    expect_refused(board + clock + " 1", "halfmove clock");
  for (const char* number : {"0", "-1", "10000", "65537", "1.5", "x", "-"})
    expect_refused(board + "0 " + number, "move number");
}

TEST(Fen, RefusesImpossibleEnPassant) {
  const std::string board = "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR";
  EXPECT_NO_THROW(parse_fen(board + " w KQkq e6 0 2"));
  for (const std::string square : {"e3", "e9", "i6", "e", "e6e6"})
    expect_refused(board + " w KQkq " + square + " 0 2", "nor on rank 6");
  expect_refused(board + " b KQkq e6 0 2", "nor on rank 3");
  expect_refused(board + " w KQkq d6 0 2", "no pawn can just have skipped");
  expect_refused(board + " w KQkq e6 1 2", "halfmove clock is not 0");
  expect_refused("4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 2", "no pawn can just have skipped");
  expect_refused("4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 2", "no pawn can just have skipped");
  expect_refused("4k3/8/8/4P3/8/8/8/4K3 w - e6 0 2", "no pawn can just have skipped");
}

TEST(UciMove, MovesAreWrittenFoundByNameAndMade) {
  EXPECT_EQ(to_uci(Move(12, 28)), "e2e4");
  EXPECT_EQ(to_uci(Move::castling(4, 6)), "e1g1");
  EXPECT_EQ(to_uci(Move::promoting(48, 56, PieceType::queen)), "a7a8q");
  EXPECT_EQ(to_uci(Move::promoting(55, 62, PieceType::knight)), "h7g8n");
  EXPECT_EQ(to_uci(Move::capturing_en_passant(36, 43)), "e5d6");
  EXPECT_EQ(to_uci(Move{}), "0000");

  MoveList moves;
  moves.add(Move(12, 28));
  moves.add(Move::promoting(48, 56, PieceType::rook));
  EXPECT_EQ(find_uci("e2e4", moves), Move(12, 28));
  EXPECT_EQ(find_uci("a7a8r", moves), Move::promoting(48, 56, PieceType::rook));
  EXPECT_FALSE(find_uci("a7a8q", moves));
  EXPECT_FALSE(find_uci("", moves));

  const PositionState start = parse_fen(start_position);
  EXPECT_FALSE(legal_move(start, "e2e5"));
  EXPECT_FALSE(legal_move(start, "0000"));
  const Move move = legal_move(start, "g1f3").value();
  EXPECT_EQ(to_fen(after(start, move)), "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
}

TEST(LegalMoves, AreNoneTwentyAndTheMostThereCanBe) {
  EXPECT_EQ(legal_moves(parse_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")).size(), 0u);
  EXPECT_EQ(legal_moves(parse_fen(start_position)).size(), 20u);
  EXPECT_EQ(legal_moves(parse_fen("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")).size(), 218u);
}

}  // namespace
}  // namespace slidebench::engine
