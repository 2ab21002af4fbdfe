// SPDX-License-Identifier: MIT
//
// Packs one candidate for each of the 128 arrays into as few slots as possible.
//
// Ruin and recreate: take a few arrays that lie close to each other out of the table, and put them back in another
// order, with other candidates. Simulated annealing decides whether the change stays. Its energy is the sum over all
// used slots of a power of their position: unlike the height of the table, it changes with every array that moves down.
#pragma once

#include <vector>

#include "extras/magics/overlapped/pools.hpp"
#include "extras/magics/overlapped/slot_map.hpp"

namespace slidebench::overlap {

struct Place {
  SharedCandidate candidate;
  std::uint32_t first = 0;

  std::size_t end() const { return first + candidate->highest + std::size_t{1}; }
};

using Layout = std::vector<Place>;  ///< one place an array

std::size_t slots_of(const Layout& layout);

struct PackOptions {
  std::size_t steps;   ///< ruins
  double temperature;  ///< at the start, in slots by which 1,000 used cells move; it falls to 0
  std::size_t tries;   ///< candidates tried for an array
};

class Packer {
 public:
  /// Precondition: `shapes` and `pools` outlive the packer; there is at least one candidate for each array.
  Packer(const std::vector<ArrayShape>& shapes, const Pools& pools, std::uint64_t seed)
      : shapes_(shapes), pools_(pools), random_(seed) {}

  /// Begins with a layout, whose candidates need not be in the pools.
  void start_from(const Layout& layout);
  /// Begins with every array at the best place, the largest first.
  void start_from_nothing();
  /// Returns true if best() has improved.
  bool improve(const PackOptions& options);
  /// Anneals the factor of one array for the holes that the others leave. Returns its candidate if it is a new one.
  SharedCandidate refit(std::size_t array, std::size_t steps);

  const Layout& best() const { return best_; }
  std::size_t best_slots() const { return best_slots_; }

 private:
  double chance() { return static_cast<double>(random_.next() >> 11) * 0x1p-53; }
  std::size_t below(std::size_t n) { return random_.next() % n; }

  std::vector<std::size_t> choose_ruin();
  void insert(std::size_t array, std::size_t tries);
  std::optional<std::uint32_t> find_place(const Candidate& candidate, double most_energy) const;
  void remove(std::size_t array);
  void put(std::size_t array, const Place& place);
  bool keep_best();

  const std::vector<ArrayShape>& shapes_;
  const Pools& pools_;
  CellCounter counter_;
  Rater rater_;
  magic::Random random_;
  SlotMap map_;
  Layout layout_;
  Layout best_;
  std::size_t best_slots_ = ~std::size_t{0};
};

}  // namespace slidebench::overlap
