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
//
// The threats that a move brings and takes are read off the same rows:
//   - a row that was asked anew attacks what came to it and no longer what went (old & ~new);
//   - a piece that was lifted, put down or captured attacks what its row meets, and is attacked by its square's column:
//     the ids whose rows hold that square. A column after the move is the column before it with the bits of the rows
//     that were asked anew: rows just written need not be searched, which vector loads of narrow stores would wait for.
// Pieces that moved are left out of columns, so that nothing is listed twice, and no threat stands in both lists.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "harness/chess/store.hpp"

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

constexpr bool is_king(Piece piece) { return static_cast<PieceType>(type_of(piece)) == PieceType::king; }
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
  Ids threatening = 0;  ///< all that have ever lived, without kings
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
      if (!is_king(piece)) threatening |= id_bit(id);
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

/// Lists threats of one piece, piece by piece. Other forms list a whole set of ids at once.
class ThreatLoop {
 public:
  ThreatLoop(const PieceBoard& board, const Roster& roster) : board_(board), roster_(roster) {}

  /// The attacks of pieces that do not move on the piece `at`.
  void attackers(Ids ids, PieceAt at, ThreatList& list) const {
    while (ids != 0) {
      const std::uint8_t from = roster_.squares[pop_id(ids)];
      list.add({board_.on[from], from, at.piece, at.square});
    }
  }

  /// The attacks of the piece `at` on others.
  void attacked(PieceAt at, Bitboard targets, ThreatList& list) const {
    while (targets != 0) {
      const Square to = pop_lowest(targets);
      list.add({at.piece, at.square, board_.on[to], static_cast<std::uint8_t>(to)});
    }
  }

  /// A piece was put down. The board knows.
  void put(unsigned, PieceAt) {}

 private:
  const PieceBoard& board_;
  const Roster& roster_;
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

/// What a store of rows keeps and answers; how it moves the pieces is up to others. RowSet keeps the rows and searches
/// them (rows.hpp says what it has to offer).
template <AttackMethod M, class RowSet>
requires(!HasBoard<M>) class RowAnswers : public TablesOf<M> {
 public:
  using Method = M;

  explicit RowAnswers(const PieceBoard& board) : roster_(board) {
    for (Bitboard left = board.occupied(); left != 0;) {
      const auto s = static_cast<std::uint8_t>(pop_lowest(left));
      rows_.set(roster_.ids[s], row_of<M>({s, board.on[s]}, PlainBoard(board.occupied())));
    }
  }

  Bitboard attacks(const PieceBoard&, Square s) const {
    touch(&roster_.ids[s], 1);
    return rows_.get(roster_.ids[s]);
  }

  Bitboard attackers(const PieceBoard& board, Square s) const {
    touch(&roster_.squares, sizeof roster_.squares);
    return rows_.attackers(s, board, roster_);
  }

  Bitboard attacked(const PieceBoard&, Color color) const { return rows_.of(color); }

  PlainBoard asked(const PieceBoard&, Bitboard occupied) const { return PlainBoard(occupied); }

 protected:
  /// Reports bytes of this store that are read; the rows do it themselves.
  void touch(const void* part, std::size_t bytes) const {
    // Their address is taken for that of the store.
    static_assert(std::is_standard_layout_v<RowAnswers>);
    const auto offset = static_cast<const char*>(part) - reinterpret_cast<const char*>(this);
    record_state(this, static_cast<std::size_t>(offset), bytes);
  }
  void touch_roster() const {
    touch(&roster_.squares, offsetof(Roster, last_captured) + 1);
    touch(&roster_.ids, sizeof roster_.ids);
  }

  /// Lists what a slider attacks now or did. Nearly always none or one, and nobody can predict which: the first is
  /// written in any case, and counted if there is one.
  static void list_discovered(const PieceBoard& board, std::uint8_t from, Bitboard targets, ThreatList& list) {
    const auto attack = [&] {
      const auto to = static_cast<std::uint8_t>(lowest_square(targets) & 63);
      return Threat{board.on[from], from, board.on[to], to};
    };
    list.items[list.count] = attack();
    list.count += targets != 0;
    while ((targets &= targets - 1) != 0) [[unlikely]] list.add(attack());
  }

  RowSet rows_{};
  Roster roster_;
};

/// A store of rows that asks anew for the sliders whose rows meet a changed square.
template <AttackMethod M, class RowSet>
requires(!HasBoard<M>) class RowStore : public RowAnswers<M, RowSet> {
 public:
  static constexpr MethodInfo info = RowSet::info;
  using RowAnswers<M, RowSet>::RowAnswers;

  template <class Threats>
  void make(PieceBoard& board, const Change& change, Threats& threats) {
    touch_roster();
    if constexpr (Threats::wanted) {
      make_with_threats(board, change, threats);
    } else {
      const Bitboard before = board.occupied();
      board.make(change);
      const Roster::Lifted lifted = roster_.make(change);
      ask_anew(board, rows_.meeting(before ^ board.occupied(), roster_) & ~lifted.both());
      put_rows(board, lifted, change.put, change.puts);
      if (change.lifts > change.puts) rows_.set(lifted.second, 0);
    }
  }

  void unmake(PieceBoard& board, const Change& change) {
    touch_roster();
    const Bitboard after = board.occupied();
    board.unmake(change);
    const Roster::Lifted lifted = roster_.unmake(change);
    ask_anew(board, rows_.meeting(after ^ board.occupied(), roster_) & ~lifted.both());
    put_rows(board, lifted, change.lifted, change.lifts);
  }

 private:
  using Lister = typename RowSet::Lister;

  using RowAnswers<M, RowSet>::touch_roster, RowAnswers<M, RowSet>::list_discovered;
  using RowAnswers<M, RowSet>::rows_, RowAnswers<M, RowSet>::roster_;

  void ask_anew(const PieceBoard& board, Ids sliders) {
    const PlainBoard plain(board.occupied());
    while (sliders != 0) {
      const unsigned id = pop_id(sliders);
      const std::uint8_t s = roster_.squares[id];
      rows_.set(id, row_of_slider<M>({s, board.on[s]}, plain));
    }
  }

  void put_rows(const PieceBoard& board, const Roster::Lifted& lifted, const std::array<PieceAt, 2>& pieces,
                unsigned count) {
    const PlainBoard plain(board.occupied());
    rows_.set(lifted.mover, row_of<M>(pieces[0], plain));
    if (count == 2) rows_.set(lifted.second, row_of<M>(pieces[1], plain));
  }

  static Bitboard targets_of(const PieceBoard& board) { return board.occupied() & ~board.of(PieceType::king); }

  /// The ids that attack what a change touches, before it.
  struct Columns {
    Ids from;
    Ids to;
    Ids second;   ///< of the square of the captured piece or of the castling rook
    Ids changed;  ///< of all squares that it fills or empties
  };

  Columns columns_of(const PieceBoard& board, const Change& change) const {
    const auto column = [&](PieceAt at) { return rows_.column(at.square, board, roster_); };
    Columns on{.from = column(change.lifted[0]), .to = column(change.put[0]), .second = 0, .changed = 0};
    on.second = on.to;
    on.changed = change.captures_on_target() ? on.from : on.from | on.to;
    if (change.lifts == 2 && !change.captures_on_target()) [[unlikely]] {
      on.second = column(change.lifted[1]);
      on.changed |= on.second;
    }
    if (change.puts == 2) [[unlikely]]
      on.changed |= column(change.put[1]);
    return on;
  }

  void make_with_threats(PieceBoard& board, const Change& change, ThreatChange& threats) {
    const PieceAt to = change.put[0];
    const Columns on = columns_of(board, change);
    Lister lister(board, roster_);
    const Roster::Lifted lifted = roster_.make(change);
    const Ids others = roster_.threatening & ~lifted.both();
    const Bitboard before = targets_of(board);
    list_piece(lister, change.lifted[0], rows_.get(lifted.mover) & before, on.from & others, threats.went);
    Bitboard staying = before & ~bit(change.lifted[0].square);
    if (change.lifts == 2) {
      list_piece(lister, change.lifted[1], rows_.get(lifted.second) & before, on.second & others, threats.went);
      staying &= ~bit(change.lifted[1].square);
    }

    board.make(change);
    lister.put(lifted.mover, to);
    const Ids met = on.changed & roster_.sliders & ~lifted.both();
    const Ids attackers = (on.to & ~met) | ask_anew(board, met, staying, to.square, threats);
    put_rows(board, lifted, change.put, change.puts);
    const Bitboard after = targets_of(board);
    list_piece(lister, to, rows_.get(lifted.mover) & after, attackers & others, threats.came);
    if (change.lifts > change.puts) rows_.set(lifted.second, 0);
    if (change.puts == 2) [[unlikely]] {
      lister.put(lifted.second, change.put[1]);
      const Ids on_rook = rows_.column(change.put[1].square, board, roster_);
      list_piece(lister, change.put[1], rows_.get(lifted.second) & after, on_rook & others, threats.came);
    }
  }

  static void list_piece(const Lister& lister, PieceAt at, Bitboard attacked, Ids attackers, ThreatList& list) {
    if (is_king(at.piece)) return;
    lister.attacked(at, attacked, list);
    lister.attackers(attackers, at, list);
  }

  /// Asks for sliders anew and lists what they attack among `targets` and did not, and the other way round.
  /// @return those that attack a square now
  Ids ask_anew(const PieceBoard& board, Ids sliders, Bitboard targets, Square square, ThreatChange& threats) {
    const PlainBoard plain(board.occupied());
    Ids column = 0;
    while (sliders != 0) {
      const unsigned id = pop_id(sliders);
      const std::uint8_t s = roster_.squares[id];
      const Bitboard before = rows_.get(id);
      const Bitboard after = row_of_slider<M>({s, board.on[s]}, plain);
      rows_.set(id, after);
      column |= static_cast<Ids>(after >> square & 1) << id;
      list_discovered(board, s, before & ~after & targets, threats.went);
      list_discovered(board, s, after & ~before & targets, threats.came);
    }
    return column;
  }
};

}  // namespace slidebench
