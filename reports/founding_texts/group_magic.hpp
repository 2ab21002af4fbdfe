// SPDX-License-Identifier: MIT
//
// How small can a magic table be? Lower bounds on the slots that one square occupies, whatever its factor.
//
// The question is the "wishing dream" of the Chessprogramming wiki: one table without offsets for all rooks (13 index
// bits) or all bishops (11). The proof, in words, is in methods/group_magics.md; here are its numbers. It only uses
// that a magic index is the cell of a point on a circle, and that a blocker moves the point by an amount of its own:
//
//      point(occupied) = constant + x(t1) + x(t2) + ...   modulo 2^64,   x(t) = factor * 2^t
//      index           = the cell that the point lies in; the circle is cut into 2^k cells
//
// An attack set is told by the first blocker on each ray. What matters of it is how many relevant squares lie behind
// these blockers: ray by ray, "hidden". Putting the blockers of an attack set on the board moves all its occupancies
// alike, and d different cells moved alike remain at least d / 2 cells: so one attack set needs at least half the slots
// that its hidden squares would need if they were seen.
#pragma once

#include <array>
#include <cstdint>

#include "methods/magic/occupancies.hpp"

namespace slidebench::group_magic {

/// A number of relevant squares, 0 to 6, for each of the slider's four rays.
using RayCounts = std::array<unsigned, 4>;

/// How many relevant squares the rays of a slider on s have, in the order of the piece's directions.
RayCounts relevant_counts(magic::Piece piece, Square s);

/// How many of them lie behind the first blocker of their ray.
RayCounts hidden_counts(magic::Piece piece, Square s, Bitboard occupied);

/// The lower bounds, from the halving argument alone (`halving`), or sharpened by two more observations (`sharpened`):
/// toggling a square that moves the point by a cell's width or more always changes the slot, and squares that move it
/// by less stand on one ray only. That ray may be any; the sharpened bound of a square is the least over all choices.
class SlotBound {
 public:
  static SlotBound halving() { return SlotBound(all_rays); }
  static SlotBound sharpened(unsigned ray_of_small_steps) { return SlotBound(ray_of_small_steps); }

  /// Slots that all attack sets together need on rays with so many relevant squares.
  std::uint64_t all_sets(const RayCounts& relevant);

  /// Slots that one attack set needs, given the relevant squares behind its blockers.
  std::uint64_t one_set(const RayCounts& hidden);

 private:
  static constexpr unsigned all_rays = 4;
  explicit SlotBound(unsigned ray_of_small_steps) : ray_of_small_steps_(ray_of_small_steps) {}

  bool has_large_step(const RayCounts& hidden) const;

  unsigned ray_of_small_steps_;
  std::array<std::uint64_t, 7 * 7 * 7 * 7> known_{};  ///< results of all_sets; 0: not yet computed
};

/// Slots that a slider needs at least, for any factor and any number of index bits.
std::uint64_t halving_bound(const RayCounts& relevant);
std::uint64_t sharpened_bound(const RayCounts& relevant);

/// A weaker bound that was known before: an attack set with q hidden squares on a ray without small steps needs at
/// least max(2, (q + 1) / 2) slots. It sees one ray of each attack set, and does not recur.
std::uint64_t single_ray_bound(const RayCounts& relevant);

/// Slots that a factor really uses.
std::uint64_t slots_used(magic::Piece piece, Square s, std::uint64_t factor, unsigned bits);

}  // namespace slidebench::group_magic
