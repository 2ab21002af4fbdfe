// SPDX-License-Identifier: MIT
//
// What the SVE2 fills have in common: as many directions at once as a vector has 64-bit lanes, whatever its length.
//
// SVE's vectors have 128 to 2048 bits, and a program learns how many when it runs. The eight directions are laid out in
// lanes 0 to 7, and a loop takes the lanes in steps of what the machine has: 4 times 2 lanes, 2 times 4, or all 8. Code
// compiled for 256 bits would be wrong on any other machine, and the cores with SVE2 that are sold have 128 (Neoverse
// N2 and V2, Cortex-A510 to X4), where this does what the NEON fills do, at the price of the loop.
//
//      lane      0           1           2           3           4       5       6       7
//                northeast   southwest   northwest   southeast   north   south   east    west
//      shift     << 9        << 9        << 7        << 7        << 8    << 8    << 1    << 1
//      board     as it is    turned      as it is    turned      and so on
//
// SVE shifts each lane by a count of its own, but all the same way (NEON's signed counts were not taken over). So the
// odd lanes hold the board turned by 180 degrees, in which every direction is its opposite, and all are left shifts. A
// bishop takes lanes 0 to 3, a rook 4 to 7, a set of sliders all of them. A lane that has no direction gets a guard
// that nothing passes.
#pragma once

#ifndef __ARM_FEATURE_SVE2
#error "the scalable fills need SVE2: compile for armv8.2-a+sve2"
#endif

#include <arm_sve.h>

#include "methods/calculation/bit_reversal.hpp"
#include "methods/method.hpp"

namespace slidebench {

/// a | (b & c), for an a that is no later than b: BSL takes a | b where c has ones, else a. The OR does not wait for c.
inline svuint64_t or_and(svuint64_t a, svuint64_t b, svuint64_t c) {
  return svbsl_u64(svorr_u64_x(svptrue_b64(), a, b), a, c);
}

/// Each lane shifted left by its count.
inline svuint64_t shift_lanes(svuint64_t boards, svuint64_t counts) {
  return svlsl_u64_x(svptrue_b64(), boards, counts);
}

/// The queries of a method that fills all lanes of a vector, given Method::fill(sliders, empty squares, counts,
/// guards).
template <class Method>
struct ScalableFill {
  static Bitboard bishop(Square s, Bitboard occupied) { return single<0, orthogonal_lane>(s, occupied); }
  static Bitboard rook(Square s, Bitboard occupied) { return single<orthogonal_lane, 8>(s, occupied); }
  static Bitboard queen(Square s, Bitboard occupied) { return single<0, 8>(s, occupied); }

  static Bitboard set_attacks(Bitboard diagonal_sliders, Bitboard orthogonal_sliders, Bitboard occupied) {
    return attacks<0, 8>(occupied, [=](std::uint64_t lane) {
      return svsel_u64(svwhilelt_b64_u64(lane, orthogonal_lane), with_half_turns(diagonal_sliders),
                       with_half_turns(orthogonal_sliders));
    });
  }

 private:
  static constexpr std::uint64_t orthogonal_lane = 4;
  static constexpr std::uint64_t counts[8] = {9, 9, 7, 7, 8, 8, 1, 1};
  static constexpr Bitboard guards[8] = {~a_file,      ~a_file,      ~h_file, ~h_file,
                                         ~Bitboard{0}, ~Bitboard{0}, ~a_file, ~a_file};

  /// The board in the even lanes, turned by 180 degrees in the odd ones.
  static svuint64_t with_half_turns(Bitboard board) { return svdupq_n_u64(board, reverse_bits(board)); }

  template <std::uint64_t first, std::uint64_t end>
  static Bitboard single(Square s, Bitboard occupied) {
    const svuint64_t slider = with_half_turns(bit(s));
    return attacks<first, end>(occupied, [&slider](std::uint64_t) { return slider; });
  }

  /// The attacks in the directions of the lanes from `first` up to `end`; sliders_from(lane) are the sliders of a
  /// vector that begins with that lane.
  template <std::uint64_t first, std::uint64_t end, class Sliders>
  static Bitboard attacks(Bitboard occupied, Sliders sliders_from) {
    const svuint64_t empty = with_half_turns(~occupied);
    svuint64_t united = svdup_n_u64(0);
    for (std::uint64_t lane = first; lane < end; lane += svcntd()) {
      const svbool_t active = svwhilelt_b64_u64(lane, end);
      const svuint64_t reached =
          Method::fill(sliders_from(lane), empty, svld1_u64(active, counts + lane), svld1_u64(active, guards + lane));
      united = svorr_u64_x(svptrue_b64(), united, reached);
    }
    const svbool_t turned = svdupq_n_b64(false, true);
    return svorv_u64(svptrue_b64(), svrbit_u64_m(united, turned, united));
  }
};

}  // namespace slidebench
