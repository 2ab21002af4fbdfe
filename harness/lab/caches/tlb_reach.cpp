// SPDX-License-Identifier: MIT
#include "harness/lab/caches/tlb_reach.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/lab/caches/cache_shape.hpp"
#include "harness/pressure/pressure.hpp"

namespace slidebench {
namespace {

constexpr std::uint32_t fewest_pages = 16, most_pages = 8192;
constexpr double sizes_an_octave = 8;
constexpr double least_step_ns = 0.3;
constexpr std::size_t shortest_piece = 2;

/// One line of each page, in random order; the lines go through the sets of the first level.
Places spread(std::uint32_t pages, std::uint32_t page_bytes, std::mt19937_64& random) {
  const std::uint32_t lines_a_page = page_bytes / cache_line_bytes;
  Places places;
  for (std::uint32_t page = 0; page < pages; ++page) {
    places.push_back(page * page_bytes + page % lines_a_page * cache_line_bytes);
  }
  shuffle(places, random);
  return places;
}

std::vector<double> piece_of(const std::vector<double>& values, std::size_t first, std::size_t last) {
  return {values.begin() + static_cast<std::ptrdiff_t>(first), values.begin() + static_cast<std::ptrdiff_t>(last)};
}

/// The sum of distances from the median.
double dispersion(const std::vector<double>& values, std::size_t first, std::size_t last) {
  const double middle = median(piece_of(values, first, last));
  double sum = 0;
  for (std::size_t i = first; i < last; ++i) sum += std::abs(values[i] - middle);
  return sum;
}

}  // namespace

std::vector<PageCost> measure_page_costs(TimedMemory& memory, std::uint32_t page_bytes, std::mt19937_64& random) {
  const std::uint32_t most = std::min(most_pages, memory.bytes() / page_bytes);
  std::vector<PageCost> costs;
  for (int step = 0;; ++step) {
    const auto pages = static_cast<std::uint32_t>(std::lround(fewest_pages * std::exp2(step / sizes_an_octave)));
    if (pages > most) return costs;
    const double together_ns = memory.ns_a_read(spread(pages, cache_line_bytes, random));
    costs.push_back({pages, memory.ns_a_read(spread(pages, page_bytes, random)) - together_ns});
  }
}

std::vector<TlbStep> find_tlb_steps(const std::vector<PageCost>& costs) {
  const std::size_t n = costs.size();
  if (n < 3 * shortest_piece) return {};
  std::vector<double> logs;
  for (const PageCost& cost : costs) logs.push_back(std::log1p(std::max(cost.added_ns, 0.0)));
  std::size_t first_step = 0, second_step = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t first = shortest_piece; first + 2 * shortest_piece <= n; ++first) {
    for (std::size_t second = first + shortest_piece; second + shortest_piece <= n; ++second) {
      const double sum = dispersion(logs, 0, first) + dispersion(logs, first, second) + dispersion(logs, second, n);
      if (sum < least) least = sum, first_step = first, second_step = second;
    }
  }
  const auto level_ns = [&](std::size_t first, std::size_t last) {
    return std::expm1(median(piece_of(logs, first, last)));
  };
  const double near_ns = level_ns(0, first_step), middle_ns = level_ns(first_step, second_step),
               far_ns = level_ns(second_step, n);
  std::vector<TlbStep> steps;
  if (middle_ns - near_ns > least_step_ns) steps.push_back({costs[first_step - 1].pages, middle_ns});
  if (far_ns - middle_ns > least_step_ns) steps.push_back({costs[second_step - 1].pages, far_ns});
  return steps;
}

}  // namespace slidebench
