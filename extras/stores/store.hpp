// SPDX-License-Identifier: MIT
//
// The contract between a store and everything that measures it.
//
// A store answers what an engine asks about the attacks on its board, with what it keeps from move to move. What it
// keeps may be nothing (ask_anew.hpp) or all attacks (attack_table.hpp, rows.hpp). It is built from a board, and from
// then on it moves the pieces, in the order that suits it.
//
// For every store:
//   - a set of attacks holds the squares that the piece reaches or defends, first blockers of both colours included;
//     a pawn's are the two squares that it attacks; attackers are pieces of both colours, kings included;
//   - after unmake(change) board and answers are what they were before make(change).
//
// A store names the method that it asks where it has no answer of its own. For a store that is a template on it, any
// method without a board of its own will do.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>

#include "harness/chess/attackers.hpp"
#include "methods/method.hpp"

namespace slidebench {

template <class S>
concept AttackStore = AttackMethod<typename S::Method> && std::constructible_from<S, const PieceBoard&> &&
    std::copyable<S> && requires(S store, const S kept, PieceBoard& board, const PieceBoard& still,
                                 const Change& change, Square s, Color color, Bitboard occupied) {
  /// Moves the pieces. Precondition: the change fits the board (fits(), moves.hpp).
  store.make(board, change);
  /// Takes the last change back.
  store.unmake(board, change);
  /// The squares that the piece on s attacks. Precondition: there is one.
  { kept.attacks(still, s) } -> std::same_as<Bitboard>;
  /// The pieces of both colours that attack s.
  { kept.attackers(still, s) } -> std::same_as<Bitboard>;
  /// The squares that a side attacks.
  { kept.attacked(still, color) } -> std::same_as<Bitboard>;
  /// What the method is asked of when other squares are occupied than the board's.
  { kept.asked(still, occupied) } -> std::convertible_to<BoardOf<typename S::Method>>;
};

/// The attacks of a piece that is no slider.
constexpr Bitboard leaper_attacks(Piece piece, Square s) {
  switch (static_cast<PieceType>(type_of(piece))) {
    case PieceType::pawn: return pawn_attacks[color_of(piece)][s];
    case PieceType::knight: return knight_attacks[s];
    default: return king_attacks[s];
  }
}

/// The attacks of a piece on s, sliders by a method.
template <AttackMethod M>
constexpr Bitboard attacks_of(Piece piece, Square s, const BoardOf<M>& board) {
  switch (static_cast<PieceType>(type_of(piece))) {
    case PieceType::bishop: return M::bishop(s, board);
    case PieceType::rook: return M::rook(s, board);
    case PieceType::queen: return queen_attacks<M>(s, board);
    default: return leaper_attacks(piece, s);
  }
}

/// The squares that the pawns, knights and the king of a side attack.
constexpr Bitboard attacked_by_leapers(const PieceBoard& board, Color color) {
  const Bitboard pawns = board.of(color, PieceType::pawn);
  const bool white = color == Color::white;
  Bitboard attacked = step(pawns, white ? Direction::northeast : Direction::southeast) |
                      step(pawns, white ? Direction::northwest : Direction::southwest);
  for (Bitboard left = board.of(color, PieceType::knight); left != 0;) attacked |= knight_attacks[pop_lowest(left)];
  for (Bitboard left = board.of(color, PieceType::king); left != 0;) attacked |= king_attacks[pop_lowest(left)];
  return attacked;
}

/// Two parts of an id, and the zero that ends it.
template <std::size_t size>
constexpr std::array<char, size> joined_id(std::string_view first, std::string_view second) {
  std::array<char, size> text{};
  for (std::size_t i = 0; i + 1 < size; ++i) text[i] = i < first.size() ? first[i] : second[i - first.size()];
  return text;
}

/// A store that is copied for each move made, instead of taking moves back: the same answers, by another way.
template <AttackStore S>
class Copied : public S {
 public:
  using S::S;
  static constexpr bool is_copied = true;

  static constexpr std::array id = joined_id<std::string_view(S::info.id).size() + 6>(S::info.id, "_copy");
  static constexpr MethodInfo info = [] {
    MethodInfo copy = S::info;
    copy.id = id.data();
    return copy;
  }();
};

template <class S>
inline constexpr bool is_copied = false;
template <class S>
requires S::is_copied inline constexpr bool is_copied<S> = true;

/// A store along a line of moves: make and unmake of the store itself, or of a copied one a step up and down a ring of
/// copies. `depth` bounds how many moves can be taken back in a row, a power of two.
template <AttackStore S, std::size_t depth>
class StoreLine {
 public:
  explicit StoreLine(const PieceBoard& board) : store_(board) {}
  void restart(const PieceBoard& board) { store_ = S(board); }
  void make(PieceBoard& board, const Change& change) { store_.make(board, change); }
  void unmake(PieceBoard& board, const Change& change) { store_.unmake(board, change); }
  const S& operator*() const { return store_; }
  Bitboard attackers(const PieceBoard& board, Square s) const { return store_.attackers(board, s); }

 private:
  S store_;
};

template <AttackStore S, std::size_t depth>
requires is_copied<S>
class StoreLine<S, depth> {
  static_assert((depth & (depth - 1)) == 0);

 public:
  explicit StoreLine(const PieceBoard& board) { restart(board); }
  void restart(const PieceBoard& board) { ring_[top_] = S(board); }
  void make(PieceBoard& board, const Change& change) {
    const S& before = ring_[top_];
    top_ = (top_ + 1) % depth;
    ring_[top_] = before;
    ring_[top_].make(board, change);
  }
  void unmake(PieceBoard& board, const Change& change) {
    board.unmake(change);
    top_ = (top_ - 1) % depth;
  }
  const S& operator*() const { return ring_[top_]; }
  Bitboard attackers(const PieceBoard& board, Square s) const { return ring_[top_].attackers(board, s); }

 private:
  union {
    std::array<S, depth> ring_;  // not constructed: each entry is written before it is read
  };
  std::size_t top_ = 0;
};

}  // namespace slidebench
