// SPDX-License-Identifier: MIT
#include "harness/magics/overlap_candidate.hpp"

#include <algorithm>
#include <numeric>

namespace slidebench::overlap {
namespace {

using Cells = std::array<std::uint64_t, 64>;

Cells used_cells(const ArrayShape& shape, std::uint64_t factor) {
  std::vector<std::uint64_t> sums{shape.origin(factor)};
  for (const unsigned square : shape.images) {
    const std::size_t half = sums.size();
    for (std::size_t i = 0; i < half; ++i) sums.push_back(sums[i] + (factor << square));
  }
  Cells cells{};
  for (const std::uint64_t sum : sums) {
    const std::uint64_t index = sum >> shape.shift;
    cells[index / 64] |= bit(static_cast<unsigned>(index % 64));
  }
  return cells;
}

std::vector<std::uint16_t> indices_of(const Cells& cells) {
  std::vector<std::uint16_t> indices;
  for (std::size_t word = 0; word < cells.size(); ++word) {
    for (std::uint64_t rest = cells[word]; rest != 0;) {
      indices.push_back(static_cast<std::uint16_t>(64 * word + pop_lowest(rest)));
    }
  }
  return indices;
}

/// The first used cell after the widest gap of the circle.
std::uint64_t circular_start(const std::vector<std::uint16_t>& indices, unsigned circle) {
  std::uint64_t start = indices.front();
  unsigned widest = indices.front() + circle - indices.back();
  for (std::size_t i = 1; i < indices.size(); ++i) {
    const unsigned gap = static_cast<unsigned>(indices[i]) - indices[i - 1];
    if (gap > widest) {
      widest = gap;
      start = indices[i];
    }
  }
  return start;
}

std::array<std::uint16_t, Candidate::probe_count> choose_probes(const std::vector<std::uint16_t>& indices) {
  std::array<std::uint16_t, Candidate::probe_count> probes{};
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const std::size_t spread = i * 39 % probes.size();  // 39 is odd and about 0.61 * 64: neighbours come late
    probes[i] = indices[spread * indices.size() / probes.size()];
  }
  return probes;
}

}  // namespace

/// Adding d * 2^shift to the factor moves the origin down by d cells, and no image as long as the lowest relevant
/// square pushes d off the top. That square lies below index_bits() for some rooks: then d must be a multiple of
/// 2^missing.
std::uint64_t turned_low(const ArrayShape& shape, std::uint64_t factor) {
  if (!shape.black) return factor;
  const auto indices = indices_of(used_cells(shape, factor));
  const std::uint64_t start = circular_start(indices, 1U << shape.index_bits());
  const unsigned missing = shape.index_bits() - std::min(shape.index_bits(), shape.images.back());
  return factor + (start >> missing << missing << shape.shift);
}

Candidate make_candidate(const ArrayShape& shape, std::uint64_t factor) {
  Candidate candidate{};
  candidate.factor = factor;
  candidate.cells = used_cells(shape, factor);
  const auto indices = indices_of(candidate.cells);
  candidate.used = static_cast<unsigned>(indices.size());
  candidate.mean = std::accumulate(indices.begin(), indices.end(), 0.0) / static_cast<double>(indices.size());
  candidate.lowest = indices.front();
  candidate.highest = indices.back();
  candidate.probes = choose_probes(indices);
  return candidate;
}

}  // namespace slidebench::overlap
