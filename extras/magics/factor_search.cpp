// SPDX-License-Identifier: MIT
#include "extras/magics/factor_search.hpp"

#include <algorithm>

namespace slidebench::magic {

FactorSearch::FactorSearch(const SquareProblem& problem) : problem_(problem) {
  for (unsigned j = 0; j < problem.bits(); ++j) {
    std::vector<std::uint16_t> order(std::size_t{1} << j);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint16_t>(i);
    std::stable_partition(order.begin(), order.end(), [&](std::uint16_t i) {
      return problem.attack_numbers[i] != problem.attack_numbers[i | std::size_t{1} << j];
    });
    order_.push_back(std::move(order));
  }
}

std::optional<std::uint64_t> FactorSearch::find(const SearchPlan& plan, Random& random) {
  plan_ = plan;
  random_ = &random;
  last_ = looked_at_ + plan.budget;
  found_.reset();
  Level& start = (*levels_)[0];
  start.sums[0] = 0;
  start.slots.fill(forbidden);
  std::fill_n(start.slots.begin(), plan.slots, std::uint8_t{0});
  start.slots[0] = problem_.attack_numbers[0];
  descend(0, 0, plan.zero_bits);
  return found_;
}

/// Tries values of the bits that the next square asks for. Returns true when the search is over.
bool FactorSearch::descend(unsigned settled, std::uint64_t factor, unsigned known_bits) {
  if (settled == problem_.bits()) {
    found_ = factor;
    return true;
  }
  const Square t = problem_.squares[settled];
  const unsigned needed_bits = std::max(64 - t, known_bits);
  const std::uint64_t values = std::uint64_t{1} << (needed_bits - known_bits);
  const bool is_short = (plan_.short_terms >> (problem_.bits() - 1 - settled) & 1) != 0;
  const std::uint64_t span =
      is_short ? std::max<std::uint64_t>(values / 16, std::min<std::uint64_t>(values, 2)) : values;
  const std::uint64_t lowest = is_short ? std::uint64_t{0} - span / 2 : 0;
  const std::uint64_t step = random_->next() | 1;  // an odd step visits every value once
  std::uint64_t value = random_->next();
  for (std::uint64_t i = 0; i < std::min(span, plan_.values); ++i, value += step) {
    if (looked_at_ == last_) return true;
    ++looked_at_;
    const std::uint64_t next = factor | (((value & (span - 1)) + lowest) & (values - 1)) << known_bits;
    if (!fits(settled, next << t)) continue;
    settle(settled, next << t);
    if (descend(settled + 1, next, needed_bits)) return true;
  }
  return false;
}

/// Whether the occupancies with the next square collide harmfully, with others or among themselves.
bool FactorSearch::fits(unsigned settled, std::uint64_t term) {
  const Level& level = (*levels_)[settled];
  const std::uint8_t* attacks = &problem_.attack_numbers[std::size_t{1} << settled];
  try_ += 256;
  if (try_ == 0) {
    claims_.fill(0);
    try_ = 256;
  }
  for (const std::uint16_t i : order_[settled]) {
    const std::size_t slot = (level.sums[i] + term) >> (64 - plan_.index_bits);
    const std::uint8_t attack = attacks[i];
    if (level.slots[slot] != 0 && level.slots[slot] != attack) return false;
    std::uint32_t& claim = claims_[slot];
    if ((claim & ~255u) == try_ && (claim & 255u) != attack) return false;
    claim = try_ | attack;
  }
  return true;
}

void FactorSearch::settle(unsigned settled, std::uint64_t term) {
  const Level& from = (*levels_)[settled];
  Level& to = (*levels_)[settled + 1];
  const std::size_t half = std::size_t{1} << settled;
  std::copy_n(from.sums.begin(), half, to.sums.begin());
  std::copy_n(from.slots.begin(), std::size_t{1} << plan_.index_bits, to.slots.begin());
  for (std::size_t i = 0; i < half; ++i) {
    to.sums[half + i] = from.sums[i] + term;
    to.slots[to.sums[half + i] >> (64 - plan_.index_bits)] = problem_.attack_numbers[half + i];
  }
}

}  // namespace slidebench::magic
