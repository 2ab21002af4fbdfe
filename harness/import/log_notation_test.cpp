// SPDX-License-Identifier: MIT
//
// Squares, boards and moves in the text form.
#include "harness/chess/squares.hpp"
#include "harness/import/query_log.hpp"

#include <gtest/gtest.h>

namespace slidebench {
namespace {

TEST(log_notation, squares) {
  EXPECT_EQ(parse_square("a1"), Square{0});
  EXPECT_EQ(parse_square("h8"), Square{63});
  for (const char* text : {"", "e", "e9", "e0", "i4", "E4", "e44"}) EXPECT_FALSE(parse_square(text)) << text;
}

TEST(log_notation, boards) {
  const auto packed = parse_placement("r3k2r/8/8/3pP3/8/8/8/R3K2R");
  ASSERT_TRUE(packed);
  const PieceBoard board = unpack(*packed);
  EXPECT_EQ(board.occupied(), 0x9100001800000091u);
  EXPECT_EQ(board.on[0], piece_of(Color::white, PieceType::rook));
  EXPECT_EQ(board.on[60], piece_of(Color::black, PieceType::king));
  EXPECT_EQ(board.on[35], piece_of(Color::black, PieceType::pawn));
  EXPECT_EQ(board.on[36], piece_of(Color::white, PieceType::pawn));
  EXPECT_TRUE(parse_placement("8/8/8/8/8/8/8/8"));
}

TEST(log_notation, boards_that_are_wrong) {
  for (const char* text :
       {"", "8", "8/8/8/8/8/8/8", "8/8/8/8/8/8/8/8/", "8/8/8/8/8/8/8/8/8", "9/8/8/8/8/8/8/8", "7/8/8/8/8/8/8/8",
        "8p/8/8/8/8/8/8/8", "8/8/8/8x/8/8/8/8", "7x/8/8/8/8/8/8/8", "/8/8/8/8/8/8/8", "ppppppppp/8/8/8/8/8/8/8"})
    EXPECT_FALSE(parse_placement(text)) << text;
}

TEST(log_notation, moves) {
  EXPECT_EQ(parse_move("e2e4"), (LogMove{12, 28, PieceType::none}));
  EXPECT_EQ(parse_move("a7a8n"), (LogMove{48, 56, PieceType::knight}));
  EXPECT_EQ(parse_move("h2g1q"), (LogMove{15, 6, PieceType::queen}));
  for (const char* text : {"", "e2", "e2e", "e2e9", "e7e8k", "e7e8p", "e7e8Q", "e7e8qq", "0000", "O-O"})
    EXPECT_FALSE(parse_move(text)) << text;
  for (const char* text : {"e2e4", "a7a8b", "h2h1r"}) EXPECT_EQ(text_of(*parse_move(text)), text);
}

}  // namespace
}  // namespace slidebench
