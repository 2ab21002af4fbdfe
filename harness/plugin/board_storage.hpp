// SPDX-License-Identifier: MIT
//
// A method's board on the host's side, whose size only the module knows.
#pragma once

#include <memory>
#include <new>
#include <span>

#include "harness/plugin/abi.hpp"

namespace slidebench {

/// A board of a module, which has to stay loaded. Call build() first.
class BoardStorage {
 public:
  explicit BoardStorage(const BoardQueries& board) : board_(board), bytes_(allocate(board.bytes)) {}

  void build(Bitboard occupied) { board_.build(bytes_.get(), occupied); }
  void toggle(Bitboard changed) { board_.toggle(bytes_.get(), changed); }
  BishopRook both(Square s) const { return board_.both(bytes_.get(), s); }

  /// What the board consists of.
  std::span<const Bitboard> words() const {
    return {static_cast<const Bitboard*>(bytes_.get()), board_.bytes / sizeof(Bitboard)};
  }

 private:
  static constexpr std::align_val_t alignment{64};
  struct Free {
    void operator()(void* bytes) const { ::operator delete(bytes, alignment); }
  };
  static void* allocate(std::size_t bytes) { return ::operator new(bytes, alignment); }

  const BoardQueries& board_;
  std::unique_ptr<void, Free> bytes_;
};

}  // namespace slidebench
