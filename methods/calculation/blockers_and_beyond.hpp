// SPDX-License-Identifier: MIT
//
// Blockers and beyond: start with the attacks on the empty board, and for each blocker take away what is beyond it.
//
//      attacks = open[s]
//      for each occupied square t of relevant[s]:   attacks &= ~beyond[s][t]
//
// Which blocker of a ray comes first does not matter: a farther one takes away squares that the nearer one takes away
// too. So there is no direction, no scan for the first one, and one table for all pieces; but there is a loop, as long
// as there are occupied squares on the lines (blockers on the last squares hide nothing and are masked out), and its
// end is a branch that the processor has to guess.
//
// A queen makes one loop of it instead of a bishop's and a rook's.
//
// Inventor: Fabien Letouzey (published with Senpai 1.0, March 2014).
// Source: Chessprogramming wiki, Blockers and Beyond.
// Tables: beyond 64 x 64 x 8 = 32,768, and 64 records x 32 = 2,048; 34,816 bytes.
// Loads: 2 words of one record, and one of `beyond` for each blocker. Relies on: few blockers, as in endgames.
#pragma once

#include "methods/method.hpp"
#include "methods/reference.hpp"
#include "methods/square_records.hpp"

namespace slidebench {

struct BlockersAndBeyond {
  static constexpr MethodInfo info{.id = "blockers_and_beyond",
                                   .title = "Blockers and beyond",
                                   .family = "calculation",
                                   .inventor = "F. Letouzey",
                                   .year = 2014,
                                   .reference = "https://www.chessprogramming.org/Blockers_and_Beyond",
                                   .requires_isa = Isa::none};

  static constexpr Bitboard bishop(Square s, Bitboard occupied) {
    return without_hidden(s, occupied, records.member(s, &SquareRecords<Record>::bishop));
  }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    return without_hidden(s, occupied, records.member(s, &SquareRecords<Record>::rook));
  }

  static constexpr Bitboard queen(Square s, Bitboard occupied) {
    const SquareRecords<Record>& r = records[s];
    return without_hidden(s, occupied, {r.bishop.open | r.rook.open, r.bishop.relevant | r.rook.relevant});
  }

 private:
  struct Record {
    Bitboard open;      ///< the attacks on the empty board
    Bitboard relevant;  ///< the squares on which a blocker hides something
  };

  static constexpr Table<SquareRecords<Record>, 64> records = [] {
    Table<SquareRecords<Record>, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {{reference::bishop(s, 0), bishop_relevant(s)}, {reference::rook(s, 0), rook_relevant(s)}};
    }
    return table;
  }();

  /// Element 64 * s + t: what a blocker on t hides from a slider on s; nothing if t is on no line of s.
  static constexpr Table<Bitboard, 64 * 64> beyond = [] {
    Table<Bitboard, 64 * 64> table;
    for (Square s = 0; s < 64; ++s) {
      for (unsigned d = 0; d < 8; ++d) {
        const auto direction = static_cast<Direction>(d);
        for (Bitboard rest = ray(direction, s); rest != 0;) {
          const Square t = d < 4 ? lowest_square(rest) : highest_square(rest);
          rest ^= bit(t);
          table.data[64 * s + t] = rest;
        }
      }
    }
    return table;
  }();

  static constexpr Bitboard without_hidden(Square s, Bitboard occupied, const Record& record) {
    Bitboard attacks = record.open;
    const auto hidden = beyond.row(std::size_t{64} * s);
    for (Bitboard blockers = occupied & record.relevant; blockers != 0;) attacks &= ~hidden[pop_lowest(blockers)];
    return attacks;
  }

 public:
  static constexpr std::array tables{table_info("beyond", beyond), table_info("records", records)};
};

}  // namespace slidebench
