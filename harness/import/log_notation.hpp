// SPDX-License-Identifier: MIT
//
// Squares, boards and moves as the text form of a log writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/trace/block.hpp"

namespace slidebench {

/// A move as an engine knows it; the board tells castling and en passant.
struct LogMove {
  Square from = 0;
  Square to = 0;
  PieceType promotion = PieceType::none;  ///< knight to queen, or none

  bool operator==(const LogMove&) const = default;
};

/// "e4".
std::optional<Square> parse_square(std::string_view text);

/// The first field of a FEN: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".
std::optional<PackedBoard> parse_placement(std::string_view text);

/// "e2e4", "e7e8q".
std::optional<LogMove> parse_move(std::string_view text);

std::string text_of(const LogMove& move);

}  // namespace slidebench
