// SPDX-License-Identifier: MIT
//
// Whether a store is right: its answers against those of the ray walk on the same board, and what it keeps after unmake
// against what it kept before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "extras/stores/store_queries.hpp"
#include "harness/chess/random_boards.hpp"
#include "harness/chess/squares.hpp"
#include "harness/plugin/extension.hpp"

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

/// Counts the boards that are checked, and keeps the first fault.
class Verification {
 public:
  Verification(std::string id, const StoreQueries& queries) : id_(std::move(id)), check_(queries) {}

  const PieceBoard& board() const { return check_.board(); }
  bool failed() const { return verdict_.failure.has_value(); }
  ModuleVerdict verdict() const { return verdict_; }

  void begin(const PieceBoard& board) { note(check_.begin(board)); }
  void make(const Change& change) { note(check_.make(change)); }
  void unmake(const Change& change) { note(check_.unmake(change)); }
  void make_both_ways(const Change& change) {
    note(check_.make_and_unmake(change));
    if (!failed()) note(check_.make(change));
  }

 private:
  void note(const std::string& fault) {
    ++verdict_.answers;
    if (!fault.empty() && !failed()) verdict_.failure = id_ + ": " + fault;
  }

  std::string id_;
  StoreCheck check_;
  ModuleVerdict verdict_;
};

/// Random pieces, random moves that fit: what no game has, such as sixteen queens.
inline void walk_random_boards(Verification& verification, std::uint64_t boards, std::mt19937_64& random) {
  constexpr unsigned most_moves = 8;
  for (std::uint64_t n = 0; n < boards && !verification.failed(); n += most_moves) {
    verification.begin(random_board(random));
    MoveCode move = 0;
    for (unsigned ply = 0; ply < most_moves && !verification.failed(); ++ply) {
      if (!random_move(verification.board(), random, move)) break;
      verification.make_both_ways(change_of(verification.board(), move));
    }
  }
}

}  // namespace slidebench
