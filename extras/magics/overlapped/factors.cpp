// SPDX-License-Identifier: MIT
#include "extras/magics/overlapped/factors.hpp"

#include <algorithm>
#include <cmath>

namespace slidebench::overlap {
namespace {

struct Partial {
  std::uint64_t factor;
  unsigned used;
  float reach;
  float cost;
};

bool cheaper(const Partial& a, const Partial& b) { return a.cost < b.cost; }

class Beam {
 public:
  Beam(const ArrayShape& shape, const BeamOptions& options, magic::Random& random, CellCounter& counter)
      : shape_(shape), options_(options), random_(random), counter_(counter) {}

  std::vector<CountedFactor> run() {
    partials_ = {{0, 1, 0, 0}};
    for (std::size_t level = 0; level < shape_.squares.size() && !partials_.empty(); ++level) extend(level);
    std::sort(partials_.begin(), partials_.end(), cheaper);
    std::vector<CountedFactor> found;
    for (const Partial& p : partials_) found.push_back({p.factor, p.used, p.cost});
    return found;
  }

 private:
  static constexpr std::size_t most_children = 1'000'000;

  /// Bits of the factor that decide the first `level` images; in the end also the origin's place within its cell.
  unsigned known_bits(std::size_t level) const {
    if (level == 0) return 0;
    const unsigned known = 64 - shape_.squares[level - 1];
    return shape_.black && level == shape_.squares.size() ? std::max(known, shape_.shift) : known;
  }

  /// Whole cells of the origin only turn the circle, and unknown bits count as 0.
  std::uint64_t origin(std::uint64_t factor, unsigned known) const {
    return shape_.origin(factor) & (bit(std::min(known, shape_.shift)) - 1);
  }

  void extend(std::size_t level) {
    const unsigned before = known_bits(level);
    const unsigned after = known_bits(level + 1);
    children_.clear();
    for (const Partial& parent : partials_) {
      const std::uint64_t parent_origin = origin(parent.factor, after);
      const unsigned used = counter_.count(shape_, parent.factor, parent_origin, level, ~0U);
      if (used == 0) continue;
      const unsigned bits = after - before;
      const unsigned most_bits = level == 0 ? 16 : 10;
      for (std::uint64_t i = 0; i < bit(std::min(bits, most_bits)); ++i) {
        const std::uint64_t value = bits <= most_bits ? i : random_.next() >> (64 - bits);
        add(parent.factor | value << before, level, after, parent_origin, used, parent.reach);
      }
      if (children_.size() > most_children) prune(options_.width);
    }
    if (level + 1 < shape_.squares.size()) prune(options_.width);
    partials_.swap(children_);
  }

  void add(std::uint64_t factor, std::size_t level, unsigned known, std::uint64_t parent_origin, unsigned parent_used,
           float parent_reach) {
    const std::uint64_t own_origin = origin(factor, known);
    const bool shared = own_origin == parent_origin;
    const unsigned used = shared ? counter_.count_child(shape_, factor, level, parent_used)
                                 : own_counter_.count(shape_, factor, own_origin, level + 1, ~0U);
    if (used == 0) return;
    const auto luck = static_cast<double>(random_.next() >> 40) / (1 << 24);
    const float reach = parent_reach + length(factor << shape_.squares[level]);
    const CostWeights& weights = options_.cost;
    double cost = used + weights.reach * static_cast<double>(reach);
    if (weights.block != 0) {
      const unsigned blocks = (shared ? counter_ : own_counter_).blocks(used, weights.size_log);
      cost += weights.block * static_cast<double>(blocks << weights.size_log);
    }
    cost *= 1 + options_.noise * luck;
    children_.push_back({factor, used, reach, static_cast<float>(cost)});
  }

  /// Cells by which an image moves the product: on the shorter way around the circle, or up if the origin is fixed at
  /// 0.
  float length(std::uint64_t image) const {
    const std::uint64_t way = shape_.black ? std::min(image, -image) : image;
    return std::ldexp(static_cast<float>(way), -static_cast<int>(shape_.shift));
  }

  void prune(std::size_t width) {
    if (children_.size() <= width) return;
    std::nth_element(children_.begin(), children_.begin() + static_cast<std::ptrdiff_t>(width), children_.end(),
                     cheaper);
    children_.resize(width);
  }

  const ArrayShape& shape_;
  const BeamOptions& options_;
  magic::Random& random_;
  CellCounter& counter_;
  CellCounter own_counter_;  ///< counts a child from nothing, while counter_ holds its parent
  std::vector<Partial> partials_;
  std::vector<Partial> children_;
};

double cost_of(const CostWeights& weights, unsigned used, CellCounter& counter) {
  if (weights.block == 0) return used;
  return used + weights.block * static_cast<double>(counter.blocks(used, weights.size_log) << weights.size_log);
}

}  // namespace

std::vector<CountedFactor> beam_search(const ArrayShape& shape, const BeamOptions& options, magic::Random& random,
                                       CellCounter& counter) {
  return Beam(shape, options, random, counter).run();
}

std::uint64_t neighbour(std::uint64_t factor, const ArrayShape& shape, magic::Random& random) {
  const unsigned bits = 64 - shape.squares.back();  // higher ones move no image
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
