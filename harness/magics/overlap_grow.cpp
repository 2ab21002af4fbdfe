// SPDX-License-Identifier: MIT
#include "harness/magics/overlap_grow.hpp"

#include <algorithm>

namespace slidebench::overlap {
namespace {

/// factor * 2^-by for by > 0, factor * 2^by below, with random bits where none are known.
std::uint64_t shifted(std::uint64_t factor, int by, magic::Random& random) {
  if (by == 0) return factor;
  if (by > 0) return factor >> by | random.next() << (64 - by);
  return factor << -by | random.next() >> (64 + by);
}

}  // namespace

SharedPools::SharedPools(bool black, std::size_t most_candidates)
    : shapes_(all_shapes(black)), pools_(array_count, Pool(most_candidates)), walks_(array_count) {}

void SharedPools::add(std::size_t array, std::uint64_t factor, Rater& rater) {
  Candidate candidate = make_candidate(shapes_[array], turned_low(shapes_[array], factor));
  candidate.cost = rater.rate(candidate);
  const std::lock_guard lock(mutex_);
  pools_[array].add(std::make_shared<Candidate>(candidate));
}

Pools SharedPools::snapshot() {
  const std::lock_guard lock(mutex_);
  Pools pools;
  for (Pool& pool : pools_) {
    pool.trim();
    pools.push_back(pool.candidates());
  }
  return pools;
}

/// Of a few arrays, the one that has used most walks or lags behind least is not chosen.
std::size_t SharedPools::choose_array(magic::Random& random) {
  const std::lock_guard lock(mutex_);
  for (std::size_t a = 0; a < array_count; ++a) {
    if (walks_[a] == 0) return ++walks_[a], a;
  }
  const bool bishop = random.next() % 16 == 0;
  std::size_t chosen = 0;
  double urgency = -1;
  for (int i = 0; i < 4; ++i) {
    const std::size_t a = (bishop ? 0 : 64) + random.next() % 64;
    const auto naive = static_cast<double>(std::size_t{1} << shapes_[a].images.size());
    const double own = pools_[a].least_cost() / naive / (4 + walks_[a]);
    if (own > urgency) {
      urgency = own;
      chosen = a;
    }
  }
  ++walks_[chosen];
  return chosen;
}

std::uint64_t SharedPools::random_known(std::size_t array, magic::Random& random) {
  const std::lock_guard lock(mutex_);
  const auto& candidates = pools_[array].candidates();
  if (candidates.empty()) return 0;
  return candidates[random.next() % candidates.size()]->factor;
}

std::uint64_t SharedPools::choose_start(std::size_t array, Tools& tools) {
  const ArrayShape& shape = shapes_[array];
  magic::Random& random = tools.random;
  const std::uint64_t way = random.next() % 8;
  if (way < 2) {
    if (const std::uint64_t known = random_known(array, random); known != 0) return known;
  }
  if (way < 6) {
    for (int i = 0; i < 200; ++i) {
      const std::size_t other = array / 64 * 64 + random.next() % 64;
      const int by = static_cast<int>(array) - static_cast<int>(other);
      const std::uint64_t factor = shifted(random_known(other, random), by, random);
      if (tools.counter.count(shape, factor) != 0) return factor;
    }
  }
  if (way == 6 && shape.piece == magic::Piece::rook) {
    const auto found = beam_search(shape, {300, {0.5, 4, 0}, 0.3}, random, tools.counter);
    if (!found.empty()) return found.front().factor;
  }
  return random_factor(shape, tools);
}

void SharedPools::grow(std::size_t steps, Tools& tools) {
  const std::size_t array = choose_array(tools.random);
  const std::uint64_t start = choose_start(array, tools);
  const std::size_t own_steps = array < 64 ? steps / 8 + 1 : steps;
  const auto found = walk_for_candidates(shapes_[array], start, own_steps, tools);
  const std::lock_guard lock(mutex_);
  for (const SharedCandidate& candidate : found) pools_[array].add(candidate);
}

}  // namespace slidebench::overlap
