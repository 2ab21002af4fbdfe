// SPDX-License-Identifier: MIT
//
// Spectral magic: a magic factor of six bits, and so a multiplication made of six shifts.
//
// To multiply is to add up shifted copies, one for each bit of the factor. The copies are what gathers the index: each
// moves the blockers by another distance, and those that matter meet in the highest bits. The factors of magic_fancy
// have 4 to 20 bits, as nobody asked for few; six are enough on every square:
//
//      index = ((o << shift 1) + (o << shift 2) + ... + (o << shift 6)) >> 55 (rook: 52)        o = occupied & mask
//
// The arrays are those of plain magic. Where a multiplication takes three cycles this is slower, and shows what the
// instruction is worth; where there is none it is a way to do without.
//
// Inventor: Daniel Infuehr (Chess_Movegen, 2023): 6 shifts for bishops and 7 for rooks in plain arrays, and also 3 with
// an index of 18 bits, all arrays interleaved in one table. Here the first form, with 6 and 6; factors of this project.
// Source: https://github.com/Gigantua/Chess_Movegen (Spectralmagic).
// Tables: 64 x 4,096 + 64 x 512 sets x 8 bytes = 2,359,296, and 64 records x 32 bytes = 2,048; 2,361,344 bytes.
// Loads: 1 record (a mask and six shifts) + 1 set. Relies on: variable shifts (SHLX at v3), and on caches and a TLB
// that hold the sets.
#pragma once

#include "methods/magic/occupancies.hpp"
#include "methods/magic/spectral_factors.hpp"
#include "methods/method.hpp"
#include "methods/square_records.hpp"

namespace slidebench {

struct MagicSpectral {
  static constexpr MethodInfo info{.id = "magic_spectral",
                                   .title = "Spectral magic, six shifts",
                                   .family = "magic",
                                   .inventor = "D. Infuehr",
                                   .year = 2023,
                                   .reference = "https://github.com/Gigantua/Chess_Movegen",
                                   .requires_isa = Isa::none};

  static Bitboard bishop(Square s, Bitboard occupied) {
    return bishop_sets.row(std::size_t{512} * s)[sum_of_copies(bishop_record(s), occupied) >> 55];
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    return rook_sets.row(std::size_t{4096} * s)[sum_of_copies(rook_record(s), occupied) >> 52];
  }

  /// Fills the attack sets: 107,648 ray walks.
  static void init() {
    for (Square s = 0; s < 64; ++s) {
      magic::for_each_occupancy(magic::Piece::bishop, s, [s](Bitboard occupied, Bitboard attacks) {
        bishop_sets.data[512 * s + (sum_of_copies(bishop_record(s), occupied) >> 55)] = attacks;
      });
      magic::for_each_occupancy(magic::Piece::rook, s, [s](Bitboard occupied, Bitboard attacks) {
        rook_sets.data[4096 * s + (sum_of_copies(rook_record(s), occupied) >> 52)] = attacks;
      });
    }
  }

 private:
  struct Record {
    Bitboard mask;
    std::uint8_t shifts[6];  ///< the bits of the factor
  };

  static constexpr Table<SquareRecords<Record>, 64> records = [] {
    const auto record = [](Bitboard mask, std::uint64_t factor) {
      Record r{mask, {}};
      for (std::uint8_t& shift : r.shifts) shift = static_cast<std::uint8_t>(pop_lowest(factor));
      return r;
    };
    Table<SquareRecords<Record>, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {record(bishop_relevant(s), spectral_bishop_factors[s]),
                       record(rook_relevant(s), spectral_rook_factors[s])};
    }
    return table;
  }();

  static inline Table<Bitboard, 64 * 4096> rook_sets;
  static inline Table<Bitboard, 64 * 512> bishop_sets;

  static const Record& bishop_record(Square s) { return records.member(s, &SquareRecords<Record>::bishop); }
  static const Record& rook_record(Square s) { return records.member(s, &SquareRecords<Record>::rook); }

  /// The relevant occupancy times the factor.
  static std::uint64_t sum_of_copies(const Record& r, Bitboard occupied) {
    const Bitboard o = occupied & r.mask;
    return ((o << r.shifts[0]) + (o << r.shifts[1])) + ((o << r.shifts[2]) + (o << r.shifts[3])) +
           ((o << r.shifts[4]) + (o << r.shifts[5]));
  }

 public:
  static constexpr std::array tables{table_info("rook_sets", rook_sets), table_info("bishop_sets", bishop_sets),
                                     table_info("records", records)};
};

}  // namespace slidebench
