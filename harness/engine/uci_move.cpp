// SPDX-License-Identifier: MIT
#include "harness/engine/uci_move.hpp"

#include <algorithm>

namespace slidebench::engine {

std::string to_uci(Move move) {
  if (move == Move{}) return "0000";
  std::string text;
  for (const Square s : {move.from(), move.to()}) {
    text += static_cast<char>('a' + file_of(s));
    text += static_cast<char>('1' + rank_of(s));
  }
  if (move.is_promotion()) text += "pnbrqk"[static_cast<std::size_t>(move.promotion())];
  return text;
}

std::optional<Move> find_uci(std::string_view text, const MoveList& moves) {
  const Move* found = std::find_if(moves.begin(), moves.end(), [text](Move move) { return to_uci(move) == text; });
  if (found == moves.end()) return std::nullopt;
  return *found;
}

}  // namespace slidebench::engine
