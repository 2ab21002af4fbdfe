// SPDX-License-Identifier: MIT
//
// A store behind function pointers: what checks ask, and what a module exports of one.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

#include "harness/chess/store.hpp"

namespace slidebench {

/// How many moves of a line can be taken back in a row, at most, less one: what a ring of copies holds.
inline constexpr std::size_t store_depth = 256;

/// A store along a line of moves. `storage` is `bytes` bytes, 64-byte aligned.
struct StoreQueries {
  std::size_t bytes;
  void* place;              ///< in traced modules, where it has to stand to be listened to; else null
  std::size_t state_bytes;  ///< of the store itself, at the moment's place in the line; 0 if it keeps nothing
  void (*build)(void* storage, const PieceBoard& board);
  void (*make)(void* storage, PieceBoard& board, const Change& change);
  void (*make_with_threats)(void* storage, PieceBoard& board, const Change& change, ThreatChange& threats);
  void (*unmake)(void* storage, PieceBoard& board, const Change& change);
  const void* (*state)(const void* storage);
  Bitboard (*attacks)(const void* storage, const PieceBoard& board, Square s);
  Bitboard (*attackers)(const void* storage, const PieceBoard& board, Square s);
  Bitboard (*attacked)(const void* storage, const PieceBoard& board, Color color);
};

template <AttackStore S>
struct QueriesOfStore {
  using Line = StoreLine<S, store_depth>;
  static Line& at(void* storage) { return *static_cast<Line*>(storage); }
  static const S& top(const void* storage) { return **static_cast<const Line*>(storage); }

  static constexpr StoreQueries value{
      .bytes = sizeof(Line),
      .place = nullptr,
      .state_bytes = std::is_empty_v<S> ? 0 : sizeof(S),
      .build = [](void* storage, const PieceBoard& board) { new (storage) Line(board); },
      .make =
          [](void* storage, PieceBoard& board, const Change& change) {
            NoThreats nobody;
            at(storage).make(board, change, nobody);
          },
      .make_with_threats = [](void* storage, PieceBoard& board, const Change& change,
                              ThreatChange& threats) { at(storage).make(board, change, threats); },
      .unmake = [](void* storage, PieceBoard& board, const Change& change) { at(storage).unmake(board, change); },
      .state = [](const void* storage) { return static_cast<const void*>(&top(storage)); },
      .attacks = [](const void* storage, const PieceBoard& board, Square s) { return top(storage).attacks(board, s); },
      .attackers = [](const void* storage, const PieceBoard& board,
                      Square s) { return top(storage).attackers(board, s); },
      .attacked = [](const void* storage, const PieceBoard& board,
                     Color color) { return top(storage).attacked(board, color); }};
};

}  // namespace slidebench
