// SPDX-License-Identifier: MIT
#include "harness/magics/overlap_walk.hpp"

#include <cmath>

namespace slidebench::overlap {

std::uint64_t neighbour(std::uint64_t factor, const ArrayShape& shape, magic::Random& random) {
  const unsigned bits = 64 - shape.images.back();  // higher ones move no image
  const std::uint64_t r = random.next();
  const std::uint64_t a = bit(static_cast<unsigned>((r & 0xFFFF) * bits >> 16));
  const std::uint64_t b = bit(static_cast<unsigned>((r >> 16 & 0xFFFF) * bits >> 16));
  const std::uint64_t c = bit(static_cast<unsigned>((r >> 32 & 0xFFFF) * bits >> 16));
  switch (r >> 61) {
    case 0: return factor ^ a;
    case 1: return factor + a;
    case 2: return factor - a;
    case 3: return (factor ^ a) + b;
    case 4: return factor + a - b;
    case 5: return factor ^ a ^ b ^ c;
    default: return factor ^ a ^ b;
  }
}

namespace {

double cost_of(const CostWeights& weights, unsigned used, CellCounter& counter) {
  if (weights.block == 0) return used;
  return used + weights.block * static_cast<double>(counter.blocks(used, weights.size_log) << weights.size_log);
}

}  // namespace

CountedFactor anneal(const ArrayShape& shape, std::uint64_t factor, const WalkOptions& options, magic::Random& random,
                     CellCounter& counter, const Visit& visit) {
  unsigned used = counter.count(shape, factor);
  double cost = cost_of(options.cost, used, counter);
  CountedFactor best{factor, used, cost};
  const double heat = options.temperature * cost;
  for (std::size_t step = 0; step < options.steps; ++step) {
    const double temperature = heat * (1 - static_cast<double>(step) / static_cast<double>(options.steps));
    const double luck = static_cast<double>((random.next() >> 11) + 1) * 0x1p-53;
    const double most = cost - temperature * std::log(luck);
    const std::uint64_t next = neighbour(factor, shape, random);
    // All cells lie in blocks, so a cost of `most` allows at most this many.
    const auto limit = static_cast<unsigned>(most / (1 + options.cost.block));
    const unsigned next_used = counter.count(shape, next, limit);
    if (next_used == 0) continue;
    const double next_cost = cost_of(options.cost, next_used, counter);
    if (next_cost > most) continue;
    factor = next;
    cost = next_cost;
    visit(factor, cost);
    if (cost < best.cost) best = {factor, next_used, cost};
  }
  return best;
}

}  // namespace slidebench::overlap
