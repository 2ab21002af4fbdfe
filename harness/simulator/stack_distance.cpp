// SPDX-License-Identifier: MIT
#include "harness/simulator/stack_distance.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace slidebench {
namespace {

constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t least_numbers = 1u << 14;

}  // namespace

StackDistance::StackDistance() : line_of_(least_numbers), dead_(least_numbers / 64), tree_(least_numbers / 64 + 1) {}

StackDistance::Reuse StackDistance::access(std::uint32_t line, std::uint32_t clock) {
  if (next_ == line_of_.size()) renumber();
  if (line >= last_.size()) last_.resize(2 * std::size_t{line} + 1, {never, 0});
  LastAccess& last = last_[line];
  Reuse reuse;
  if (last.number == never) {
    ++lines_;
  } else {
    reuse.first = false;
    reuse.distance = (next_ - last.number - 1) - (dead_total_ - dead_before(last.number));
    reuse.elapsed = clock - last.clock;
    bury(last.number);
  }
  last = {next_, clock};
  line_of_[next_] = line;
  ++next_;
  return reuse;
}

std::uint64_t StackDistance::dead_before(std::uint32_t number) const {
  const std::uint64_t earlier = (std::uint64_t{1} << (number % 64)) - 1;
  auto dead = static_cast<std::uint64_t>(std::popcount(dead_[number / 64] & earlier));
  for (std::uint32_t node = number / 64; node != 0; node &= node - 1) dead += tree_[node];
  return dead;
}

void StackDistance::bury(std::uint32_t number) {
  dead_[number / 64] |= std::uint64_t{1} << (number % 64);
  ++dead_total_;
  for (std::uint32_t node = number / 64 + 1; node < tree_.size(); node += node & (~node + 1)) ++tree_[node];
}

void StackDistance::renumber() {
  std::uint32_t living = 0;
  for (std::uint32_t number = 0; number < next_; ++number) {
    if ((dead_[number / 64] >> (number % 64) & 1) != 0) continue;
    line_of_[living] = line_of_[number];
    last_[line_of_[living]].number = living;
    ++living;
  }
  next_ = living;
  dead_total_ = 0;
  const std::uint32_t numbers = std::max(least_numbers, 4 * std::bit_ceil(living));
  line_of_.resize(numbers);
  dead_.assign(numbers / 64, 0);
  tree_.assign(numbers / 64 + 1, 0);
}

}  // namespace slidebench
