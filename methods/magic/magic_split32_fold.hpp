// SPDX-License-Identifier: MIT
//
// 32-bit magic with folded bishops: put the two halves of the board on top of each other, and multiply once.
//
// Magic with two 32-bit multiplications is explained in magic_split32.hpp. A bishop has nine relevant squares at most.
// Both halves of its masked occupancy can be folded into one word, if the fold keeps different occupancies different:
//
//      bishop    index = (fold(occupied & mask) * factor) >> (32 - n)         fold(x) = high ^ (5 * low)
//      rook      two multiplications, as in magic_split32
//
// The fold that is usually proposed, low ^ high, cannot work on the ranks 4 and 5, where it lets two blockers cancel.
// split32_fold.hpp has one that loses nothing on any square, and the compiler checks that. What is won is a
// multiplication, not an instruction: the fold takes as many as it saves.
//
// Inventor: Grant Osborne (Winboard forum, 15 December 2006); the lossless fold is this project's.
// Source: Chessprogramming wiki, Magic Bitboards.
// Tables: 107,648 sets x 8 bytes = 861,184, and 64 records x 64 bytes = 4,096; together 865,280 bytes.
// Loads: 1 record (4 words) + 1 set. Relies on: a fast 32-bit multiplication, and on the sets being in cache.
#pragma once

#include "methods/magic/occupancies.hpp"
#include "methods/magic/split32_factors.hpp"
#include "methods/magic/split32_fold.hpp"
#include "methods/magic/split32_fold_factors.hpp"
#include "methods/method.hpp"
#include "methods/square_records.hpp"

namespace slidebench {

struct MagicSplit32Fold {
  static constexpr MethodInfo info{.id = "magic_split32_fold",
                                   .title = "32-bit magic, folded bishops",
                                   .family = "magic",
                                   .inventor = "G. Osborne",
                                   .year = 2006,
                                   .reference = "https://www.chessprogramming.org/Magic_Bitboards",
                                   .requires_isa = Isa::none};

  static Bitboard bishop(Square s, Bitboard occupied) {
    const BishopRecord& r = bishop_record(s);
    return sets.from(r.sets)[index(r, occupied)];
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    const RookRecord& r = rook_record(s);
    return sets.from(r.sets)[index(r, occupied)];
  }

  /// Fills the attack sets: 107,648 ray walks.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      fill(magic::Piece::bishop, s, bishop_record(s));
      fill(magic::Piece::rook, s, rook_record(s));
    }
  }

 private:
  static inline Table<Bitboard, 102'400 + 5'248> sets;

  struct BishopRecord {
    Bitboard mask;
    std::uint32_t factor;
    std::uint32_t shift;  ///< 32 - n
    Bitboard* sets;       ///< the square's own array, a part of the common table
  };

  struct RookRecord {
    Bitboard mask;
    Split32Factor factor;
    Bitboard* sets;
    std::uint64_t shift;
  };

  using Records = SquareRecords<BishopRecord, RookRecord>;

  static constexpr Table<Records, 64> records = [] {
    Table<Records, 64> table;
    Bitboard* next = sets.data;
    for (Square s = 0; s < 64; ++s) {
      const unsigned n = magic::relevant_bits(magic::Piece::rook, s);
      table.data[s].rook = {rook_relevant(s), split32_rook_factors[s], next, 32 - n};
      next += std::size_t{1} << n;
    }
    for (Square s = 0; s < 64; ++s) {
      const unsigned n = magic::relevant_bits(magic::Piece::bishop, s);
      table.data[s].bishop = {bishop_relevant(s), split32_fold_bishop_factors[s], 32 - n, next};
      next += std::size_t{1} << n;
    }
    return table;
  }();

  static const BishopRecord& bishop_record(Square s) { return records.member(s, &Records::bishop); }
  static const RookRecord& rook_record(Square s) { return records.member(s, &Records::rook); }

  static std::uint32_t index(const BishopRecord& r, Bitboard occupied) {
    return (split32_fold(occupied & r.mask) * r.factor) >> r.shift;
  }

  static std::uint32_t index(const RookRecord& r, Bitboard occupied) {
    const Bitboard masked = occupied & r.mask;
    const std::uint32_t low = static_cast<std::uint32_t>(masked) * r.factor.low;
    const std::uint32_t high = static_cast<std::uint32_t>(masked >> 32) * r.factor.high;
    return (low ^ high) >> r.shift;
  }

  template <class Record>
  static void fill(magic::Piece piece, Square s, const Record& r) {
    magic::for_each_occupancy(piece, s,
                              [&r](Bitboard occupied, Bitboard attacks) { r.sets[index(r, occupied)] = attacks; });
  }

 public:
  static constexpr std::array tables{table_info("sets", sets), table_info("records", records)};
};

}  // namespace slidebench
