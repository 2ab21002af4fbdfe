// SPDX-License-Identifier: MIT
#include "harness/engine/uci_move.hpp"

#include <algorithm>

namespace slidebench::engine {
namespace {

char file_letter(Square s) { return static_cast<char>('a' + file_of(s)); }
char rank_digit(Square s) { return static_cast<char>('1' + rank_of(s)); }

}  // namespace

std::string to_uci(Move move) {
  if (move == Move{}) return "0000";
  std::string text;
  for (const Square s : {move.from(), move.to()}) {
    text += file_letter(s);
    text += rank_digit(s);
  }
  if (move.is_promotion()) text += "pnbrqk"[static_cast<std::size_t>(move.promotion())];
  return text;
}

std::optional<Move> find_uci(std::string_view text, const MoveList& moves) {
  // The first letter alone spares most moves from being written.
  const auto is_named = [text](Move move) {
    return text.starts_with(file_letter(move.from())) && to_uci(move) == text;
  };
  const Move* found = std::find_if(moves.begin(), moves.end(), is_named);
  if (found == moves.end()) return std::nullopt;
  return *found;
}

}  // namespace slidebench::engine
