// SPDX-License-Identifier: MIT
#include "extras/magics/overlapped/pools.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace slidebench::overlap {
namespace {

constexpr std::size_t most_alike = 6;

std::uint64_t hash_of(const Candidate& candidate) {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : candidate.cells) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 29;
  }
  return hash;
}

double uniform(magic::Random& random) { return static_cast<double>(random.next() >> 11) * 0x1p-53; }

/// The candidates of the cheapest factors, without repetitions.
std::vector<SharedCandidate> rate_best(const ArrayShape& shape, const std::vector<CountedFactor>& sorted,
                                       Tools& tools) {
  constexpr std::size_t most = 100;
  std::vector<SharedCandidate> candidates;
  std::unordered_set<std::uint64_t> known;
  for (const CountedFactor& one : sorted) {
    if (one.cost > 1.1 * sorted.front().cost || candidates.size() == most) break;
    Candidate candidate = make_candidate(shape, turned_low(shape, one.factor));
    if (!known.insert(hash_of(candidate)).second) continue;
    candidate.cost = tools.rater.rate(candidate);
    candidates.push_back(std::make_shared<Candidate>(candidate));
  }
  return candidates;
}

/// factor * 2^-by for by > 0, factor * 2^by below, with random bits where none are known.
std::uint64_t shifted(std::uint64_t factor, int by, magic::Random& random) {
  if (by == 0) return factor;
  if (by > 0) return factor >> by | random.next() << (64 - by);
  return factor << -by | random.next() >> (64 + by);
}

}  // namespace

std::vector<ArrayShape> all_shapes(bool black) {
  std::vector<ArrayShape> shapes;
  for (const magic::Piece piece : {magic::Piece::bishop, magic::Piece::rook}) {
    for (Square square = 0; square < square_count; ++square) shapes.emplace_back(piece, square, black);
  }
  return shapes;
}

std::uint64_t random_factor(const ArrayShape& shape, Tools& tools) {
  std::uint64_t factor = tools.random.sparse();
  while (tools.counter.count(shape, factor) == 0) factor = tools.random.sparse();
  return factor;
}

std::vector<SharedCandidate> walk_for_candidates(const ArrayShape& shape, std::uint64_t start, std::size_t steps,
                                                 Tools& tools) {
  magic::Random& random = tools.random;
  const bool rook = shape.piece == magic::Piece::rook;
  WalkOptions options;
  options.cost.block = 0.1 + uniform(random) * uniform(random) * 1.4;
  options.cost.size_log = (rook ? 3 : 2) + static_cast<unsigned>(random.next() % 4);
  options.cost.reach = 0;
  options.temperature = 0.02 + 0.07 * uniform(random);
  options.steps = steps;
  std::vector<CountedFactor> met;
  double least = 1e9;
  const auto visit = [&](std::uint64_t factor, double cost) {
    least = std::min(least, cost);
    if (cost <= 1.1 * least) met.push_back({factor, 0, cost});
  };
  const CountedFactor best = anneal(shape, start, options, random, tools.counter, visit);
  met.push_back(best);
  std::sort(met.begin(), met.end(), [](auto& a, auto& b) { return a.cost < b.cost; });
  return rate_best(shape, met, tools);
}

void Pool::add(const SharedCandidate& candidate) {
  if (!known_.insert(hash_of(*candidate)).second) return;
  candidates_.push_back(candidate);
  least_cost_ = std::min(least_cost_, candidate->cost);
  if (candidates_.size() >= 2 * most_) trim();
}

void Pool::trim() {
  std::stable_sort(candidates_.begin(), candidates_.end(), [](auto& a, auto& b) { return a->cost < b->cost; });
  if (candidates_.size() <= most_) return;
  // Candidates with equal numbers use nearly the same cells: only a few of them are kept, for variety.
  std::map<std::pair<unsigned, long>, std::size_t> alike;
  std::vector<SharedCandidate> kept;
  for (const SharedCandidate& candidate : candidates_) {
    const std::pair kind{candidate->used, std::lround(candidate->cost / 8)};
    if (kept.size() < most_ && ++alike[kind] <= most_alike) kept.push_back(candidate);
  }
  candidates_.swap(kept);
}

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
    const auto naive = static_cast<double>(std::size_t{1} << shapes_[a].squares.size());
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
