// SPDX-License-Identifier: MIT
//
// A store behind function pointers, and what its module exports of it besides a method's descriptor.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

#include "extras/stores/store.hpp"
#include "harness/plugin/replay_moves.hpp"

namespace slidebench {

/// A store along a line of moves. `storage` is `bytes` bytes, 64-byte aligned.
struct StoreQueries {
  std::size_t bytes;
  std::size_t state_bytes;  ///< of the store itself, at the moment's place in the line; 0 if it keeps nothing
  void (*build)(void* storage, const PieceBoard& board);
  void (*make)(void* storage, PieceBoard& board, const Change& change);
  void (*unmake)(void* storage, PieceBoard& board, const Change& change);
  const void* (*state)(const void* storage);
  Bitboard (*attacks)(const void* storage, const PieceBoard& board, Square s);
  Bitboard (*attackers)(const void* storage, const PieceBoard& board, Square s);
  Bitboard (*attacked)(const void* storage, const PieceBoard& board, Color color);
};

/// What `extension` of a descriptor points to (harness/plugin/extension.hpp).
struct StoreModule {
  static constexpr std::uint64_t current_id = 0x0001'73'65'72'6F'74'73;  // "stores" in memory, and the version

  std::uint64_t id;
  StoreQueries queries;
  WorkloadKernels moves;
  WorkloadKernels keep;
};

template <AttackStore S>
struct QueriesOfStore {
  using Line = StoreLine<S, line_depth>;
  static Line& at(void* storage) { return *static_cast<Line*>(storage); }
  static const S& top(const void* storage) { return **static_cast<const Line*>(storage); }

  static constexpr StoreQueries value{
      .bytes = sizeof(Line),
      .state_bytes = std::is_empty_v<S> ? 0 : sizeof(S),
      .build = [](void* storage, const PieceBoard& board) { new (storage) Line(board); },
      .make = [](void* storage, PieceBoard& board, const Change& change) { at(storage).make(board, change); },
      .unmake = [](void* storage, PieceBoard& board, const Change& change) { at(storage).unmake(board, change); },
      .state = [](const void* storage) { return static_cast<const void*>(&top(storage)); },
      .attacks = [](const void* storage, const PieceBoard& board, Square s) { return top(storage).attacks(board, s); },
      .attackers = [](const void* storage, const PieceBoard& board,
                      Square s) { return top(storage).attackers(board, s); },
      .attacked = [](const void* storage, const PieceBoard& board,
                     Color color) { return top(storage).attacked(board, color); }};
};

}  // namespace slidebench
