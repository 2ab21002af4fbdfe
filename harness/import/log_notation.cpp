// SPDX-License-Identifier: MIT
#include "harness/import/log_notation.hpp"

namespace slidebench {
namespace {

constexpr std::string_view piece_letters = "PNBRQKpnbrqk";  // by piece
constexpr std::string_view type_letters = "pnbrqk";         // by type

/// Puts the pieces of a rank, from file a on; false if it has not eight squares.
bool place_rank(std::string_view text, unsigned rank, PieceBoard& board) {
  unsigned file = 0;
  for (const char c : text) {
    if (c >= '1' && c <= '8') {
      file += static_cast<unsigned>(c - '0');
      continue;
    }
    const std::size_t piece = piece_letters.find(c);
    if (piece == std::string_view::npos || file >= 8) return false;
    board.put({static_cast<std::uint8_t>(8 * rank + file++), static_cast<Piece>(piece)});
  }
  return file == 8;
}

std::string text_of(Square s) { return {static_cast<char>('a' + file_of(s)), static_cast<char>('1' + rank_of(s))}; }

}  // namespace

std::optional<Square> parse_square(std::string_view text) {
  if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') return std::nullopt;
  return static_cast<Square>(8 * (text[1] - '1') + (text[0] - 'a'));
}

std::optional<PackedBoard> parse_placement(std::string_view text) {
  PieceBoard board = PieceBoard::empty();
  for (unsigned rank = 8; rank-- > 0;) {
    const std::size_t end = text.find('/');
    if ((end == std::string_view::npos) != (rank == 0) || !place_rank(text.substr(0, end), rank, board)) {
      return std::nullopt;
    }
    text.remove_prefix(rank == 0 ? text.size() : end + 1);
  }
  return pack(board);
}

std::optional<LogMove> parse_move(std::string_view text) {
  if (text.size() != 4 && text.size() != 5) return std::nullopt;
  const std::optional<Square> from = parse_square(text.substr(0, 2)), to = parse_square(text.substr(2, 2));
  if (!from || !to) return std::nullopt;
  LogMove move{*from, *to, PieceType::none};
  if (text.size() == 4) return move;
  const std::size_t type = type_letters.substr(0, 5).find(text[4]);
  if (type == std::string_view::npos || type == 0) return std::nullopt;
  move.promotion = static_cast<PieceType>(type);
  return move;
}

std::string text_of(const LogMove& move) {
  std::string text = text_of(move.from) + text_of(move.to);
  if (move.promotion != PieceType::none) text += type_letters[static_cast<std::size_t>(move.promotion)];
  return text;
}

}  // namespace slidebench
