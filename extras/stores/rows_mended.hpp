// SPDX-License-Identifier: MIT
//
// Mended rows: the attack sets of rows.hpp, of which a move mends the ends that it hides or uncovers, and asks for none
// anew.
//
// A square that is filled cuts the rows of the sliders that see it; emptied, it lets them through. What they lose or
// gain is what lies behind the square, and the square itself sees that. Its own bishop and rook set, one `both` query,
// names the sliders as well, as the first blockers on its lines:
//
//      file e                        e1  e2  e3  e4  e5  e6  e7  e8
//                                        R       -           n         a rook, a knight, and e4 is emptied
//      the row while e4 is filled    x       x   x
//      what e4 sees                      x   x       x   x   x
//      of that, behind e4                            x   x   x
//      the row ^= that               x       x   x   x   x   x
//
// The same exclusive or cuts and mends. So a quiet move costs two queries and a capture one (by a slider two), however
// many rows change, in place of one for each row; no search finds those rows; there is no branch on a slider's type;
// the query of the target is the mover's own row; unmake does the same backward; and the threats of the move,
// discovered ones and those of the piece on the square, are in the same two sets, as they are for a store that keeps
// nothing (ask_anew.hpp). It is that store with rows, at the price of one exclusive or a slider.
//
// The threats are more than a difference: what a piece that moves along a line lets through and stops again is in both
// lists.
//
// Why not delayed rows, marked by make() and asked for when somebody wants them? Each move asks who attacks the king,
// for which all marked rows are needed, so little stays delayed; and unmake would have to take back marks that answers
// in between have removed, or ask for rows only to forget them.
//
// Inventor: this project, after the attack tables of Rose and Clockwork, which toggle what lies behind a square too.
// Source: extras/stores/rows_mended.hpp.
// State: as rows.hpp, 384 bytes. Loads: as rows.hpp; make and unmake read the mended rows alone.
#pragma once

#include "extras/stores/rows.hpp"
#include "harness/chess/square_threats.hpp"

namespace slidebench {

/// The squares that `square` hides from a slider on `from`. Precondition: they share a line.
constexpr Bitboard behind(Square from, Square square) {
  const Bitboard below = bit(square) - 1;
  return line(from, square) & (from < square ? ~below << 1 : below);
}

template <AttackMethod M, class RowSet>
requires(!HasBoard<M>) class MendedRowStore : public RowAnswers<M, RowSet> {
 public:
  static constexpr MethodInfo info = RowSet::info;
  using RowAnswers<M, RowSet>::RowAnswers;

  template <class Threats>
  void make(PieceBoard& board, const Change& change, Threats& threats) {
    touch_roster();
    lift(board, change.lifted[0], threats);
    if (change.captures_on_target()) {
      take(board, change, threats);
      return;
    }
    if (change.lifts == 2) [[unlikely]]
      lift(board, change.lifted[1], threats);
    const Roster::Lifted lifted = roster_.make(change);
    put(board, lifted.mover, change.put[0], threats);
    if (change.puts == 2) [[unlikely]]
      put(board, lifted.second, change.put[1], threats);
    if (change.lifts > change.puts) [[unlikely]]
      rows_.set(lifted.second, 0);
  }

  void unmake(PieceBoard& board, const Change& change) {
    touch_roster();
    NoThreats nobody;
    if (change.captures_on_target()) {
      board.lift(change.put[0]);
      const Roster::Lifted lifted = roster_.unmake(change);
      board.put(change.lifted[1]);
      rows_.set(lifted.second, row_of<M>(change.lifted[1], PlainBoard(board.occupied())));
      put(board, lifted.mover, change.lifted[0], nobody);
      return;
    }
    lift(board, change.put[0], nobody);
    if (change.puts == 2) [[unlikely]]
      lift(board, change.put[1], nobody);
    const Roster::Lifted lifted = roster_.unmake(change);
    put(board, lifted.mover, change.lifted[0], nobody);
    if (change.lifts == 2) [[unlikely]]
      put(board, lifted.second, change.lifted[1], nobody);
  }

 private:
  using RowAnswers<M, RowSet>::touch_roster, RowAnswers<M, RowSet>::list_discovered;
  using RowAnswers<M, RowSet>::rows_, RowAnswers<M, RowSet>::roster_;

  template <class Threats>
  void lift(PieceBoard& board, PieceAt at, Threats& threats) {
    board.lift(at);
    const BishopRook lines = lines_of(board, at.square);
    if constexpr (Threats::wanted) {
      SquareThreats(board, at.square, lines).of_piece(at.piece, threats.went);
      mend(board, at.square, lines, &threats.came);
    } else {
      mend(board, at.square, lines, nullptr);
    }
  }

  template <class Threats>
  void put(PieceBoard& board, unsigned id, PieceAt at, Threats& threats) {
    const BishopRook lines = lines_of(board, at.square);
    if constexpr (Threats::wanted) {
      SquareThreats(board, at.square, lines).of_piece(at.piece, threats.came);
      mend(board, at.square, lines, &threats.went);
    } else {
      mend(board, at.square, lines, nullptr);
    }
    rows_.set(id, row_from(lines, at));
    board.put(at);
  }

  /// Puts the mover where the captured piece stands: the square stays occupied, and only the two rows change.
  template <class Threats>
  void take(PieceBoard& board, const Change& change, Threats& threats) {
    const PieceAt taken = change.lifted[1], to = change.put[0];
    const Roster::Lifted lifted = roster_.make(change);
    board.lift(taken);
    if constexpr (Threats::wanted) {
      const BishopRook lines = lines_of(board, to.square);
      const SquareThreats square(board, to.square, lines);
      square.of_piece(taken.piece, threats.went);
      square.of_piece(to.piece, threats.came);
      board.put(to);
      rows_.set(lifted.mover, row_from(lines, to));
    } else {
      board.put(to);
      rows_.set(lifted.mover, row_of<M>(to, PlainBoard(board.occupied())));
    }
    rows_.set(lifted.second, 0);
  }

  static Bitboard row_from(const BishopRook& lines, PieceAt at) {
    return is_slider(at.piece) != 0 ? row_of_slider(at.piece, lines) : leaper_attacks(at.piece, at.square);
  }

  static BishopRook lines_of(const PieceBoard& board, Square s) {
    return both_attacks<M>(s, PlainBoard(board.occupied()));
  }

  /// Mends the rows of the sliders that see an empty square, and lists what they attack behind it, if there is a list.
  template <class List>
  void mend(const PieceBoard& board, Square s, const BishopRook& lines, [[maybe_unused]] List list) {
    const Bitboard seen = lines.bishop | lines.rook;
    for (Bitboard left = sliders_on(board, lines); left != 0;) {
      const Square from = pop_lowest(left);
      const Bitboard hidden = seen & behind(from, s);
      const unsigned id = roster_.ids[from];
      rows_.set(id, rows_.get(id) ^ hidden);
      if constexpr (std::is_same_v<List, ThreatList*>) {
        const Bitboard targets = board.occupied() & ~board.of(PieceType::king);
        list_discovered(board, static_cast<std::uint8_t>(from), hidden & targets, *list);
      }
    }
  }
};

struct RowArrayMended : RowArray {
  static constexpr MethodInfo info{.id = "rows_mended",
                                   .title = "Mended rows: cut and lengthened by what a square sees",
                                   .family = "store",
                                   .inventor = "slidebench, after Rose and Clockwork",
                                   .year = 2026,
                                   .reference = "extras/stores/rows_mended.hpp",
                                   .requires_isa = Isa::none};
};

template <AttackMethod M>
using RowsMended = MendedRowStore<M, RowArrayMended>;

}  // namespace slidebench
