// SPDX-License-Identifier: MIT
//
// Squares as people write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "methods/bitboard.hpp"

namespace slidebench {

/// "e4".
inline std::string square_name(Square s) {
  return {static_cast<char>('a' + file_of(s)), static_cast<char>('1' + rank_of(s))};
}

/// Absent for what is no square.
constexpr std::optional<Square> parse_square(std::string_view text) {
  if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') return std::nullopt;
  return square_at(static_cast<unsigned>(text[0] - 'a'), static_cast<unsigned>(text[1] - '1'));
}

}  // namespace slidebench
