// SPDX-License-Identifier: MIT
//
// The look-up of fixed-shift magic: constant shifts, and an array for each square that begins where the factors say.
//
// magic_fixed_shift.hpp explains what is gained, magic_overlapped.hpp how the arrays interleave, magic_black.hpp the
// other form of the hash. The three differ in factors and hash, and share this code.
#pragma once

#include "methods/magic/occupancies.hpp"
#include "methods/magic/offset_factor.hpp"
#include "methods/method.hpp"
#include "methods/square_records.hpp"

namespace slidebench {

/// How squares that do not matter count in the product: as empty (white) or as occupied (black).
enum class MagicHash { white, black };

/// `bishops` and `rooks` are the factors with the first slots of their arrays, `slots` is the length of the table.
template <MagicHash hash, const OffsetFactor (&bishops)[64], const OffsetFactor (&rooks)[64], std::size_t slots>
struct OffsetMagic {
  static Bitboard bishop(Square s, Bitboard occupied) {
    const Record& r = bishop_record(s);
    return sets.from(r.sets)[index(r, 9, occupied)];
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    const Record& r = rook_record(s);
    return sets.from(r.sets)[index(r, 12, occupied)];
  }

  /// Fills the attack sets: 107,648 ray walks.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      fill(magic::Piece::bishop, s, bishop_record(s), 9);
      fill(magic::Piece::rook, s, rook_record(s), 12);
    }
  }

 private:
  static inline Table<Bitboard, slots> sets;

  struct Record {
    Bitboard* sets;  ///< the square's own array, a part of the common table
    Bitboard mask;   ///< white: the relevant squares; black: all others
    std::uint64_t factor;
  };

  static constexpr Table<SquareRecords<Record>, 64> records = [] {
    constexpr auto record = [](Bitboard relevant, const OffsetFactor& f) {
      return Record{sets.data + f.first, hash == MagicHash::white ? relevant : ~relevant, f.factor};
    };
    Table<SquareRecords<Record>, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {record(bishop_relevant(s), bishops[s]), record(rook_relevant(s), rooks[s])};
    }
    return table;
  }();

  static const Record& bishop_record(Square s) { return records.member(s, &SquareRecords<Record>::bishop); }
  static const Record& rook_record(Square s) { return records.member(s, &SquareRecords<Record>::rook); }

  static std::uint64_t index(const Record& r, unsigned bits, Bitboard occupied) {
    const Bitboard key = hash == MagicHash::white ? occupied & r.mask : occupied | r.mask;
    return (key * r.factor) >> (64 - bits);
  }

  static void fill(magic::Piece piece, Square s, const Record& r, unsigned bits) {
    magic::for_each_occupancy(
        piece, s, [&r, bits](Bitboard occupied, Bitboard attacks) { r.sets[index(r, bits, occupied)] = attacks; });
  }

 public:
  static constexpr std::array tables{table_info("sets", sets), table_info("records", records)};
};

}  // namespace slidebench
