// SPDX-License-Identifier: MIT
//
// Product hash: number the attacks along each of the two lines, and the pair of numbers is a minimal perfect hash of
// the attack set.
//
// Along a rank a slider sees at most one blocker to each side, so that few attacks are different: as many as (squares
// to the left, but at least 1) times (squares to the right, but at least 1).
//
//      slider on file       a    b    c    d    e    f    g    h
//      different attacks    7    6   10   12   12   10    6    7      together 70
//
// One number, 0 to 69, therefore names the slider's file and its attacks along the rank. A file is the same thing
// turned by 90 degrees: another number, 0 to 69, names the slider's rank and its attacks along the file. The two
// together name the square and the whole set; every pair exists and no two are alike:
//
//      sets[70 * rank number + file number]         70 x 70 = 4,900, exactly the rook sets that there are
//
// Two small tables give the numbers (those of the ranks 70 times as large), so a rook needs neither record nor factor,
// and no slot is empty or double. No multiply-and-shift hash can be as dense (../README.md, "the wishing dream").
//
// How long a diagonal is depends on the whole square, so bishops have a product for each square: the numbers of the
// diagonal count in steps of the antidiagonal's, from where the square's sets begin. Their sum over the board is 1,428.
// A row of numbers is indexed by kindergarten multiplication (kindergarten.hpp). It uses only the indices that the
// line's inner squares can form, often every second or eighth, so the rows are laid into each other's gaps.
//
// Source: this project. Crafty's compact attacks (1990s) numbered the attacks of single lines, to look a line up.
// Tables: rooks: sets 39,200 + numbers 1,024 + 512; bishops: sets 11,424 + numbers 1,794 + 848 + records 2,048; 56,850
// bytes. Loads: rook 2 numbers + 1 set, bishop 1 record (4 words) + 2 numbers + 1 set. Relies on: a fast 64-bit
// multiplication, and on short chains of loads.
#pragma once

#include <array>

#include "methods/calculation/first_rank.hpp"
#include "methods/method.hpp"

namespace slidebench {

namespace product {

constexpr Bitboard b_file = a_file << 1;

/// The occupancy of the files b to g of a line with one square a file.
constexpr Bitboard inner(Bitboard on_line) { return (on_line * b_file) >> 58; }

/// The 70 attacks of a slider anywhere on one rank, and their numbers.
struct RankAttacks {
  std::uint8_t number[8][64] = {};  ///< of file and inner occupancy
  std::uint8_t attacks[70] = {};
  std::uint8_t file[70] = {};
};

/// The different attacks of one square along one of its diagonals, at most 12, numbered as they are found.
struct LineAttacks {
  Bitboard attacks[12] = {};
  unsigned count = 0;

  constexpr unsigned number(Bitboard wanted) {
    unsigned n = 0;
    while (n < count && attacks[n] != wanted) ++n;
    if (n == count) attacks[count++] = wanted;
    return n;
  }
};

template <Direction up, Direction down>
struct Line {
  static constexpr Bitboard mask(Square s) { return relevant_ray(up, s) | relevant_ray(down, s); }
  static constexpr Bitboard attacks(Square s, Bitboard occupied) {
    return reference::walk<up>(s, occupied) | reference::walk<down>(s, occupied);
  }

  /// Calls visit(inner occupancy, number of the attacks) for every occupancy of the line; returns the attacks.
  template <class Visit>
  static constexpr LineAttacks for_each(Square s, Visit visit) {
    LineAttacks found;
    Bitboard occupied = 0;
    do {
      visit(inner(occupied), found.number(attacks(s, occupied)));
      occupied = next_subset(occupied, mask(s));
    } while (occupied != 0);
    return found;
  }
  static constexpr LineAttacks different(Square s) {
    return for_each(s, [](Bitboard, unsigned) {});
  }
};
using Diagonal = Line<Direction::northeast, Direction::southwest>;
using Antidiagonal = Line<Direction::northwest, Direction::southeast>;

/// Where each square's row of numbers begins, one row in the gaps of others, and how long the table gets.
struct Packing {
  std::uint16_t start[64] = {};
  std::size_t length = 0;
};

/// First fit, the longest rows first. A row uses the indices that its inner occupancies can have, and no others.
template <class L>
constexpr Packing pack() {
  Packing packing;
  std::array<bool, 2048> taken{};
  for (int squares = 6; squares >= 0; --squares) {
    std::size_t start = 0;
    for (Square s = 0; s < 64; ++s) {
      const Bitboard mask = inner(L::mask(s));
      if (std::popcount(mask) != squares) continue;
      const auto fits = [&] {
        Bitboard i = 0;
        do {
          if (taken[start + i]) return false;
        } while ((i = next_subset(i, mask)) != 0);
        return true;
      };
      for (start = 0; !fits();) ++start;
      Bitboard i = 0;
      do taken[start + i] = true;
      while ((i = next_subset(i, mask)) != 0);
      packing.start[s] = static_cast<std::uint16_t>(start);
      if (packing.length <= start + mask) packing.length = start + mask + 1;
    }
  }
  return packing;
}
}  // namespace product

struct ProductHash {
  static constexpr MethodInfo info{.id = "product_hash",
                                   .title = "Product hash (70 x 70)",
                                   .family = "lookup",
                                   .inventor = "slidebench",
                                   .year = 2026,
                                   .reference = "methods/lookup/product_hash.hpp",
                                   .requires_isa = Isa::none};

  static constexpr Bitboard bishop(Square s, Bitboard occupied) {
    const Diagonals& l = diagonals[s];
    const unsigned diagonal = diagonal_numbers.from(l.diagonal_row)[product::inner(occupied & l.diagonal)];
    const unsigned antidiagonal =
        antidiagonal_numbers.from(l.antidiagonal_row)[product::inner(occupied & l.antidiagonal)];
    return bishop_sets[diagonal + antidiagonal];
  }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    const unsigned file = file_of(s);
    const Bitboard twice_on_rank = (occupied >> (s & 56)) & 126;
    const Bitboard on_file = (((occupied >> file) & a_file) * a_file_to_eighth_rank) >> 58;
    return rook_sets.row(rank_numbers[4 * twice_on_rank + file])[file_numbers[64 * rank_of(s) + on_file]];
  }

 private:
  static constexpr Bitboard a_file_to_eighth_rank = 0x0004081020408000;

  // Rooks.

  static constexpr product::RankAttacks rank_attack_numbers = [] {
    product::RankAttacks ranks;
    unsigned next = 0;
    for (unsigned file = 0; file < 8; ++file) {
      const unsigned first = next;
      for (unsigned i = 0; i < 64; ++i) {
        const std::uint8_t attacks = first_rank_attacks.data[64 * file + i];
        unsigned n = first;
        while (n < next && ranks.attacks[n] != attacks) ++n;
        if (n == next) ++next;
        ranks.number[file][i] = static_cast<std::uint8_t>(n);
        ranks.attacks[n] = attacks;
        ranks.file[n] = static_cast<std::uint8_t>(file);
      }
    }
    return ranks;
  }();

  /// Element 8 * occupancy of files b to g + file: 70 times the number.
  static constexpr Table<std::uint16_t, 64 * 8> rank_numbers = [] {
    Table<std::uint16_t, 64 * 8> table;
    for (unsigned i = 0; i < 64 * 8; ++i) {
      table.data[i] = static_cast<std::uint16_t>(70 * rank_attack_numbers.number[i % 8][i / 8]);
    }
    return table;
  }();

  /// Element 64 * rank + occupancy of ranks 2 to 7.
  static constexpr Table<std::uint8_t, 8 * 64> file_numbers = [] {
    Table<std::uint8_t, 8 * 64> table;
    for (unsigned i = 0; i < 8 * 64; ++i) table.data[i] = rank_attack_numbers.number[i / 64][i % 64];
    return table;
  }();

  static constexpr Table<Bitboard, 70 * 70> rook_sets = [] {
    Table<Bitboard, 70 * 70> table;
    for (unsigned along_file = 0; along_file < 70; ++along_file) {
      const unsigned rank = rank_attack_numbers.file[along_file];
      Bitboard on_a_file = 0;
      for (unsigned r = 0; r < 8; ++r) {
        on_a_file |= Bitboard{rank_attack_numbers.attacks[along_file] >> r & 1u} << (8 * r);
      }
      for (unsigned along_rank = 0; along_rank < 70; ++along_rank) {
        table.data[70 * along_rank + along_file] = (Bitboard{rank_attack_numbers.attacks[along_rank]} << (8 * rank)) |
                                                   (on_a_file << rank_attack_numbers.file[along_rank]);
      }
    }
    return table;
  }();

  // Bishops.

  static constexpr product::Packing diagonal_rows = product::pack<product::Diagonal>();
  static constexpr product::Packing antidiagonal_rows = product::pack<product::Antidiagonal>();

  /// Where each square's sets begin in bishop_sets.
  static constexpr std::array<std::uint16_t, 65> first_set = [] {
    std::array<std::uint16_t, 65> first{};
    for (Square s = 0; s < 64; ++s) {
      const unsigned sets = product::Diagonal::different(s).count * product::Antidiagonal::different(s).count;
      first[s + 1] = static_cast<std::uint16_t>(first[s] + sets);
    }
    return first;
  }();

  /// Element diagonal_row + inner occupancy: where the square's sets begin, and the number times the antidiagonal's.
  static constexpr Table<std::uint16_t, diagonal_rows.length> diagonal_numbers = [] {
    Table<std::uint16_t, diagonal_rows.length> table;
    for (Square s = 0; s < 64; ++s) {
      const unsigned antidiagonals = product::Antidiagonal::different(s).count;
      product::Diagonal::for_each(s, [&](Bitboard inner, unsigned number) {
        table.data[diagonal_rows.start[s] + inner] = static_cast<std::uint16_t>(first_set[s] + number * antidiagonals);
      });
    }
    return table;
  }();

  static constexpr Table<std::uint8_t, antidiagonal_rows.length> antidiagonal_numbers = [] {
    Table<std::uint8_t, antidiagonal_rows.length> table;
    for (Square s = 0; s < 64; ++s) {
      product::Antidiagonal::for_each(s, [&](Bitboard inner, unsigned number) {
        table.data[antidiagonal_rows.start[s] + inner] = static_cast<std::uint8_t>(number);
      });
    }
    return table;
  }();

  static constexpr Table<Bitboard, first_set[64]> bishop_sets = [] {
    Table<Bitboard, first_set[64]> table;
    std::size_t next = 0;
    for (Square s = 0; s < 64; ++s) {
      const auto d = product::Diagonal::different(s);
      const auto a = product::Antidiagonal::different(s);
      for (unsigned i = 0; i < d.count; ++i) {
        for (unsigned j = 0; j < a.count; ++j) table.data[next++] = d.attacks[i] | a.attacks[j];
      }
    }
    return table;
  }();

  struct Diagonals {
    Bitboard diagonal;
    Bitboard antidiagonal;
    const std::uint16_t* diagonal_row;
    const std::uint8_t* antidiagonal_row;
  };

  static constexpr Table<Diagonals, 64> diagonals = [] {
    Table<Diagonals, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {product::Diagonal::mask(s), product::Antidiagonal::mask(s),
                       diagonal_numbers.data + diagonal_rows.start[s],
                       antidiagonal_numbers.data + antidiagonal_rows.start[s]};
    }
    return table;
  }();

 public:
  static constexpr std::array tables{table_info("rook_sets", rook_sets),
                                     table_info("rank_numbers", rank_numbers),
                                     table_info("file_numbers", file_numbers),
                                     table_info("bishop_sets", bishop_sets),
                                     table_info("diagonal_numbers", diagonal_numbers),
                                     table_info("antidiagonal_numbers", antidiagonal_numbers),
                                     table_info("diagonals", diagonals)};
};

}  // namespace slidebench
