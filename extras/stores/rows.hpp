// SPDX-License-Identifier: MIT
//
// Rows: one attack set for each piece, kept from move to move (row_store.hpp), in words and loops.
//
//      id      0        1        ...      15       16       ...      31
//      row     64 bits  64 bits           64 bits  64 bits           64 bits     what the piece attacks
//              +----------- white -------------+   +-------- black --------+
//
// A row answers what a piece attacks: one load by id. What attacks a square stands across the rows, a bit in each: the
// column. Without vectors it is cheaper to ask the board for the pawns, knights and kings that attack a square, and to
// go through the rows of sliders only. What a side attacks is the union of its sixteen rows.
//
// Inventor: Aethdv (engine Soul), with vectors (rows_avx2.hpp); so does petrel, with 16 rows a side. Source:
// https://github.com/Aethdv/Soul/pull/123 (2026); petrel @ a603c7b6. State: 256 bytes of rows, 32 of squares, 64 of
// ids, 9 of sets; 384 with padding. Loads: attacks 2, attackers 2 a slider, attacked 16; make and unmake 1 a slider for
// each search.
#pragma once

#include "extras/stores/row_store.hpp"

namespace slidebench {

/// Rows as an array of words. What a form of rows has to offer: rows, meeting, attackers and of.
struct RowArray {
  static constexpr MethodInfo info{.id = "rows",
                                   .title = "Rows: an attack set for each piece",
                                   .family = "store",
                                   .inventor = "Aethdv (Soul)",
                                   .year = 2026,
                                   .reference = "https://github.com/Aethdv/Soul/pull/123",
                                   .requires_isa = Isa::none};
  /// The sliders whose rows meet a set.
  Ids meeting(Bitboard set, const Roster& roster) const {
    Ids ids = 0;
    for (Ids left = roster.sliders; left != 0;) {
      const unsigned id = pop_id(left);
      ids |= Ids{(rows[id] & set) != 0} << id;
    }
    return ids;
  }

  /// The squares of the pieces that attack a square.
  Bitboard attackers(Square s, const PieceBoard& board, const Roster& roster) const {
    Bitboard squares = leapers_to(board, s);
    for (Ids left = roster.sliders; left != 0;) {
      const unsigned id = pop_id(left);
      squares |= (rows[id] >> s & 1) << roster.squares[id];
    }
    return squares;
  }

  /// What a side attacks.
  Bitboard of(Color color) const {
    const unsigned first = 16 * static_cast<unsigned>(color);
    Bitboard attacked = 0;
    for (unsigned id = first; id < first + 16; ++id) attacked |= rows[id];
    return attacked;
  }

  alignas(64) std::array<Bitboard, 32> rows{};
};

template <AttackMethod M>
using Rows = RowStore<M, RowArray>;

}  // namespace slidebench
