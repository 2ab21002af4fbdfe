// SPDX-License-Identifier: MIT
//
// Whether a store is right: its answers against those of the ray walk on the same board, and what it keeps after unmake
// against what it kept before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "extras/stores/store_queries.hpp"
#include "harness/chess/random_boards.hpp"
#include "harness/chess/squares.hpp"

namespace slidebench {

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

  /// Makes a move, and compares all answers.
  std::string make(const Change& change) {
    PieceBoard expected = board_;
    expected.make(change);
    queries_.make(storage(), board_, change);
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
  std::string make_and_unmake(const Change& change) {
    const PieceBoard board = board_;
    std::copy_n(static_cast<const char*>(queries_.state(storage())), before_.size(), before_.begin());
    std::string fault = make(change);
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
      const Bitboard expected = reference_attacks(board_, s);
      if (queries_.attacks(storage(), board_, s) != expected)
        return "attacks of the piece on " + square_name(s) + " are wrong";
      attacked[color_of(board_.on[s])] |= expected;
      for (Bitboard targets = expected; targets != 0;) attackers[pop_lowest(targets)] |= bit(s);
    }
    for (Square s = 0; s < square_count; ++s) {
      if (queries_.attackers(storage(), board_, s) != attackers[s])
        return "attackers of " + square_name(s) + " are wrong";
    }
    for (const Color color : {Color::white, Color::black}) {
      if (queries_.attacked(storage(), board_, color) != attacked[static_cast<unsigned>(color)])
        return "squares attacked by a side are wrong";
    }
    return "";
  }

 private:
  void* storage() {
    const auto address = (reinterpret_cast<std::uintptr_t>(storage_.data()) + 63) & ~std::uintptr_t{63};
    return reinterpret_cast<void*>(address);
  }

  const StoreQueries& queries_;
  std::vector<char> storage_;
  std::vector<char> before_;
  PieceBoard board_ = PieceBoard::empty();
};

/// Random boards, from each a walk of random moves, every second one taken back. What is wrong first, "" if nothing.
inline std::string check_store(const StoreQueries& queries, unsigned boards, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  StoreCheck check(queries);
  for (unsigned n = 0; n < boards; ++n) {
    std::string fault = check.begin(random_board(random));
    MoveCode move = 0;
    for (unsigned ply = 0; fault.empty() && ply < 8 && random_move(check.board(), random, move); ++ply) {
      const Change change = change_of(check.board(), move);
      fault = check.make_and_unmake(change);
      if (fault.empty()) fault = check.make(change);
    }
    if (!fault.empty()) return fault + " (random board " + std::to_string(n) + ", seed " + std::to_string(seed) + ")";
  }
  return "";
}

}  // namespace slidebench
