// SPDX-License-Identifier: MIT
#include "extras/magics/overlapped/candidate.hpp"

#include <algorithm>
#include <numeric>

namespace slidebench::overlap {
namespace {

using Cells = std::array<std::uint64_t, 64>;

Cells used_cells(const ArrayShape& shape, std::uint64_t factor) {
  std::vector<std::uint64_t> sums{shape.origin(factor)};
  for (const unsigned square : shape.squares) {
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

ArrayShape::ArrayShape(magic::Piece piece_, Square square_, bool black_)
    : SquareProblem(magic::square_problem(piece_, square_)),
      black(black_),
      mask(magic::relevant(piece_, square_)),
      shift(piece_ == magic::Piece::rook ? 52 : 55) {}

unsigned CellCounter::count(const ArrayShape& shape, std::uint64_t factor, std::uint64_t origin, std::size_t count,
                            unsigned limit) {
  const unsigned shift = shape.shift;
  const std::uint64_t epoch = ++epoch_;
  sums_[0] = origin;
  cells_[origin >> shift] = epoch << 8 | shape.attack_numbers[0];
  unsigned used = 0;
  used_[used++] = static_cast<std::uint16_t>(origin >> shift);
  for (std::size_t j = 0; j < count; ++j) {
    const std::uint64_t image = factor << shape.squares[j];
    const std::size_t half = std::size_t{1} << j;
    for (std::size_t i = 0; i < half; ++i) {
      const std::uint64_t sum = sums_[i] + image;
      sums_[half + i] = sum;
      const std::uint64_t wanted = epoch << 8 | shape.attack_numbers[half + i];
      const std::size_t index = sum >> shift;
      std::uint64_t& cell = cells_[index];
      if (cell == wanted) continue;
      if (cell >> 8 == epoch) return 0;
      cell = wanted;
      used_[used++] = static_cast<std::uint16_t>(index);
    }
    if (used > limit) return 0;
  }
  return used;
}

unsigned CellCounter::count_child(const ArrayShape& shape, std::uint64_t factor, std::size_t count,
                                  unsigned parent_used) {
  const std::uint64_t image = factor << shape.squares[count];
  const std::size_t half = std::size_t{1} << count;
  const std::uint64_t child_epoch = ++child_epoch_;
  unsigned used = parent_used;
  for (std::size_t i = 0; i < half; ++i) {
    const std::size_t index = (sums_[i] + image) >> shape.shift;
    const std::uint64_t set = shape.attack_numbers[half + i];
    const std::uint64_t cell = cells_[index];
    if (cell == (epoch_ << 8 | set)) continue;
    if (cell >> 8 == epoch_) return 0;
    std::uint64_t& child = child_cells_[index];
    if (child == (child_epoch << 8 | set)) continue;
    if (child >> 8 == child_epoch) return 0;
    child = child_epoch << 8 | set;
    used_[used++] = static_cast<std::uint16_t>(index);
  }
  return used;
}

unsigned CellCounter::blocks(unsigned cells, unsigned size_log) {
  ++block_epoch_;
  unsigned blocks = 0;
  for (std::size_t i = 0; i < cells; ++i) {
    std::uint64_t& block = blocks_[used_[i] >> size_log];
    blocks += block != block_epoch_ ? 1 : 0;
    block = block_epoch_;
  }
  return blocks;
}

/// Adding d * 2^shift to the factor moves the origin down by d cells, and no image as long as the lowest relevant
/// square pushes d off the top. That square lies below index_bits() for some rooks: then d must be a multiple of
/// 2^missing.
std::uint64_t turned_low(const ArrayShape& shape, std::uint64_t factor) {
  if (!shape.black) return factor;
  const auto indices = indices_of(used_cells(shape, factor));
  const std::uint64_t start = circular_start(indices, 1U << shape.index_bits());
  const unsigned missing = shape.index_bits() - std::min(shape.index_bits(), shape.squares.back());
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
