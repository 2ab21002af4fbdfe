// SPDX-License-Identifier: MIT
//
// Whether a store is right: its answers against those of the ray walk on the same board, the threats of a change
// against the difference of all threats before and after, and what it keeps after unmake against what it kept before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "harness/chess/moves.hpp"
#include "harness/chess/store_queries.hpp"
#include "methods/reference.hpp"

namespace slidebench {

namespace store_reference {

inline Bitboard attacks(const PieceBoard& board, Square s) {
  const Bitboard occupied = board.occupied();
  switch (static_cast<PieceType>(type_of(board.on[s]))) {
    case PieceType::bishop: return reference::bishop(s, occupied);
    case PieceType::rook: return reference::rook(s, occupied);
    case PieceType::queen: return reference::bishop(s, occupied) | reference::rook(s, occupied);
    default: return leaper_attacks(board.on[s], s);
  }
}

/// The sum of all threats of a board, see sum_of().
inline std::uint64_t threats(const PieceBoard& board) {
  std::uint64_t sum = 0;
  const Bitboard others = board.occupied() & ~board.of(PieceType::king);
  for (Bitboard left = others; left != 0;) {
    const Square from = pop_lowest(left);
    ThreatList list;
    for (Bitboard attacked = attacks(board, from) & others; attacked != 0;) {
      const Square to = pop_lowest(attacked);
      list.add({board.on[from], static_cast<std::uint8_t>(from), board.on[to], static_cast<std::uint8_t>(to)});
    }
    sum += sum_of(list);
  }
  return sum;
}

}  // namespace store_reference

class StoreCheck {
 public:
  /// @param queries  must outlive the check
  explicit StoreCheck(const StoreQueries& queries)
      : queries_(queries), storage_(queries.bytes + 63), before_(queries.state_bytes) {}

  /// Begins at a board; what is wrong there, "" if nothing.
  std::string begin(const PieceBoard& board) {
    board_ = board;
    queries_.build(storage(), board_);
    return answers();
  }

  const PieceBoard& board() const { return board_; }

  /// Makes a move, with or without asking for its threats, and compares all answers.
  std::string make(const Change& change, bool with_threats) {
    const std::uint64_t threats_before = store_reference::threats(board_);
    PieceBoard expected = board_;
    expected.make(change);
    ThreatChange threats;
    threats.clear();
    if (with_threats) {
      queries_.make_with_threats(storage(), board_, change, threats);
      if (sum_of(threats) != store_reference::threats(expected) - threats_before) return "threats of a move are wrong";
    } else {
      queries_.make(storage(), board_, change);
    }
    if (!(board_ == expected)) return "make() moved the pieces wrongly";
    return answers();
  }

  /// Takes the last change back, and compares all answers.
  std::string unmake(const Change& change) {
    PieceBoard expected = board_;
    expected.unmake(change);
    queries_.unmake(storage(), board_, change);
    if (!(board_ == expected)) return "unmake() left other pieces";
    return answers();
  }

  /// Makes a move and takes it back; board and state have to be what they were, byte for byte.
  std::string make_and_unmake(const Change& change, bool with_threats) {
    const PieceBoard board = board_;
    std::copy_n(static_cast<const char*>(queries_.state(storage())), before_.size(), before_.begin());
    std::string fault = make(change, with_threats);
    if (!fault.empty()) return fault;
    queries_.unmake(storage(), board_, change);
    if (!(board_ == board)) return "unmake() left other pieces";
    const auto* state = static_cast<const char*>(queries_.state(storage()));
    if (!std::equal(before_.begin(), before_.end(), state)) return "unmake() left another state";
    return answers();
  }

  /// All answers on the board as it stands.
  std::string answers() {
    Bitboard attacked[2] = {0, 0};
    Bitboard attackers[64] = {};
    for (Bitboard left = board_.occupied(); left != 0;) {
      const Square s = pop_lowest(left);
      const Bitboard expected = store_reference::attacks(board_, s);
      if (queries_.attacks(storage(), board_, s) != expected)
        return "attacks of the piece on " + name(s) + " are wrong";
      attacked[color_of(board_.on[s])] |= expected;
      for (Bitboard targets = expected; targets != 0;) attackers[pop_lowest(targets)] |= bit(s);
    }
    for (Square s = 0; s < square_count; ++s) {
      if (queries_.attackers(storage(), board_, s) != attackers[s]) return "attackers of " + name(s) + " are wrong";
    }
    for (const Color color : {Color::white, Color::black}) {
      if (queries_.attacked(storage(), board_, color) != attacked[static_cast<unsigned>(color)])
        return "squares attacked by a side are wrong";
    }
    return "";
  }

 private:
  static std::string name(Square s) {
    return {static_cast<char>('a' + file_of(s)), static_cast<char>('1' + rank_of(s))};
  }
  void* storage() {
    const auto address = (reinterpret_cast<std::uintptr_t>(storage_.data()) + 63) & ~std::uintptr_t{63};
    return reinterpret_cast<void*>(address);
  }

  const StoreQueries& queries_;
  std::vector<char> storage_;
  std::vector<char> before_;
  PieceBoard board_ = PieceBoard::empty();
};

/// A board of random pieces, at most 16 a side with at most one king, none to 32 in all; now and then all of a kind.
inline PieceBoard random_board(std::mt19937_64& random) {
  PieceBoard board = PieceBoard::empty();
  const unsigned most = static_cast<unsigned>(random() % 17);
  const bool one_kind = random() % 4 == 0;
  const auto kind = static_cast<PieceType>(random() % 5);
  for (const Color color : {Color::white, Color::black}) {
    for (unsigned n = 0; n < most; ++n) {
      const auto s = static_cast<std::uint8_t>(random() % 64);
      if (board.on[s] != no_piece) continue;
      const PieceType type = n == 0 ? PieceType::king : (one_kind ? kind : static_cast<PieceType>(random() % 5));
      const bool edge = rank_of(s) == 0 || rank_of(s) == 7;
      if (type == PieceType::pawn && edge) continue;
      board.put({s, piece_of(color, type)});
    }
  }
  return board;
}

/// A random move that fits the board, special ones as often as the board has them; none if few tries find none.
inline bool random_move(const PieceBoard& board, std::mt19937_64& random, MoveCode& move) {
  for (unsigned tries = 0; tries < 400; ++tries) {
    move = static_cast<MoveCode>(random());
    const Piece mover = board.on[from_square(move)];
    if (mover == no_piece) continue;
    if (tries < 300 && (store_reference::attacks(board, from_square(move)) & bit(to_square(move))) == 0 &&
        kind_of(move) != MoveKind::castling)
      continue;
    const bool pawn = static_cast<PieceType>(type_of(mover)) == PieceType::pawn;
    if (pawn && kind_of(move) == MoveKind::plain && (rank_of(to_square(move)) == 0 || rank_of(to_square(move)) == 7))
      continue;
    if (fits(board, move)) return true;
  }
  return false;
}

/// Random boards, from each a walk of random moves, every second one taken back. What is wrong first, "" if nothing.
inline std::string check_store(const StoreQueries& queries, unsigned boards, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  StoreCheck check(queries);
  for (unsigned n = 0; n < boards; ++n) {
    std::string fault = check.begin(random_board(random));
    MoveCode move = 0;
    for (unsigned ply = 0; fault.empty() && ply < 8 && random_move(check.board(), random, move); ++ply) {
      const Change change = change_of(check.board(), move);
      fault = check.make_and_unmake(change, random() % 2 == 0);
      if (fault.empty()) fault = check.make(change, random() % 2 == 0);
    }
    if (!fault.empty()) return fault + " (random board " + std::to_string(n) + ", seed " + std::to_string(seed) + ")";
  }
  return "";
}

}  // namespace slidebench
