// SPDX-License-Identifier: MIT
//
// Genetic rays: a ray up to its first blocker in three instructions, none of which needs the slider.
//
// Let o be the occupied squares of a ray that leads up, to higher squares. o - 1 has ones below the first blocker, and
// a shift by one moves them onto it. The squares of o behind the blocker move too, but not to squares of the ray: no
// two squares of a file or diagonal are neighbours as numbers. So, for an empty o too:
//
//      attacks = ((o - 1) << 1) & ray = (2 o - 2) & ray         the shift and the subtraction are one LEA
//
// A ray that leads down is one that leads up on the board upside down. The masks for it are stored that way, so that
// the occupancy is turned once for all lines of a piece, and the answer turned back once:
//
//      bishop = up(northeast) | up(northwest) | turned(up'(southeast turned) | up'(southwest turned))
//
// A rank lies within one byte, which turning the board does not reverse; it takes the first-rank table.
//
// Inventor: Daniel Infuehr (Chess_Movegen, 2022), who let a program enumerate expressions; his form reverses all 64
// bits, in five steps where there is no instruction for it, and so has ranks too.
// Source: https://github.com/Gigantua/Chess_Movegen (Genetic8Ray).
// Tables: 64 x 6 rays, padded to 64 bytes, = 4,096, and first rank 512; 4,608 bytes. Loads: bishop 4, rook 3, of one
// line and the first-rank table. Relies on: a fast byte swap, and LEA.
#pragma once

#include "methods/calculation/first_rank.hpp"
#include "methods/method.hpp"

namespace slidebench {

struct GeneticRays {
  static constexpr MethodInfo info{.id = "genetic_rays",
                                   .title = "Genetic rays, 2 (o - 1)",
                                   .family = "calculation",
                                   .inventor = "D. Infuehr",
                                   .year = 2022,
                                   .reference = "https://github.com/Gigantua/Chess_Movegen",
                                   .requires_isa = Isa::none};

  static constexpr Bitboard bishop(Square s, Bitboard occupied) {
    const Rays& r = rays[s];
    const Bitboard turned = flip_ranks(occupied);
    return up_to_blocker(occupied, r.northeast) | up_to_blocker(occupied, r.northwest) |
           flip_ranks(up_to_blocker(turned, r.turned_southeast) | up_to_blocker(turned, r.turned_southwest));
  }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    const Bitboard north = up_to_blocker(occupied, rays.member(s, &Rays::north));
    const Bitboard south = up_to_blocker(flip_ranks(occupied), rays.member(s, &Rays::turned_south));
    return north | flip_ranks(south) | rank_attacks(s, occupied);
  }

 private:
  struct alignas(64) Rays {
    Bitboard northeast;
    Bitboard northwest;
    Bitboard turned_southeast;
    Bitboard turned_southwest;
    Bitboard north;
    Bitboard turned_south;
  };

  static constexpr Table<Rays, 64> rays = [] {
    Table<Rays, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {ray(Direction::northeast, s),
                       ray(Direction::northwest, s),
                       flip_ranks(ray(Direction::southeast, s)),
                       flip_ranks(ray(Direction::southwest, s)),
                       ray(Direction::north, s),
                       flip_ranks(ray(Direction::south, s))};
    }
    return table;
  }();

  /// The squares of a ray that leads up, to its first blocker. Precondition: no two of them are neighbours as numbers.
  static constexpr Bitboard up_to_blocker(Bitboard occupied, Bitboard squares) {
    return (2 * (occupied & squares) - 2) & squares;
  }

 public:
  static constexpr std::array tables{table_info("rays", rays), table_info("first_rank", first_rank_by_inner)};
};

}  // namespace slidebench
