// SPDX-License-Identifier: MIT
//
// A method in the atlas's module: what is said about it, its tables, and its three queries.
#pragma once

#include <cstdint>
#include <span>

#include "extras/web/atlas/shown.hpp"
#include "methods/method.hpp"

namespace slidebench::atlas {

enum class Kind : std::uint32_t { bishop = 0, rook = 1, queen = 2 };

struct Entry {
  MethodInfo info;
  std::span<const TableInfo> tables;
  void (*initialise)();  ///< builds large tables; call once before the first query
  Bitboard (*ask)(Kind kind, Square s, Bitboard occupied);
};

/// Records a query, and not the board that a method keeps for it.
template <AttackMethod M>
Bitboard ask(Kind kind, Square s, Bitboard occupied) {
  const BoardOf<M> board(occupied);
  recording = true;
  const Bitboard answer = kind == Kind::bishop ? M::bishop(s, board)
                          : kind == Kind::rook ? M::rook(s, board)
                                               : queen_attacks<M>(s, board);
  recording = false;
  return answer;
}

template <AttackMethod M>
constexpr Entry entry_of() {
  return {M::info, M::tables, &initialise<M>, &ask<M>};
}

/// Every method of the module, in the order of methods/CMakeLists.txt (generated: entries.cpp.in).
std::span<const Entry* const> entries();

}  // namespace slidebench::atlas
