// SPDX-License-Identifier: MIT
//
// Rows: one attack set for each piece, kept from move to move. What the forms of this store share.
//
// A piece has an id as long as it lives: 0 to 15 white, 16 to 31 black; the roster says where it stands, the rows what
// it attacks from there. A slider that did not move attacks other squares after a move only if its row met a square
// that the move filled or emptied: what it does not see cannot hide or uncover anything. So
//
//      make     find the sliders whose rows meet a changed square, ask the method anew for those (1.56 a move, on
//               average), and write the rows of the pieces that were moved
//
//      unmake   the same with the changed squares of the way back: a row that changed meets them on both sides
//
// To ask anew on the way back takes no memory; the other way is to copy the store for each move (Copied, store.hpp).
//
// Rows are asked one by one. A batch would sort by type so few sliders, most often one or two, and batches of vector
// methods answer four or eight in the time of their slowest; independent queries overlap anyway. A method that answers
// bishop and rook in one query (`both`) is asked so for every slider, and the sets that the piece has not are masked
// off: no branch on its type, which no predictor knows. Of the others, whose second answer costs a second look-up, it
// is asked by type.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "extras/stores/store.hpp"

namespace slidebench {

/// A set of ids: bit i stands for the piece with id i.
using Ids = std::uint32_t;

constexpr Ids id_bit(unsigned id) { return Ids{1} << id; }

/// Removes the lowest id from a non-empty set and returns it.
constexpr unsigned pop_id(Ids& ids) {
  const auto id = static_cast<unsigned>(std::countr_zero(ids));
  ids &= ids - 1;
  return id;
}

/// 1 of a bishop, rook or queen, else 0.
constexpr Ids is_slider(Piece piece) { return Ids{0b011100'011100} >> piece & 1; }

/// Which piece is which.
///
/// Captured pieces keep their ids, and wait in a list that goes through their own entries of `squares`: the last one is
/// in `last_captured`, each entry says (above the squares of the board) who was captured before. So unmake knows whom
/// it brings back, and leaves no trace.
struct Roster {
  static constexpr std::uint8_t off_board = 64;

  alignas(32) std::array<std::uint8_t, 32> squares{};  ///< by id
  Ids sliders = 0;
  std::uint8_t last_captured = 0;
  alignas(64) std::array<std::uint8_t, 64> ids{};  ///< by square; 0 of an empty one

  /// The ids of the lifted pieces: the mover, and the captured piece or castling rook, the mover again if there is
  /// none.
  struct Lifted {
    unsigned mover;
    unsigned second;
    constexpr Ids both() const { return id_bit(mover) | id_bit(second); }
  };

  explicit Roster(const PieceBoard& board) {
    squares.fill(off_board);
    unsigned free[2] = {0, 16};
    for (Bitboard left = board.occupied(); left != 0;) {
      const auto s = static_cast<std::uint8_t>(pop_lowest(left));
      const Piece piece = board.on[s];
      const unsigned id = free[color_of(piece)]++;
      stand(id, s);
      sliders |= is_slider(piece) << id;
    }
  }

  Lifted make(const Change& change) {
    const Lifted lifted = lift(change.lifted, change.lifts);
    put(lifted, change.put, change.puts);
    if (change.lifts > change.puts) {
      squares[lifted.second] = static_cast<std::uint8_t>(off_board + last_captured);
      last_captured = static_cast<std::uint8_t>(lifted.second);
    }
    return lifted;
  }

  Lifted unmake(const Change& change) {
    Lifted lifted = lift(change.put, change.puts);
    if (change.lifts > change.puts) {
      lifted.second = last_captured;
      last_captured = static_cast<std::uint8_t>(squares[last_captured] - off_board);
    }
    put(lifted, change.lifted, change.lifts);
    return lifted;
  }

 private:
  void stand(unsigned id, std::uint8_t square) {
    squares[id] = square;
    ids[square] = static_cast<std::uint8_t>(id);
  }

  Lifted lift(const std::array<PieceAt, 2>& pieces, unsigned count) {
    const unsigned mover = ids[pieces[0].square];
    const unsigned second = count == 2 ? ids[pieces[1].square] : mover;
    ids[pieces[0].square] = 0;
    if (count == 2) ids[pieces[1].square] = 0;
    sliders &= ~(id_bit(mover) | id_bit(second));
    return {mover, second};
  }

  void put(const Lifted& lifted, const std::array<PieceAt, 2>& pieces, unsigned count) {
    stand(lifted.mover, pieces[0].square);
    sliders |= is_slider(pieces[0].piece) << lifted.mover;
    if (count < 2) return;
    stand(lifted.second, pieces[1].square);
    sliders |= is_slider(pieces[1].piece) << lifted.second;
  }
};

/// The tables of a method, if it says which.
template <class M>
struct TablesOf {};
template <class M>
requires requires { M::tables; }
struct TablesOf<M> {
  static constexpr auto tables = M::tables;
};

/// What a slider attacks, by the sets that a bishop and a rook would have in its place.
constexpr Bitboard row_of_slider(Piece slider, const BishopRook& lines) {
  const Bitboard moves_diagonally = -Bitboard{0b010100'010100u >> slider & 1};
  const Bitboard moves_straight = -Bitboard{0b011000'011000u >> slider & 1};
  return (lines.bishop & moves_diagonally) | (lines.rook & moves_straight);
}

/// What a slider attacks, by a method.
template <AttackMethod M>
constexpr Bitboard row_of_slider(PieceAt slider, const PlainBoard& board) {
  if constexpr (requires { M::both(Square{}, board); }) {
    return row_of_slider(slider.piece, M::both(slider.square, board));
  } else {
    return attacks_of<M>(slider.piece, slider.square, board);
  }
}

/// What any piece attacks.
template <AttackMethod M>
constexpr Bitboard row_of(PieceAt at, const PlainBoard& board) {
  return is_slider(at.piece) != 0 ? row_of_slider<M>(at, board) : leaper_attacks(at.piece, at.square);
}

/// A store of rows that asks anew for the sliders whose rows meet a changed square. RowSet keeps the rows and searches
/// them (rows.hpp says what it has to offer).
template <AttackMethod M, class RowSet>
requires(!HasBoard<M>) class RowStore : public TablesOf<M> {
 public:
  using Method = M;
  static constexpr MethodInfo info = RowSet::info;

  explicit RowStore(const PieceBoard& board) : roster_(board) {
    for (Bitboard left = board.occupied(); left != 0;) {
      const auto s = static_cast<std::uint8_t>(pop_lowest(left));
      rows_.rows[roster_.ids[s]] = row_of<M>({s, board.on[s]}, PlainBoard(board.occupied()));
    }
  }

  void make(PieceBoard& board, const Change& change) {
    const Bitboard before = board.occupied();
    board.make(change);
    const Roster::Lifted lifted = roster_.make(change);
    ask_anew(board, rows_.meeting(before ^ board.occupied(), roster_) & ~lifted.both());
    put_rows(board, lifted, change.put, change.puts);
    if (change.lifts > change.puts) rows_.rows[lifted.second] = 0;
  }

  void unmake(PieceBoard& board, const Change& change) {
    const Bitboard after = board.occupied();
    board.unmake(change);
    const Roster::Lifted lifted = roster_.unmake(change);
    ask_anew(board, rows_.meeting(after ^ board.occupied(), roster_) & ~lifted.both());
    put_rows(board, lifted, change.lifted, change.lifts);
  }

  Bitboard attacks(const PieceBoard&, Square s) const { return rows_.rows[roster_.ids[s]]; }
  Bitboard attackers(const PieceBoard& board, Square s) const { return rows_.attackers(s, board, roster_); }
  Bitboard attacked(const PieceBoard&, Color color) const { return rows_.of(color); }
  PlainBoard asked(const PieceBoard&, Bitboard occupied) const { return PlainBoard(occupied); }

 private:
  void ask_anew(const PieceBoard& board, Ids sliders) {
    const PlainBoard plain(board.occupied());
    while (sliders != 0) {
      const unsigned id = pop_id(sliders);
      const std::uint8_t s = roster_.squares[id];
      rows_.rows[id] = row_of_slider<M>({s, board.on[s]}, plain);
    }
  }

  void put_rows(const PieceBoard& board, const Roster::Lifted& lifted, const std::array<PieceAt, 2>& pieces,
                unsigned count) {
    const PlainBoard plain(board.occupied());
    rows_.rows[lifted.mover] = row_of<M>(pieces[0], plain);
    if (count == 2) rows_.rows[lifted.second] = row_of<M>(pieces[1], plain);
  }

  RowSet rows_{};
  Roster roster_;
};

}  // namespace slidebench
