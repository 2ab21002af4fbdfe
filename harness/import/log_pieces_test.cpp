// SPDX-License-Identifier: MIT
//
// What boards and moves of a log become, and what does not fit.
#include "harness/import/log_pieces.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace slidebench {
namespace {

constexpr const char* start_board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
constexpr const char* rare = "r3k2r/P6p/8/3pP3/8/8/p6P/R3K2R";

Bitboard occupied_in(const std::string& placement) { return unpack(*parse_placement(placement)).occupied(); }

/// Pieces with a root.
struct Told : LogPieces {
  explicit Told(const std::string& placement) {
    board(*parse_placement(placement));
    root(occupied_in(placement));
  }
  MoveCode play(const std::string& move_text, Bitboard occupied = 0) {
    move(*parse_move(move_text));
    return make(occupied).move;
  }
};

void expect_fault(const std::string& part, const std::function<void()>& action) {
  try {
    action();
    ADD_FAILURE() << "no fault: " << part;
  } catch (const PieceFault& fault) {
    EXPECT_NE(std::string(fault.what()).find(part), std::string::npos) << fault.what();
  }
}

TEST(log_pieces, a_root_has_its_board) {
  LogPieces pieces;
  EXPECT_FALSE(pieces.are_told());
  pieces.board(*parse_placement(start_board));
  const PieceEvent root = pieces.root(0xFFFF00000000FFFF);
  EXPECT_TRUE(pieces.are_told());
  EXPECT_EQ(root.kind, PieceEvent::Kind::root);
  EXPECT_EQ(pack(root.board), *parse_placement(start_board));
  EXPECT_EQ(pieces.occupied(), 0xFFFF00000000FFFFu);
}

TEST(log_pieces, without_a_board_nothing_is_told) {
  LogPieces pieces;
  EXPECT_EQ(pieces.root(1).kind, PieceEvent::Kind::none);
  EXPECT_EQ(pieces.make(2).kind, PieceEvent::Kind::none);
  EXPECT_EQ(pieces.unmake(0).kind, PieceEvent::Kind::none);
  pieces.pass(9);
  EXPECT_EQ(pieces.sliders(3).white_diagonal, 0u);
  EXPECT_FALSE(pieces.are_told());
}

TEST(log_pieces, a_move_is_made_and_taken_back) {
  Told pieces(start_board);
  const MoveCode move = pieces.play("e2e4", 0xFFFF00001000EFFF);
  EXPECT_EQ(kind_of(move), MoveKind::plain);
  EXPECT_EQ(pieces.occupied(), 0xFFFF00001000EFFFu);
  pieces.pass(0);
  EXPECT_EQ(pieces.unmake(0xFFFF00000000FFFF).kind, PieceEvent::Kind::unmake);
  EXPECT_EQ(pieces.occupied(), 0xFFFF00000000FFFFu);
}

TEST(log_pieces, the_board_tells_what_kind_a_move_is) {
  EXPECT_EQ(kind_of(Told(rare).play("e5d6")), MoveKind::en_passant);
  EXPECT_EQ(kind_of(Told(rare).play("e5e6")), MoveKind::plain);
  const MoveCode promotion = Told(rare).play("a7a8n");
  EXPECT_EQ(kind_of(promotion), MoveKind::promotion);
  EXPECT_EQ(promotion_of(promotion), PieceType::knight);
  EXPECT_EQ(promotion_of(Told(rare).play("a2a1q")), PieceType::queen);
  EXPECT_EQ(kind_of(Told(rare).play("e1e2")), MoveKind::plain);
  EXPECT_EQ(kind_of(Told(rare).play("e1f1")), MoveKind::plain);
}

TEST(log_pieces, castling_is_two_squares_or_onto_the_rook) {
  const std::string placement = "r3k2r/8/8/8/8/8/8/R3K2R";
  for (const auto& [two_squares, onto_rook] :
       {std::pair{"e1g1", "e1h1"}, {"e1c1", "e1a1"}, {"e8g8", "e8h8"}, {"e8c8", "e8a8"}}) {
    Told pieces(placement);
    const MoveCode move = pieces.play(two_squares);
    EXPECT_EQ(kind_of(move), MoveKind::castling);
    EXPECT_EQ(Told(placement).play(onto_rook), move);
    EXPECT_EQ(to_square(move), parse_move(two_squares)->to);
  }
  Told pieces(placement);
  pieces.play("e1g1");
  EXPECT_EQ(pieces.occupied(), 0x9100000000000061u);
}

TEST(log_pieces, sliders_stand_on_the_squares_asked_about) {
  const Told pieces(start_board);
  const SliderSets sliders = pieces.sliders(0xFFFF00000000FFFF);
  EXPECT_EQ(sliders.white_diagonal, 0x2Cu);
  EXPECT_EQ(sliders.white_orthogonal, 0x89u);
  EXPECT_EQ(sliders.black_diagonal, 0x2Cull << 56);
  EXPECT_EQ(sliders.black_orthogonal, 0x89ull << 56);
  EXPECT_EQ(pieces.sliders(0xF).white_orthogonal, 0x9u);
}

TEST(log_pieces, boards_that_are_wrong) {
  LogPieces pieces;
  expect_fault("a side has two kings", [&] { pieces.board(*parse_placement("kk6/8/8/8/8/8/8/8")); });
  expect_fault("more than 16 pieces", [] { LogPieces().board(*parse_placement("pppppppp/pppppppp/p7/8/8/8/8/8")); });
  LogPieces other;
  other.board(*parse_placement(start_board));
  expect_fault("the root's occupancy is not that of its board", [&] { other.root(0xFF); });
}

TEST(log_pieces, moves_that_do_not_fit) {
  for (const std::string move : {"e4e5", "a1a2", "e1g1", "e1h1", "d1e8", "e2d3", "e2e4q"}) {
    expect_fault("the move " + move + " does not fit the board", [&] { Told(start_board).play(move); });
  }
  expect_fault("the move a7a8 does not say what the pawn becomes", [] { Told("8/P7/8/8/8/8/8/8").play("a7a8"); });
  expect_fault("after the move was made is not that of the pieces", [] { Told(start_board).play("e2e4", 0xFF); });
}

TEST(log_pieces, a_position_without_a_board_among_some_with_one) {
  Told pieces(start_board);
  expect_fault("a position without a board, in a recording that has boards", [&] { pieces.root(0xFF); });
  LogPieces untold;
  untold.root(0xFF);
  expect_fault("a board, but the root before has none", [&] { untold.board(*parse_placement(start_board)); });
  expect_fault("a move, but the root before has no board", [&] { untold.move(*parse_move("e2e4")); });
}

TEST(log_pieces, what_is_out_of_place) {
  expect_fault("a make without a move", [] { Told(start_board).make(0); });
  expect_fault("no move to take back", [] { Told(start_board).unmake(0); });
  const auto moved = [](const std::function<void(LogPieces&)>& then) {
    Told pieces(start_board);
    pieces.move(*parse_move("e2e4"));
    expect_fault("a move without a make after it", [&] { then(pieces); });
  };
  moved([](LogPieces& pieces) { pieces.root(1); });
  moved([](LogPieces& pieces) { pieces.unmake(0); });
  moved([](LogPieces& pieces) { pieces.pass(0); });
  moved([](LogPieces& pieces) { pieces.move({}); });
  moved([](LogPieces& pieces) { pieces.board({}); });
  Told pieces(start_board);
  pieces.board(*parse_placement(start_board));
  expect_fault("a board without a root after it", [&] { pieces.make(0); });
  pieces.end_log();  // the rest was cut off
  pieces.play("e2e4");
  expect_fault("after the move was taken back is not that", [&] { pieces.unmake(1); });
}

TEST(log_pieces, so_many_moves_can_be_taken_back) {
  Told pieces(start_board);
  for (unsigned n = 0; n < 150; ++n) {
    pieces.play(n % 2 == 0 ? "g1f3" : "f3g1");
    pieces.play(n % 2 == 0 ? "g8f6" : "f6g8");
  }
  for (unsigned n = 0; n < max_line; ++n) pieces.unmake(0);
  expect_fault("more than 255 moves are taken back in a row", [&] { pieces.unmake(0); });
}

}  // namespace
}  // namespace slidebench
