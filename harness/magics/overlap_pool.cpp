// SPDX-License-Identifier: MIT
#include "harness/magics/overlap_pool.hpp"

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
  // Equal numbers mean nearly the same cells, and one pattern is not enough to find company for.
  std::map<std::pair<unsigned, long>, std::size_t> alike;
  std::vector<SharedCandidate> kept;
  for (const SharedCandidate& candidate : candidates_) {
    const std::pair kind{candidate->used, std::lround(candidate->cost / 8)};
    if (kept.size() < most_ && ++alike[kind] <= most_alike) kept.push_back(candidate);
  }
  candidates_.swap(kept);
}

}  // namespace slidebench::overlap
