// SPDX-License-Identifier: MIT
//
// The replay kernels: the loops in which a method is measured. Templates, compiled inside the method's module with the
// method inlined: one indirect call a block, none a query, and the same text for every method.
//
// Each answer is pinned into a register by an empty asm statement, so that no answer can be left out and no two queries
// can be computed by one vector instruction. (benchmark::DoNotOptimize will not do: GCC 12 accepts the table's own
// memory as the value, and drops the load.) The answers are also added up, and the sum is compared with the oracle's.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "harness/trace/block.hpp"
#include "methods/method.hpp"

namespace slidebench {

/// Whether a query has to wait for the answer before it.
enum class Dependence { independent, chained };

/// Zero, but computed from `answer` in one instruction that neither compiler nor processor sees through.
inline Bitboard opaque_zero(Bitboard answer) {
  asm volatile("and $0, %0" : "+r"(answer));
  return answer;
}

/// The board, with every word of it dependent on `zero`, which is 0.
template <class Board>
Board depend_on(const Board& board, Bitboard zero) {
  using Words = std::array<Bitboard, sizeof(Board) / sizeof(Bitboard)>;
  static_assert(sizeof(Words) == sizeof(Board) && sizeof(Board) <= 64, "a chained query copies the board");
  Words words = std::bit_cast<Words>(board);
  for (Bitboard& word : words) word ^= zero;
  return std::bit_cast<Board>(words);
}

/// Asks the queries, pins the answers and adds them up: bishop and rook sets apart, so that they cannot be exchanged
/// unnoticed. With chained queries, the board that is asked depends on the answer before.
template <AttackMethod M, Dependence dependence>
class Asker {
 public:
  explicit Asker(Bitboard occupied) : board_(occupied), occupied_(occupied) {}

  /// Brings the board to a node: by toggling what changed if the method keeps state, rebuilding only at a root.
  void go_to(Bitboard occupied, const NodeTag& tag) {
    if constexpr (HasBoard<M>) {
      if (node_event(tag) == NodeEvent::root) {
        board_ = BoardOf<M>(occupied);
      } else {
        board_.toggle(occupied_ ^ occupied);
      }
      occupied_ = occupied;
    } else {
      board_ = BoardOf<M>(occupied);
    }
  }

  void bishop(Square s) { take(M::bishop(s, board()), bishops_); }
  void rook(Square s) { take(M::rook(s, board()), rooks_); }
  void queen(Square s) { take(queen_attacks<M>(s, board()), bishops_); }
  void both(Square s) {
    const BishopRook sets = both_attacks<M>(s, board());
    pin_and_add(sets.bishop, bishops_);
    pin_and_add(sets.rook, rooks_);
    chain(sets.bishop | sets.rook);
  }

  std::uint64_t sum() const { return bishops_ + 0x9E3779B97F4A7C15 * rooks_; }

 private:
  BoardOf<M> board() const {
    if constexpr (dependence == Dependence::chained) return depend_on(board_, zero_);
    return board_;
  }

  void take(Bitboard answer, std::uint64_t& sum) {
    pin_and_add(answer, sum);
    chain(answer);
  }

  static void pin_and_add(Bitboard answer, std::uint64_t& sum) {
    asm volatile("" : : "r"(answer));
    sum += answer;
  }

  void chain(Bitboard answer) {
    if constexpr (dependence == Dependence::chained) zero_ = opaque_zero(answer);
  }

  BoardOf<M> board_;
  Bitboard occupied_;
  Bitboard zero_ = 0;
  std::uint64_t bishops_ = 0;
  std::uint64_t rooks_ = 0;
};

/// Answers every query of a block in order. Returns the sum of the answers.
template <AttackMethod M, Dependence dependence>
std::uint64_t replay(const TraceBlock& block) {
  if (block.nodes == 0) return 0;
  Asker<M, dependence> ask(block.occupied[0]);
  const std::uint8_t* square = block.squares;
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    ask.go_to(block.occupied[node], block.tags[node]);
    const RunLengths runs = block.runs[node];
    for (unsigned n = run_length(runs, QueryKind::bishop); n != 0; --n) ask.bishop(*square++);
    for (unsigned n = run_length(runs, QueryKind::rook); n != 0; --n) ask.rook(*square++);
    for (unsigned n = run_length(runs, QueryKind::queen); n != 0; --n) ask.queen(*square++);
    for (unsigned n = run_length(runs, QueryKind::both); n != 0; --n) ask.both(*square++);
  }
  return ask.sum();
}

}  // namespace slidebench
