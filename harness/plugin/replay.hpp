// SPDX-License-Identifier: MIT
//
// The replay kernels: the loops in which a method is measured. Templates, compiled inside the method's module with the
// method inlined: one indirect call per block, none a query, and the same text for every method.
//
// Each answer is pinned into a register by an empty asm statement, so that no answer can be left out and no two queries
// can be computed by one vector instruction. (benchmark::DoNotOptimize will not do: GCC 12 accepts the table's own
// memory as the value, and drops the load.) The answers are also added up, and the sum is compared with the oracle's.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "harness/platform/assembly.hpp"
#include "harness/plugin/abi.hpp"
#include "harness/trace/block.hpp"
#include "methods/method.hpp"

namespace slidebench {

/// Whether a query has to wait for the answer before it.
enum class Dependence { independent, chained };

/// Keeps a value's computation alive and apart from its neighbours': it must be in a register here.
inline void pin(Bitboard value) { asm volatile("" : : "r"(value)); }

template <class Board>
using WordsOf = std::array<Bitboard, sizeof(Board) / sizeof(Bitboard)>;

/// A board of more than a cache line does not fit into registers: it stays in memory, and is not copied for a query.
template <class Board>
inline constexpr bool stays_in_memory = sizeof(Board) > 64;

/// The board, with every word of it dependent on `zero`, which is 0: a copy, or of a board that stays in memory its
/// address.
template <class Board>
requires(!stays_in_memory<Board>) Board depend_on(const Board& board, Bitboard zero) {
  static_assert(sizeof(WordsOf<Board>) == sizeof(Board), "a board is whole words");
  if constexpr (sizeof(Board) == 16 && alignof(Board) == 16) {  // NOLINT(misc-redundant-expression): size, alignment
    // One vector. Word by word it would go over the stack: two stores, and a load of both that waits for the cache.
    using TwoWords [[gnu::vector_size(16)]] = Bitboard;
    const TwoWords zeros = {zero, zero};
    return std::bit_cast<Board>(std::bit_cast<TwoWords>(board) ^ zeros);
  } else {
    WordsOf<Board> words = std::bit_cast<WordsOf<Board>>(board);
    for (Bitboard& word : words) word ^= zero;
    return std::bit_cast<Board>(words);
  }
}
template <class Board>
requires stays_in_memory<Board>
const Board& depend_on(const Board& board, Bitboard zero) {
  static_assert(sizeof(WordsOf<Board>) == sizeof(Board), "a board is whole words");
  return *reinterpret_cast<const Board*>(reinterpret_cast<std::uintptr_t>(&board) + zero);
}

/// What happens at a node before its queries, and after each query: nothing.
struct NoPressure {
  void at(NodeTag) const {}
  void after_query() const {}
};

/// Or the host's touches, if the node is an event of the pressure.
struct WithPressure {
  const PressureHook& hook;
  void at(NodeTag tag) const {
    if (hook.events.has(tag)) hook.touch(hook.context, tag);
  }
  void after_query() const {}
};

/// Or other work as well: a call after every query, as an engine goes on elsewhere. What a method keeps in registers
/// from query to query (constants, masks) it must load again after a call, in an engine as here.
struct WithWork {
  const PressureHook& hook;
  void at(NodeTag tag) const { WithPressure{hook}.at(tag); }
  void after_query() const { hook.work(hook.context); }
};

/// A method's board, taken along from node to node: for a method without state the occupancy.
template <AttackMethod M>
class KeptBoard {
 public:
  explicit KeptBoard(Bitboard occupied) : board_(occupied) {}
  void go_to(Bitboard occupied, NodeTag) { board_ = BoardOf<M>(occupied); }
  const BoardOf<M>& operator*() const { return board_; }

 private:
  BoardOf<M> board_;
};

/// With state: kept by toggling what changed, rebuilt only at a root.
template <AttackMethod M>
requires HasBoard<M>
class KeptBoard<M> {
 public:
  explicit KeptBoard(Bitboard occupied) : board_(occupied), occupied_(occupied) {}

  void go_to(Bitboard occupied, NodeTag tag) {
    if (node_event(tag) == NodeEvent::root) {
      board_ = BoardOf<M>(occupied);
    } else {
      board_.toggle(occupied_ ^ occupied);
    }
    occupied_ = occupied;
  }

  const BoardOf<M>& operator*() const { return board_; }

 private:
  BoardOf<M> board_;
  Bitboard occupied_;
};

/// Bishop and rook sets are added up apart, so that they cannot be exchanged unnoticed.
inline std::uint64_t fold(std::uint64_t bishops, std::uint64_t rooks) { return bishops + 0x9E3779B97F4A7C15 * rooks; }

/// Asks the queries, pins the answers and adds them up. With chained queries, the board that is asked depends on the
/// answer before. The board is no part of it: beside one that stays in memory the sums would be kept there too.
template <AttackMethod M, Dependence dependence>
class Asker {
 public:
  explicit Asker(KeptBoard<M>& board) : board_(board) {}

  void go_to(Bitboard occupied, NodeTag tag) { board_.go_to(occupied, tag); }

  void bishop(Square s) { take(M::bishop(s, board()), bishops_); }
  void rook(Square s) { take(M::rook(s, board()), rooks_); }
  void queen(Square s) { take(queen_attacks<M>(s, board()), bishops_); }
  void both(Square s) {
    const BishopRook sets = both_attacks<M>(s, board());
    pin_and_add(sets.bishop, bishops_);
    pin_and_add(sets.rook, rooks_);
    chain(sets.bishop | sets.rook);
  }

  std::uint64_t sum() const { return fold(bishops_, rooks_); }

 private:
  /// A copy, which registers hold, or of a board that stays in memory the board itself.
  using AskedBoard = std::conditional_t<stays_in_memory<BoardOf<M>>, const BoardOf<M>&, BoardOf<M>>;

  AskedBoard board() const {
    if constexpr (dependence == Dependence::independent) return *board_;
    return depend_on(*board_, zero_);
  }

  void take(Bitboard answer, std::uint64_t& sum) {
    pin_and_add(answer, sum);
    chain(answer);
  }

  static void pin_and_add(Bitboard answer, std::uint64_t& sum) {
    pin(answer);
    sum += answer;
  }

  void chain(Bitboard answer) {
    if constexpr (dependence == Dependence::chained) zero_ = opaque_zero(answer);
  }

  KeptBoard<M>& board_;
  Bitboard zero_ = 0;
  std::uint64_t bishops_ = 0;
  std::uint64_t rooks_ = 0;
};

/// Answers every query of a block in order. Returns the sum of the answers.
template <AttackMethod M, Dependence dependence, class Between = NoPressure>
std::uint64_t replay(const TraceBlock& block, Between between = {}) {
  if (block.nodes == 0) return 0;
  KeptBoard<M> board(block.occupied[0]);
  Asker<M, dependence> ask(board);
  const std::uint8_t* square = block.squares;
  const auto work = [&] { between.after_query(); };
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    between.at(block.tags[node]);
    ask.go_to(block.occupied[node], block.tags[node]);
    const RunLengths runs = block.runs[node];
    for (unsigned n = run_length(runs, QueryKind::bishop); n != 0; --n, work()) ask.bishop(*square++);
    for (unsigned n = run_length(runs, QueryKind::rook); n != 0; --n, work()) ask.rook(*square++);
    for (unsigned n = run_length(runs, QueryKind::queen); n != 0; --n, work()) ask.queen(*square++);
    for (unsigned n = run_length(runs, QueryKind::both); n != 0; --n, work()) ask.both(*square++);
  }
  return ask.sum();
}

/// The union of each side's slider attacks, at every node of a block. Returns the sum of the unions.
template <AttackMethod M, class Between = NoPressure>
std::uint64_t replay_sets(const TraceBlock& block, Between between = {}) {
  if (block.nodes == 0) return 0;
  KeptBoard<M> board(block.occupied[0]);
  std::uint64_t white_sum = 0, black_sum = 0;
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    between.at(block.tags[node]);
    board.go_to(block.occupied[node], block.tags[node]);
    const SliderSets& sliders = block.sliders[node];
    const Bitboard white = set_attacks<M>(sliders.white_diagonal, sliders.white_orthogonal, *board);
    pin(white);
    white_sum += white;
    const Bitboard black = set_attacks<M>(sliders.black_diagonal, sliders.black_orthogonal, *board);
    pin(black);
    black_sum += black;
  }
  return fold(white_sum, black_sum);
}

/// The attacks of each slider of a batch, at every node of a block: the selection's batches, or those of the block's
/// sliders. Independent of each other; the answers are in memory, where the caller reads them. Returns their sum.
template <AttackMethod M, class Between = NoPressure>
std::uint64_t replay_batches(const TraceBlock& block, Between between = {}) {
  if (block.nodes == 0) return 0;
  KeptBoard<M> board(block.occupied[0]);
  alignas(64) Bitboard attacks[SliderBatch::room] = {};
  SliderBatch listed{};
  std::uint64_t sum = 0;
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    between.at(block.tags[node]);
    board.go_to(block.occupied[node], block.tags[node]);
    const SliderBatch& sliders =
        block.batches != nullptr ? block.batches[node] : (listed = batch_of(block.sliders[node]));
    batch_attacks<M>(sliders, *board, attacks);
    asm volatile("" : "+m"(attacks));
    for (unsigned i = 0; i < sliders.size(); ++i) sum += attacks[i];
  }
  return sum;
}

}  // namespace slidebench
