// SPDX-License-Identifier: MIT
#include "extras/magics/overlapped/packer.hpp"

#include <algorithm>
#include <cmath>

namespace slidebench::overlap {
namespace {

/// What an array weighs: the middle between the cells that it uses and those that it takes, in thousands. Used cells
/// alone would favour scattered ones, whose holes stay empty.
double weight(const Candidate& candidate) { return (candidate.used + candidate.cost) * 0.5e-3; }

constexpr double scale = 80'000;

/// Weight times the fourth power of the position, scaled to move by about 1 a slot and 1,000 cells at the top. A low
/// power packs the lower part better and leaves a long thin tail.
double energy(const Candidate& candidate, std::uint32_t first) {
  const double x = (first + candidate.mean) / scale;
  return weight(candidate) * x * x * x * x * scale / 4;
}

/// The position at which the candidate has this energy.
double position_of(const Candidate& candidate, double energy) {
  return scale * std::sqrt(std::sqrt(energy / weight(candidate) * 4 / scale));
}

}  // namespace

std::size_t slots_of(const Layout& layout) {
  std::size_t slots = 0;
  for (const Place& place : layout) slots = std::max(slots, place.end());
  return slots;
}

void Packer::remove(std::size_t array) { map_.toggle(*layout_[array].candidate, layout_[array].first); }

void Packer::put(std::size_t array, const Place& place) {
  layout_[array] = place;
  map_.toggle(*place.candidate, place.first);
}

/// The lowest place whose energy is below `most_energy`. Without a limit there always is one.
std::optional<std::uint32_t> Packer::find_place(const Candidate& candidate, double most_energy) const {
  const double highest = position_of(candidate, most_energy) - candidate.mean;
  constexpr double end = SlotMap::capacity - 8192;
  if (highest <= 0) return std::nullopt;
  return map_.find_fit(candidate, 0, static_cast<std::size_t>(std::min(highest, end)));
}

void Packer::insert(std::size_t array, std::size_t tries) {
  const auto& pool = pools_[array];
  Place best;
  double least = INFINITY;
  tries = std::min(tries, pool.size());
  for (std::size_t i = 0; i < tries; ++i) {
    const SharedCandidate& candidate = tries == pool.size() ? pool[i] : pool[below(pool.size())];
    const auto first = find_place(*candidate, least);
    if (!first) continue;
    least = energy(*candidate, *first);
    best = {candidate, *first};
  }
  put(array, best);
}

void Packer::start_from(const Layout& layout) {
  for (std::size_t a = 0; a < layout_.size(); ++a) remove(a);
  layout_.resize(layout.size());
  for (std::size_t a = 0; a < layout.size(); ++a) put(a, layout[a]);
  keep_best();
}

void Packer::start_from_nothing() {
  for (std::size_t a = 0; a < layout_.size(); ++a) remove(a);
  layout_.resize(pools_.size());
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t a = 0; a < pools_.size(); ++a) order.emplace_back(-pools_[a][0]->cost * (1 + 0.5 * chance()), a);
  std::sort(order.begin(), order.end());
  for (const auto& [key, array] : order) insert(array, pools_[array].size());
  keep_best();
}

bool Packer::keep_best() {
  const std::size_t slots = slots_of(layout_);
  if (slots >= best_slots_) return false;
  best_slots_ = slots;
  best_ = layout_;
  return true;
}

std::vector<std::size_t> Packer::choose_ruin() {
  const std::size_t center = below(slots_of(layout_));
  std::vector<std::size_t> near;
  for (std::size_t a = 0; a < layout_.size(); ++a) {
    if (layout_[a].first <= center && center < layout_[a].end()) near.push_back(a);
  }
  std::vector<std::size_t> chosen;
  const std::size_t count = 1 + below(4);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t a = !near.empty() && chance() < 0.7 ? near[below(near.size())] : below(layout_.size());
    if (std::find(chosen.begin(), chosen.end(), a) == chosen.end()) chosen.push_back(a);
  }
  return chosen;
}

SharedCandidate Packer::refit(std::size_t array, std::size_t steps) {
  const ArrayShape& shape = shapes_[array];
  const Place before = layout_[array];
  const double energy_before = energy(*before.candidate, before.first);
  remove(array);
  const bool from_pool = random_.next() % 2 == 0;
  SharedCandidate now = from_pool ? pools_[array][below(pools_[array].size())] : before.candidate;
  Place best = before;
  double energy_best = energy_before;
  double energy_now = energy(*now, find_place(*now, INFINITY).value());
  for (std::size_t step = 0; step < steps; ++step) {
    const double heat = 0.02 * energy_before * (1 - static_cast<double>(step) / static_cast<double>(steps));
    const std::uint64_t factor = neighbour(now->factor, shape, random_);
    if (counter_.count(shape, factor, now->used + now->used / 4) == 0) continue;
    Candidate next = make_candidate(shape, turned_low(shape, factor));
    next.cost = next.used * now->cost / now->used;
    const auto first = find_place(next, energy_now - heat * std::log(1 - chance()));
    if (!first) continue;
    next.cost = rater_.rate(next);
    now = std::make_shared<Candidate>(next);
    energy_now = energy(*now, *first);
    if (energy_now < energy_best) {
      energy_best = energy_now;
      best = {now, *first};
    }
  }
  put(array, best);
  keep_best();
  return best.candidate == before.candidate ? nullptr : best.candidate;
}

bool Packer::improve(const PackOptions& options) {
  bool improved = false;
  for (std::size_t step = 0; step < options.steps; ++step) {
    std::vector<std::size_t> arrays = choose_ruin();
    std::vector<Place> before;
    double change = 0;
    for (const std::size_t a : arrays) {
      before.push_back(layout_[a]);
      change -= energy(*layout_[a].candidate, layout_[a].first);
      remove(a);
    }
    std::vector<std::size_t> order = arrays;
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[below(i)]);
    for (const std::size_t a : order) {
      insert(a, options.tries);
      change += energy(*layout_[a].candidate, layout_[a].first);
    }
    const double temperature =
        options.temperature * (1 - static_cast<double>(step) / static_cast<double>(options.steps));
    if (change > 0 && chance() >= std::exp(-change / temperature)) {
      for (const std::size_t a : arrays) remove(a);
      for (std::size_t i = 0; i < arrays.size(); ++i) put(arrays[i], before[i]);
      continue;
    }
    improved |= keep_best();
  }
  return improved;
}

}  // namespace slidebench::overlap
