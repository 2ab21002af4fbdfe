// SPDX-License-Identifier: MIT
#include "harness/engine/fen.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>

#include "harness/engine/legal_moves.hpp"
#include "harness/engine/move.hpp"
#include "harness/trace/test_support.hpp"

namespace slidebench::engine {
namespace {

/// What parse_fen says about a FEN, in one line; empty if it accepts it.
std::string complaint(std::string_view fen) {
  return test::complaint([fen] { parse_fen(fen); });
}

void expect_refused(std::string_view fen, std::string_view reason) {
  const std::string message = complaint(fen);
  EXPECT_NE(message.find(reason), std::string::npos) << fen << "\n  said: " << message;
  EXPECT_EQ(message.rfind("bad FEN", 0), 0U) << message;
}

TEST(Fen, StartPosition) {
  const PositionState state = parse_fen(start_position);
  EXPECT_EQ(state.pieces, (std::array<Bitboard, 6>{0x00FF00000000FF00, 0x4200000000000042, 0x2400000000000024,
                                                   0x8100000000000081, 0x0800000000000008, 0x1000000000000010}));
  EXPECT_EQ(state.colors, (std::array<Bitboard, 2>{0x000000000000FFFF, 0xFFFF000000000000}));
  EXPECT_EQ(state.side, Color::white);
  EXPECT_EQ(state.castling, 15);
  EXPECT_EQ(state.en_passant, no_square);
  EXPECT_EQ(state.halfmove_clock, 0);
  EXPECT_EQ(state.fullmove_number, 1);
}

TEST(Fen, SidesRightsSquaresAndCounters) {
  const PositionState after_e4 = parse_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
  EXPECT_EQ(after_e4.side, Color::black);
  EXPECT_EQ(after_e4.en_passant, 20);
  const PositionState late = parse_fen("r3k2r/8/8/8/8/8/8/R3K2R b Qk - 37 9999");
  EXPECT_EQ(late.castling, white_queenside | black_kingside);
  EXPECT_EQ(late.halfmove_clock, 37);
  EXPECT_EQ(late.fullmove_number, 9999);
  EXPECT_EQ(parse_fen("r3k2r/8/8/8/8/8/8/R3K2R b - - 150 80").halfmove_clock, 150);
}

TEST(Fen, WritesWhatItRead) {
  for (const std::string_view fen :
       {start_position, std::string_view("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
        std::string_view("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
        std::string_view("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
        std::string_view("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"),
        std::string_view("QQQQQQQQ/8/8/8/6k1/8/8/KQ6 b - - 12 345")}) {
    EXPECT_EQ(to_fen(parse_fen(fen)), fen);
    EXPECT_EQ(parse_fen(to_fen(parse_fen(fen))), parse_fen(fen));
  }
}

TEST(Fen, CountersMayBeLeftOutAndBlanksDoNotMatter) {
  const PositionState whole = parse_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
  EXPECT_EQ(parse_fen("4k3/8/8/8/8/8/8/4K3 w - -"), whole);
  EXPECT_EQ(parse_fen("  4k3/8/8/8/8/8/8/4K3   w  - -  0 1 "), whole);
}

TEST(Fen, RefusesWrongFieldsAndLengths) {
  expect_refused("", "0 fields");
  expect_refused("   ", "0 fields");
  expect_refused("4k3/8/8/8/8/8/8/4K3 w -", "3 fields");
  expect_refused("4k3/8/8/8/8/8/8/4K3 w - - 0 1 extra", "7 fields");
  expect_refused("4k3/8/8/8/8/8/8/4K3\tw - - 0 1", "5 fields");
  expect_refused(std::string(1'000'000, '8'), "1000000 characters");
  expect_refused(std::string("4k3/8/8/8/8/8/8/4K3 w - - 0 1") + std::string(200, ' '), "characters");
}

TEST(Fen, RefusesWrongBoards) {
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

TEST(Fen, RefusesWrongPieces) {
  expect_refused("8/8/8/8/8/8/8/4K3 w - - 0 1", "black has 0 kings");
  expect_refused("4k3/8/8/8/8/8/8/8 w - - 0 1", "white has 0 kings");
  expect_refused("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "white has 2 kings");
  expect_refused("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "pawn stands on a1");
  expect_refused("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "pawn stands on h8");
  expect_refused("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "white has 9 pawns");
  expect_refused("4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1", "white has at least 1 promoted");
  expect_refused("b1b1k3/pppppppp/8/8/8/8/8/4K3 w - - 0 1", "black has at least 1 promoted");
  expect_refused("4k3/8/8/8/RRRRRRRR/RRR5/8/4K3 w - - 0 1", "white has at least 9 promoted");
}

TEST(Fen, RefusesImpossibleChecks) {
  expect_refused("4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "black is in check, and it is white's turn");
  expect_refused("4k3/8/8/8/1b6/8/8/4K3 b - - 0 1", "white is in check, and it is black's turn");
  expect_refused("8/8/8/3kK3/8/8/8/8 w - - 0 1", "black is in check");
  expect_refused("4k3/8/8/8/1b2r3/8/6n1/4K3 w - - 0 1", "more than two");
  EXPECT_EQ(complaint("4k3/8/8/8/1b2r3/8/8/4K3 w - - 0 1"), "");
  EXPECT_EQ(complaint("4k3/8/8/8/8/8/8/K3R3 b - - 0 1"), "");
}

TEST(Fen, RefusesWrongSidesAndRights) {
  expect_refused("4k3/8/8/8/8/8/8/4K3 W - - 0 1", "neither w nor b");
  expect_refused("4k3/8/8/8/8/8/8/4K3 white - - 0 1", "neither w nor b");
  expect_refused("r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1", "KQkq in this order");
  expect_refused("r3k2r/8/8/8/8/8/8/R3K2R w kK - 0 1", "KQkq in this order");
  expect_refused("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "KQkq in this order");
  expect_refused("r3k2r/8/8/8/8/8/8/R3K2R w KQkq- - 0 1", "KQkq in this order");
  expect_refused("r3k2r/8/8/8/8/8/8/R3K3 w K - 0 1", "castling right K without a king on e1 and a rook on h1");
  expect_refused("r3k2r/8/8/8/8/8/8/4K2R w Q - 0 1", "a rook on a1");
  expect_refused("r2k3r/8/8/8/8/8/8/R3K2R w k - 0 1", "castling right k without a king on e8");
  expect_refused("4k2r/8/8/8/8/8/8/R3K2R w q - 0 1", "a rook on a8");
  expect_refused("R3k3/8/8/8/8/8/8/4K3 b q - 0 1", "a rook on a8");
}

TEST(Fen, RefusesImpossibleEnPassant) {
  const std::string board = "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR";
  EXPECT_EQ(complaint(board + " w KQkq e6 0 2"), "");
  expect_refused(board + " w KQkq e3 0 2", "nor on rank 6");
  expect_refused(board + " b KQkq e6 0 2", "nor on rank 3");
  expect_refused(board + " w KQkq d6 0 2", "no pawn can just have skipped");
  expect_refused(board + " w KQkq e9 0 2", "nor on rank 6");
  expect_refused(board + " w KQkq i6 0 2", "nor on rank 6");
  expect_refused(board + " w KQkq e 0 2", "nor on rank 6");
  expect_refused(board + " w KQkq e6e6 0 2", "nor on rank 6");
  expect_refused(board + " w KQkq e6 1 2", "halfmove clock is not 0");
  expect_refused("4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 2", "no pawn can just have skipped");
  expect_refused("4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 2", "no pawn can just have skipped");
  expect_refused("4k3/8/8/4P3/8/8/8/4K3 w - e6 0 2", "no pawn can just have skipped");
}

TEST(Fen, RefusesWrongCounters) {
  const std::string board = "4k3/8/8/8/8/8/8/4K3 w - - ";
  for (const char* clock : {"-1", "151", "65536", "99999999999999999999", "x", "1x", "+1", "01", "-"}) {
    expect_refused(board + clock + " 1", "halfmove clock");
  }
  for (const char* number : {"0", "-1", "10000", "65537", "1.5", "x", "-"}) {
    expect_refused(board + "0 " + number, "move number");
  }
}

TEST(UciMove, WritesMovesAndFindsThemByName) {
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
}

TEST(LegalMoves, AreNamedAndMade) {
  const PositionState start = parse_fen(start_position);
  EXPECT_EQ(legal_moves(start).size(), 20u);
  EXPECT_FALSE(legal_move(start, "e2e5"));
  EXPECT_FALSE(legal_move(start, "0000"));
  const std::optional<Move> move = legal_move(start, "g1f3");
  ASSERT_TRUE(move);
  EXPECT_EQ(to_fen(after(start, *move)), "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
  EXPECT_EQ(legal_moves(parse_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")).size(), 0u);
}

}  // namespace
}  // namespace slidebench::engine
