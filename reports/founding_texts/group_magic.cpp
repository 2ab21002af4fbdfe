// SPDX-License-Identifier: MIT
#include "reports/founding_texts/group_magic.hpp"

#include <algorithm>
#include <vector>

namespace slidebench::group_magic {
namespace {

const std::array<Direction, 4>& directions(magic::Piece piece) {
  return piece == magic::Piece::bishop ? diagonal_directions : orthogonal_directions;
}

unsigned count(Bitboard set) { return static_cast<unsigned>(std::popcount(set)); }

/// Calls use(hidden) for every attack set: each ray has no blocker (nothing hidden), or one that hides 0, 1, ..., n - 1
/// of its n squares.
template <class Use>
void for_each_set(const RayCounts& relevant, Use use) {
  RayCounts state{};  // 0: no blocker; h + 1: h squares hidden
  for (;;) {
    RayCounts hidden;
    for (unsigned i = 0; i < 4; ++i) hidden[i] = state[i] == 0 ? 0 : state[i] - 1;
    use(hidden);
    unsigned ray = 0;
    while (ray < 4 && state[ray] == relevant[ray]) state[ray++] = 0;
    if (ray == 4) return;
    ++state[ray];
  }
}

/// The least of `bound(ray)` over the four rays that the small steps may stand on.
template <class BoundOfRay>
std::uint64_t least_over_rays(BoundOfRay bound) {
  return std::min({bound(0u), bound(1u), bound(2u), bound(3u)});
}

}  // namespace

RayCounts relevant_counts(magic::Piece piece, Square s) {
  RayCounts counts;
  for (unsigned i = 0; i < 4; ++i) counts[i] = count(relevant_ray(directions(piece)[i], s));
  return counts;
}

RayCounts hidden_counts(magic::Piece piece, Square s, Bitboard occupied) {
  const Bitboard unseen = magic::relevant(piece, s) & ~magic::attacks(piece, s, occupied);
  RayCounts counts;
  for (unsigned i = 0; i < 4; ++i) counts[i] = count(relevant_ray(directions(piece)[i], s) & unseen);
  return counts;
}

std::uint64_t SlotBound::all_sets(const RayCounts& relevant) {
  std::uint64_t& known = known_[((relevant[0] * 7 + relevant[1]) * 7 + relevant[2]) * 7 + relevant[3]];
  if (known == 0) {
    std::uint64_t slots = 0;
    for_each_set(relevant, [&](const RayCounts& hidden) { slots += one_set(hidden); });
    known = slots;
  }
  return known;
}

std::uint64_t SlotBound::one_set(const RayCounts& hidden) {
  if (hidden == RayCounts{}) return 1;
  const std::uint64_t half = (all_sets(hidden) + 1) / 2;
  return std::max<std::uint64_t>(half, has_large_step(hidden) ? 2 : 1);
}

/// True if some hidden square is sure to move the point by a cell or more. The plain halving bound is sure of none.
bool SlotBound::has_large_step(const RayCounts& hidden) const {
  if (ray_of_small_steps_ == all_rays) return false;
  for (unsigned i = 0; i < 4; ++i) {
    if (i != ray_of_small_steps_ && hidden[i] > 0) return true;
  }
  return false;
}

std::uint64_t halving_bound(const RayCounts& relevant) { return SlotBound::halving().all_sets(relevant); }

std::uint64_t sharpened_bound(const RayCounts& relevant) {
  return least_over_rays([&](unsigned ray) { return SlotBound::sharpened(ray).all_sets(relevant); });
}

std::uint64_t single_ray_bound(const RayCounts& relevant) {
  return least_over_rays([&](unsigned ray) {
    std::uint64_t slots = 0;
    for_each_set(relevant, [&](const RayCounts& hidden) {
      unsigned most = 1;
      for (unsigned i = 0; i < 4; ++i) {
        if (i != ray && hidden[i] > 0) most = std::max({most, 2u, (hidden[i] + 2) / 2});
      }
      slots += most;
    });
    return slots;
  });
}

std::uint64_t slots_used(magic::Piece piece, Square s, std::uint64_t factor, unsigned bits) {
  std::vector<bool> used(std::size_t{1} << bits);
  magic::for_each_occupancy(piece, s,
                            [&](Bitboard occupied, Bitboard) { used[(occupied * factor) >> (64 - bits)] = true; });
  return static_cast<std::uint64_t>(std::count(used.begin(), used.end(), true));
}

}  // namespace slidebench::group_magic
